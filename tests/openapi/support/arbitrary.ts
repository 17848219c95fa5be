import fc from 'fast-check'

import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document-types.js'

/** Generates values that match a schema. Members named `id` often have ids of existing rows. */
export function valuesOf(document: OpenApiDocument): (schema: JsonSchema) => fc.Arbitrary<unknown> {
  const resolve = ({ $ref = '' }: JsonSchema): JsonSchema => {
    const name = $ref.split('/').at(-1) ?? ''
    const found = document.components.schemas[name]
    if (!found) throw new Error(`${$ref} leads nowhere.`)
    return found
  }

  const make = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) return make(resolve(schema))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const alternatives = (schema.anyOf ?? schema.oneOf)?.filter((one) => !one.pattern?.startsWith('^\\w+('))
    if (alternatives) return fc.oneof(...alternatives.map(make))
    const types = schema.type === undefined ? [] : [schema.type].flat()
    if (types.length === 0) return fc.jsonValue({ maxDepth: 2, noUnicodeString: false } as never)
    return fc.oneof(...types.map((type) => typed(type, schema)))
  }

  const typed = (type: string, schema: JsonSchema): fc.Arbitrary<unknown> => {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer': {
        const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1 } = schema
        const small = fc.integer({
          min: Math.max(1, minimum),
          max: Math.max(Math.min(9, maximum), Math.max(1, minimum)),
        })
        return fc.oneof({ weight: 4, arbitrary: small }, fc.integer({ min: minimum, max: maximum }))
      }
      case 'number':
        return fc
          .oneof(
            fc.integer({ min: -99, max: 99 }),
            fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
          )
          .map((n) => (Object.is(n, -0) ? 0 : n))
      case 'string':
        return text(schema)
      case 'array': {
        const { items = {}, minItems = 0, maxItems = 3 } = schema
        const element = make(items)
        const range = { minLength: minItems, maxLength: Math.min(maxItems, Math.max(3, minItems)) }
        return schema.uniqueItems
          ? fc.uniqueArray(element, { ...range, selector: (one) => JSON.stringify(one) })
          : fc.array(element, range)
      }
      case 'object':
        return members(schema)
      default:
        throw new Error(`No values of type ${type}.`)
    }
  }

  const members = ({ properties = {}, required = [], additionalProperties, dependentRequired = {} }: JsonSchema) => {
    const parts = Object.fromEntries(
      Object.entries(properties)
        // Plain JSON needs no serialization metadata, which has its own tests.
        .filter(([name]) => name !== 'serialization')
        .map(([name, schema]) => [name, make(schema)]),
    )
    if (Object.keys(parts).length === 0 && additionalProperties !== false) return fc.constant({})
    return fc
      .record(parts, { requiredKeys: [...required] as never[] })
      .filter((value) =>
        Object.entries(dependentRequired).every(
          ([name, others]) => !(name in value) || others.every((other) => other in value),
        ),
      )
  }

  return make
}

function text({
  format,
  pattern,
  contentEncoding,
  contentMediaType,
  minLength = 0,
  maxLength = 12,
}: JsonSchema & { readonly minLength?: number; readonly maxLength?: number }): fc.Arbitrary<string> {
  if (contentMediaType === 'application/json')
    return fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value))
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  }
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.integer({ min: 1, max: 99 }).map((n) => `user${n}@example.com`)
  if (format === 'uri') return fc.webUrl()
  if (contentEncoding === 'base64')
    return fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  if (format === 'int64') return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
  if (pattern !== undefined) {
    return fc
      .stringMatching(new RegExp(pattern))
      .filter((one) => one.length >= minLength && one.length <= Math.max(maxLength, 160))
  }
  const any = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)), unit: 'grapheme' })
  return minLength > 1 ? any : fc.oneof({ weight: 3, arbitrary: any }, fc.constantFrom('1', '2', '3'))
}
