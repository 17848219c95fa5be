import fc from 'fast-check'

import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document-types.js'

/** Maximum nesting depth. Deeper values are as small as possible. */
const DEPTH = 5

/** Words and numbers that also occur in seeds and other values, so that filters match rows. */
const WORDS = ['a', 'b', 'hello', 'hello-world', 'x1', 'zoo', 'A%_', 'öß', '']

/** Creates a deterministic generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Draws values that match a schema, including recursive schemas.
 * @param random returns a number from 0 to 1
 */
export function drawOf(document: OpenApiDocument, random: () => number): (schema: JsonSchema) => unknown {
  const texts = new Map<string, readonly string[]>()
  const below = (max: number): number => Math.floor(random() * max)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)]
    if (found === undefined) throw new Error('There is nothing to choose from.')
    return found
  }

  const resolve = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref === undefined) return schema
    const found = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`${schema.$ref} leads nowhere.`)
    const { $ref: _, ...siblings } = schema
    return { ...resolve(found), ...siblings }
  }

  const draw = (unresolved: JsonSchema, depth: number): unknown => {
    const schema = resolve(unresolved)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.properties) return members(schema, depth)
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives) {
      const flat = depth < DEPTH ? [] : alternatives.filter((one) => !isDeep(resolve(one)))
      return draw(pick(flat.length > 0 ? flat : alternatives), depth)
    }
    const types = schema.type === undefined ? [] : [schema.type].flat()
    return types.length === 0 ? json() : typed(pick(types), schema, depth)
  }

  const isDeep = ({ type, anyOf = [] }: JsonSchema): boolean =>
    type === 'object' || type === 'array' || (anyOf.length > 0 && anyOf.every((one) => isDeep(resolve(one))))

  const json = (): unknown => pick([0, 1, 'a', true, {}, { a: 1 }, { a: { b: ['x'] } }, [], [1, 'a'], null])

  const members = (schema: JsonSchema, depth: number): unknown => {
    const { properties = {} } = schema
    return Object.fromEntries(keysFor(schema, depth).map((name) => [name, draw(properties[name] ?? {}, depth + 1)]))
  }

  const keysFor = (schema: JsonSchema, depth: number): readonly string[] => {
    // Plain JSON needs no serialization metadata, which has its own tests.
    const names = Object.keys(schema.properties ?? {}).filter((name) => name !== 'meta')
    for (let attempt = 0; attempt < 400; attempt++) {
      const max = depth + Math.floor(attempt / 50) < DEPTH ? 3 : Math.floor(attempt / 20)
      const keys = new Set(schema.required ?? [])
      for (let left = below(Math.min(max, names.length) + 1); left > 0; left--) keys.add(pick(names))
      if (fits(schema, keys)) return [...keys]
    }
    throw new Error(`No members fit ${JSON.stringify(schema)}`)
  }

  const typed = (type: string, schema: JsonSchema, depth: number): unknown => {
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return random() < 0.5
      case 'integer': {
        const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1 } = schema
        const small = Math.max(minimum, Math.min(maximum, 1 + below(4)))
        return random() < 0.9 ? small : pick([minimum, maximum, Math.max(minimum, -3)])
      }
      case 'number':
        return pick([0, 1, 2, -1, 0.5, 12.25, 1e6])
      case 'string':
        return text(schema)
      case 'array': {
        const { items = {}, minItems = 0, maxItems = 3 } = schema
        const length = Math.max(minItems, below(Math.min(maxItems, depth < DEPTH ? 3 : 1) + 1))
        const list = Array.from({ length }, () => draw(items, depth))
        return schema.uniqueItems ? [...new Map(list.map((one) => [JSON.stringify(one), one])).values()] : list
      }
      case 'object':
        return {}
      default:
        throw new Error(`No values of type ${type}.`)
    }
  }

  const text = (schema: JsonSchema & { readonly minLength?: number; readonly maxLength?: number }): string => {
    const { format, pattern, contentEncoding, minLength = 0, maxLength = Infinity } = schema
    if (format === 'date-time')
      return pick(['2024-05-31T12:00:00Z', '2020-02-29T23:59:59.999+02:00', '2031-01-01T00:00:00.000Z'])
    if (format === 'uuid') return pick(['0b1e9b1c-6f7a-4c1e-8f0a-1d2c3b4a5f60', '7d444840-9dc0-11d1-b245-5ffdce74fad2'])
    if (format === 'email') return `user${below(99)}@example.com`
    if (format === 'uri') return pick(['https://example.com', 'https://example.org/a?b=c'])
    if (contentEncoding === 'base64') return pick(['', 'AQI=', 'AAEC'])
    if (format === 'int64') return pick(['0', '1', '2', '-7', '9223372036854775807'])
    if (format === 'decimal') return pick(['0', '1.5', '-2', '1234.5678'])
    if (pattern !== undefined) {
      const samples = texts.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 60, seed: 1 })
      texts.set(pattern, samples)
      return pick(samples.filter(({ length }) => length >= minLength && length <= Math.min(maxLength, 60)))
    }
    const words = WORDS.filter(({ length }) => length >= minLength && length <= maxLength)
    return words.length > 0 ? pick(words) : 'abcdefghijklmnop'.repeat(20).slice(0, Math.max(minLength, 1))
  }

  return (schema) => draw(schema, 0)
}

/** Whether a set of member names matches the rules of a schema on member names. */
function fits(schema: JsonSchema, keys: ReadonlySet<string>): boolean {
  const { required = [], anyOf, allOf = [], not, minProperties = 0, maxProperties = Infinity } = schema
  const { dependentRequired = {}, dependentSchemas = {}, properties = {} } = schema
  return (
    required.every((name) => keys.has(name)) &&
    Object.entries(properties).every(([name, one]) => !keys.has(name) || !isNothing(one)) &&
    (!anyOf || anyOf.some((one) => fits(one, keys))) &&
    allOf.every((one) => fits(one, keys)) &&
    !(not && fits(not, keys)) &&
    keys.size >= minProperties &&
    keys.size <= maxProperties &&
    Object.entries(dependentRequired).every(
      ([name, others]) => !keys.has(name) || others.every((one) => keys.has(one)),
    ) &&
    Object.entries(dependentSchemas).every(([name, one]) => !keys.has(name) || fits(one, keys))
  )
}

/** Whether a schema matches no value. */
function isNothing({ not }: JsonSchema): boolean {
  return not !== undefined && Object.keys(not).length === 0
}
