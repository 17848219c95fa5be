import type { ErrorDetail } from '../../errors/request-error.js'
import { idFields } from '../../schema/schema.js'
import { formMessage, fromJson, valueErrorMessage } from '../../values/from-json.js'
import { childPointer, errorAt, isAtMember, type JsonObject, objectAt } from './body.js'
import type { NamedField, RestModel } from '../model.js'

/** Values to write, as Prisma takes them, by field. */
export type Scalars = Map<string, unknown>

/**
 * Reads the attributes of a resource that is created or updated. Only scalars and lists of them: what would be an operation
 * or a nested write to Prisma is a value of the wrong type here.
 * @param resource the resource in the body
 * @param faults where faults are noted, each with its pointer
 */
export function parseAttributes({ attributes, id }: JsonObject, model: RestModel, faults: ErrorDetail[]): Scalars {
  const scalars: Scalars = new Map()
  const given = objectAt(attributes, '/data/attributes', faults)
  for (const wire of Object.keys(given)) {
    if (isAtMember(wire)) continue
    const named = model.written.get(wire)
    if (!named && wire === 'id') {
      const detail = 'An id is no attribute: it stands beside them, as "data.id".'
      faults.push(errorAt('unknown-attribute', id === undefined ? pointerOf(wire) : '/data/id', detail))
    } else if (model.computed.has(wire)) {
      faults.push(errorAt('read-only', pointerOf(wire), `"${wire}" is computed, and cannot be written.`))
    } else if (!named) {
      faults.push(errorAt('unknown-attribute', pointerOf(wire), `"${model.type}" has no attribute "${wire}".`))
    } else if (model.model.readOnly.has(named.name) || isDatabaseGenerated(model, named)) {
      faults.push(errorAt('read-only', pointerOf(wire), `"${wire}" cannot be written.`))
    } else {
      parseScalar(scalars, named, given[wire], pointerOf, faults)
    }
  }
  return scalars
}

/** Where an attribute stands in the body. */
function pointerOf(wire: string): string {
  return childPointer('/data/attributes', wire)
}

/**
 * Checks a value and notes it, or what is wrong with it.
 * @param where the pointer of the field with this name on the wire; asked for where there is a fault
 */
export function parseScalar(
  scalars: Scalars,
  { name, wire, field }: NamedField,
  value: unknown,
  where: (wire: string) => string,
  faults: ErrorDetail[],
): void {
  const read = fromJson(field, value)
  if (read.ok) {
    scalars.set(name, read.value)
    return
  }
  const pointer = where(wire)
  for (const fault of read.faults) {
    const { path, rule } = fault
    const at = isPathIn(value, path) ? path.reduce<string>(childPointer, pointer) : pointer
    const error = errorAt('invalid-value', at, valueErrorMessage(`"${wire}"`, fault))
    faults.push({ ...error, message: formMessage(fault), ...(rule && { rule }) })
  }
}

/** Whether the database makes the ids of a model, in part at least. */
export function hasGeneratedId(model: RestModel): boolean {
  return model.id.fields.some(({ field }) => field.generated)
}

/** Whether the database makes a field of an id. The model's own id counts, even if another unique identifies it here. */
export function isDatabaseGenerated({ model, id }: RestModel, { name, field }: NamedField): boolean {
  if (!field.generated) return false
  return idFields(model).includes(name) || id.fields.some((part) => part.name === name)
}

/** A pointer must lead to something that the request has. */
function isPathIn(value: unknown, path: readonly (string | number)[]): boolean {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = Reflect.get(at, key)
  }
  return true
}
