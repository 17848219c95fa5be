import fc from 'fast-check'

import { BLOG } from './arbitrary.js'

/** The operations of the RPC style that every database supports. */
export const OPERATIONS = [
  'findMany',
  'findFirst',
  'findUnique',
  'count',
  'aggregate',
  'groupBy',
  'create',
  'createMany',
  'update',
  'updateMany',
  'upsert',
  'delete',
  'deleteMany',
  'check',
]

/** Words with a meaning in some arguments, so that generated arguments pass the first check. */
const WORDS = [
  ...'where data select include omit orderBy cursor take skip distinct by having create update AND OR NOT'.split(' '),
  ...'_count _avg _sum _min _max _all some every none is isNot equals not in notIn lt lte gt gte contains mode'.split(
    ' ',
  ),
  ...'set connect connectOrCreate disconnect delete deleteMany updateMany upsert createMany increment push'.split(' '),
  ...'path string_contains search sort nulls operation skipDuplicates limit __proto__ constructor toString'.split(' '),
  ...[...BLOG.values()].flatMap((model) => [
    ...model.fields.keys(),
    ...model.relations.keys(),
    ...model.uniques.keys(),
  ]),
]

const key = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...new Set(WORDS)) }, fc.string({ maxLength: 5 }))

/** Nearly valid values. */
export const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    Number.MAX_VALUE,
    -0,
    '',
    'asc',
    'desc',
    'read',
  ),
  fc.constantFrom<unknown>(
    'hello-world',
    'DRAFT',
    '2024-02-30',
    '2024-01-01T00:00:00Z',
    '%',
    '\u0000',
    '\ud800',
    'AQI=',
    '1e1',
  ),
  fc.constantFrom<unknown>('9223372036854775808', '0x10', 'NaN', 'Infinity', 'undefined', '$.a', [], {}),
  fc.integer({ min: -3, max: 100 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: false },
    leaf,
    fc.dictionary(key, tie('json'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('json'), { maxLength: 3 }),
  ),
}))

/** Arguments whose top-level members are valid for the operation, so that its checks are reached. */
export const args = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom(...WORDS.slice(0, 14)), json, { maxKeys: 4, noNullPrototype: true }),
  },
  { weight: 1, arbitrary: json },
)

const tag = fc.oneof(
  fc.constantFrom<unknown>(
    ['Date'],
    ['bigint'],
    [['custom', 'Decimal']],
    [['custom', 'Bytes']],
    [['typed-array', 'Uint8Array']],
  ),
  fc.constantFrom<unknown>(
    ['undefined'],
    ['set'],
    ['map'],
    ['Error'],
    ['regexp'],
    ['number'],
    [['class', 'User']],
    ['Date', {}],
  ),
  json,
)
const path = fc.array(fc.oneof(key, fc.constantFrom('0', '1')), { maxLength: 4 }).map((keys) => keys.join('.'))
/** Values of `meta`, with valid and invalid tags. */
export const meta = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.record({ serialization: fc.record({ values: fc.dictionary(path, tag, { maxKeys: 2, noNullPrototype: true }) }) }),
  fc.record({ serialization: json }),
  json,
)

/** Returns a copy with one value replaced. `at` is the index of the value in depth-first order. */
export function replaceOne(json: unknown, at: number, value: unknown): unknown {
  const count = (node: unknown): number =>
    typeof node === 'object' && node !== null
      ? Object.values(node).reduce<number>((sum, part) => sum + count(part), 1)
      : 1
  let left = at % count(json)
  const copy = (node: unknown): unknown => {
    if (left-- === 0) return value
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, copy(part)]))
  }
  return copy(json)
}
