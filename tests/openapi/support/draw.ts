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

  /** Resolves references and combines them with the schemas that also apply. Schemas in `allOf` without a reference are only rules. */
  const resolve = (schema: JsonSchema): JsonSchema => {
    const { $ref, allOf = [], ...rules } = schema
    const references = [...($ref === undefined ? [] : [{ $ref }]), ...allOf.filter((one) => one.$ref !== undefined)]
    if (references.length === 0) return schema
    const targets = references.map((one) => {
      const found = document.components.schemas[one.$ref?.split('/').at(-1) ?? '']
      if (!found) throw new Error(`${one.$ref} leads nowhere.`)
      return resolve(found)
    })
    const parts = [...targets, ...allOf.filter((one) => one.$ref === undefined), rules]
    const [only = {}, ...others] = parts.filter((part) => Object.keys(part).length > 0)
    return others.length === 0 ? only : combine([only, ...others])
  }

  /** Combines schemas that all apply. Later ones restrict the properties of earlier ones. */
  const combine = (parts: readonly JsonSchema[]): JsonSchema => {
    const all: JsonSchema = Object.assign({}, ...parts)
    const properties: Readonly<Record<string, JsonSchema>> = Object.assign({}, ...parts.map((part) => part.properties))
    return {
      ...all,
      ...(Object.keys(properties).length > 0 && { properties }),
      required: parts.flatMap(({ required = [] }) => required),
      allOf: parts,
    }
  }

  const draw = (unresolved: JsonSchema, depth: number): unknown => {
    const schema = resolve(unresolved)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.properties ?? schema.propertyNames) return members(schema, depth)
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
    const { properties = {}, additionalProperties } = schema
    const others = typeof additionalProperties === 'object' ? additionalProperties : {}
    const schemaOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? others
    return Object.fromEntries(keysFor(schema, depth).map((name) => [name, draw(schemaOf(name), depth + 1)]))
  }

  const keysFor = (schema: JsonSchema, depth: number): readonly string[] => {
    // Plain JSON needs no serialization metadata, which has its own tests.
    const names = Object.keys(schema.properties ?? {}).filter((name) => name !== 'meta')
    if (!schema.properties) names.push(...namesIn(schema.propertyNames ?? {}))
    for (let attempt = 0; attempt < 400; attempt++) {
      const max = depth + Math.floor(attempt / 50) < DEPTH ? 3 : Math.floor(attempt / 20)
      const keys = new Set(schema.required ?? [])
      for (let left = below(Math.min(max, names.length) + 1); left > 0; left--) keys.add(pick(names))
      if (fits(schema, keys, resolve)) return [...keys]
    }
    throw new Error(`No members fit ${JSON.stringify(schema)}`)
  }

  const namesIn = (schema: JsonSchema): readonly string[] => {
    const { const: only, enum: listed = [], anyOf = [] } = resolve(schema)
    return [...(only === undefined ? [] : [only]), ...listed].map(String).concat(anyOf.flatMap(namesIn))
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
function fits(unresolved: JsonSchema, keys: ReadonlySet<string>, resolve: (schema: JsonSchema) => JsonSchema): boolean {
  const schema = resolve(unresolved)
  const { required = [], anyOf, allOf = [], not, minProperties = 0, maxProperties = Infinity } = schema
  const { dependentRequired = {}, dependentSchemas = {}, properties = {}, propertyNames = {} } = schema
  const doesFit = (one: JsonSchema) => fits(one, keys, resolve)
  return (
    required.every((name) => keys.has(name)) &&
    Object.entries(properties).every(([name, one]) => !keys.has(name) || !isNothing(one)) &&
    [...keys].every((name) => isName(name, propertyNames, resolve)) &&
    (!anyOf || anyOf.some(doesFit)) &&
    allOf.every(doesFit) &&
    !(not && doesFit(not)) &&
    keys.size >= minProperties &&
    keys.size <= maxProperties &&
    Object.entries(dependentRequired).every(
      ([name, others]) => !keys.has(name) || others.every((one) => keys.has(one)),
    ) &&
    Object.entries(dependentSchemas).every(([name, one]) => !keys.has(name) || doesFit(one))
  )
}

/** Whether a schema of names accepts a name. */
function isName(name: string, unresolved: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): boolean {
  const schema = resolve(unresolved)
  const { const: only, enum: listed, anyOf, not } = schema
  return (
    (only === undefined || only === name) &&
    (!listed || listed.includes(name)) &&
    (!anyOf || anyOf.some((one) => isName(name, one, resolve))) &&
    !(not && isName(name, not, resolve))
  )
}

/** Whether a schema matches no value. */
function isNothing({ not }: JsonSchema): boolean {
  return not !== undefined && Object.keys(not).length === 0
}
