import type { Model } from '../schema/model.js'
import type { Field, ScalarType } from '../schema/resource.js'
import { fromJson } from '../values/from-json.js'
import { memoize } from '../values/memoize.js'

/**
 * Returns an example value of a field as JSON: the first candidate that the field and its rule (`@zod.…`) accept.
 * @param name the name of the field, which text examples contain
 * @returns undefined if no candidate is accepted
 */
export function exampleValue(name: string, field: Field): unknown {
  const all = candidates(name, field)
  for (const candidate of all) {
    const value = field.list ? [candidate] : candidate
    if (isValidValue(field, value)) return value
  }
  return undefined
}

/** Whether a rule accepts a candidate. If the rule throws, for example because it is asynchronous, it accepts none. */
function isValidValue(field: Field, value: unknown): boolean {
  try {
    return fromJson(field, value).ok
  } catch {
    return false
  }
}

function candidates(name: string, { type, default: byDefault, values = [], uuid }: Field): readonly unknown[] {
  if (type === 'Enum') return values
  const examples = uuid ? [UUID] : type === 'String' ? texts(name) : EXAMPLES[type]
  return byDefault === undefined ? examples : [byDefault, ...examples]
}

const UUID = '0b1e9b1c-6f7a-4c1e-8f0a-1d2c3b4a5f60'
const NUMBERS = [1, 0, 10, 18, 100, 1000, 2024, 10_000, -1, 0.5]

const EXAMPLES: Readonly<Record<Exclude<ScalarType, 'String' | 'Enum'>, readonly unknown[]>> = {
  Boolean: [true, false],
  Int: NUMBERS,
  BigInt: NUMBERS.map(String),
  Float: [1.5, ...NUMBERS],
  Decimal: ['9.99', ...NUMBERS.map(String)],
  DateTime: ['2024-05-31T12:00:00.000Z', '2100-01-01T00:00:00.000Z', '1990-01-01T00:00:00.000Z'],
  Json: [{}, [], 'text', 1, true],
  Bytes: ['AQID'],
}

/** Strings in formats that rules commonly require. */
const KINDS = [
  'https://example.com',
  UUID,
  '2024-05-31T12:00:00Z',
  '2024-05-31',
  '12:00:00',
  'P1D',
  '192.0.2.1',
  '2001:db8::1',
  '192.0.2.0/24',
  'example.com',
  '+4930123456',
  '12345',
  'AQID',
  'c0ffee',
  '#c0ffee',
  '1.2.3',
  'DE',
  'en',
  'en-GB',
  'EUR',
  'cjld2cjxh0000qzrmn831i7rn',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'V1StGXR8_Z5jdHi6B-myT',
  'Passw0rd!',
  'A1',
  '👍',
]

const EMAIL = 'ann@example.com'

/** Returns candidates for a string: the field's name in different spellings and lengths, then common formats. */
function texts(name: string): readonly string[] {
  const words = name
    .replaceAll(/_+|(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .trim()
    .toLowerCase()
  const spelled = [words, words.replaceAll(' ', '-'), words.replaceAll(' ', ''), words.toUpperCase()]
  const long = [8, 16, 40, 100].map((length) => `${words} `.repeat(Math.ceil(length / words.length)).trim())
  const short = [5, 3, 2, 1].map((length) => words.slice(0, length).trim())
  if (/e-?mail/i.test(name)) return [EMAIL, ...spelled]
  return [...spelled, ...long, ...short, EMAIL, ...KINDS]
}

/** Example values of a row, by field name. Fields without an example are missing. */
type ExampleRow = ReadonlyMap<string, unknown>

/** Maximum number of foreign keys to follow, because they may refer to other foreign keys. */
const MAX_STEPS = 5

/** Returns an example row of a model. Its foreign keys match the example rows of the related models. */
export const exampleRow = memoize((model: Model): ExampleRow => {
  return new Map(
    [...model.fields].flatMap(([name, field]): [string, unknown][] => {
      const value = resolveExampleValue(model, name, field, MAX_STEPS)
      return value === undefined ? [] : [[name, value]]
    }),
  )
})

function resolveExampleValue(model: Model, name: string, field: Field, steps: number): unknown {
  for (const { target, foreignKey = {} } of model.relations.values()) {
    const reference = foreignKey[name]
    const referencedField = reference === undefined ? undefined : target.fields.get(reference)
    if (reference !== undefined && referencedField && steps > 0)
      return resolveExampleValue(target, reference, referencedField, steps - 1)
  }
  return exampleValue(name, field)
}

/** Returns the values of some fields of a model's example row, or undefined if one of them has no example. */
export function exampleValues(model: Model, names: readonly string[]): readonly unknown[] | undefined {
  const row = exampleRow(model)
  return names.every((name) => row.has(name)) ? names.map((name) => row.get(name)) : undefined
}
