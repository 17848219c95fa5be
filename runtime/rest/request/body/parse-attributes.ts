import type { ErrorDetail } from '../../../errors/request-error.js'
import { fromJson } from '../../../values/from-json.js'
import { describeValueError } from '../../../values/value-error.js'
import { isAtMember, type JsonObject, expectObject, errorAt, childPointer } from '../request-errors.js'
import { type NamedField, type RestModel, isDatabaseGenerated } from '../../rest-model.js'

/** The values to write, by field, in Prisma's format. */
export type Scalars = Map<string, unknown>

/**
 * Parses the attributes of a resource to create or update. Accepts only scalars and lists of scalars. Prisma's operations and nested
 * writes are rejected, because they are values of the wrong type.
 * @param errors collects the errors, each with its pointer
 */
export function parseAttributes({ attributes, id }: JsonObject, model: RestModel, errors: ErrorDetail[]): Scalars {
  const scalars: Scalars = new Map()
  const input = expectObject(attributes, '/data/attributes', errors)
  for (const wire of Object.keys(input)) {
    if (isAtMember(wire)) continue
    const named = model.bodyFields.get(wire)
    if (!named && wire === 'id') {
      const detail = 'The id is not an attribute. Send it as "data.id".'
      errors.push(errorAt('unknown-attribute', id === undefined ? attributePointer(wire) : '/data/id', detail))
    } else if (model.computed.has(wire)) {
      errors.push(errorAt('read-only', attributePointer(wire), `"${wire}" is computed and cannot be written.`))
    } else if (!named) {
      errors.push(errorAt('unknown-attribute', attributePointer(wire), `"${model.type}" has no attribute "${wire}".`))
    } else if (model.model.readOnly.has(named.name) || isDatabaseGenerated(model, named)) {
      errors.push(errorAt('read-only', attributePointer(wire), `"${wire}" cannot be written.`))
    } else {
      parseScalar(scalars, named, input[wire], attributePointer, errors)
    }
  }
  return scalars
}

function attributePointer(wire: string): string {
  return childPointer('/data/attributes', wire)
}

/**
 * Parses a value and adds it to the scalars, or adds an error.
 * @param getPointer returns the pointer to a field by its wire name; called only after an error
 */
export function parseScalar(
  scalars: Scalars,
  { name, wire, field }: NamedField,
  value: unknown,
  getPointer: (wire: string) => string,
  errors: ErrorDetail[],
): void {
  const result = fromJson(field, value)
  if (result.ok) {
    scalars.set(name, result.value)
    return
  }
  const pointer = getPointer(wire)
  for (const valueError of result.errors) {
    const { path } = valueError
    const valuePointer = isPathIn(value, path) ? path.reduce<string>(childPointer, pointer) : pointer
    const texts = describeValueError(`"${wire}"`, field, valueError)
    errors.push({ code: 'invalid-value', source: { pointer: valuePointer }, ...texts })
  }
}

/** Whether a path refers to an existing value. An error's pointer must refer to an existing value in the request. */
function isPathIn(value: unknown, path: readonly (string | number)[]): boolean {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return false
    current = Reflect.get(current, key)
  }
  return true
}
