import fc from 'fast-check'

import type { Model, ModelRelation } from '../../runtime/schema/schema.js'
import { validQuery } from '../../tests/rest/support/arbitrary-requests.js'
import { Arguments, BLOG, type Pool } from '../../tests/rpc/arbitrary.js'
import type { TestRequest } from './types.js'

/** A text that no row contains, so that no search can stop early. */
const NOWHERE = 'zzz'
/** A text that few rows contain, so that a page is full only after a full scan, and is then counted. */
const SELDOM = '9999'

/** Maximum path length. One more than the default limit, to check that the limit is enforced. */
const LONGEST = 3

interface Reached {
  /** The relations of the path. */
  readonly path: readonly { readonly name: string; readonly relation: ModelRelation }[]
  readonly target: Model
}

/** Yields all paths of relations from a model. */
function* reachedFrom(model: Model, path: Reached['path'] = []): Iterable<Reached> {
  yield { path, target: model }
  if (path.length === LONGEST) return
  for (const [name, relation] of model.relations) yield* reachedFrom(relation.target, [...path, { name, relation }])
}

/** Returns the text column of a model that probably has the longest values. */
function textOf({ fields }: Model): string | undefined {
  const names = [...fields].filter(([, field]) => field.type === 'String' && !field.writeOnly).map(([name]) => name)
  return ['content', 'body', 'bio', 'email', 'name'].find((name) => names.includes(name))
}

function numberOf({ fields }: Model): string | undefined {
  return ['viewCount', 'seq', 'id'].find((name) => fields.has(name))
}

const rest = (path: string): TestRequest => ({ style: 'rest', method: 'GET', path })
const rpc = (model: Model, operation: string, args: object): TestRequest => {
  return { style: 'rpc', method: 'POST', path: `/${model.name.toLowerCase()}/${operation}`, body: JSON.stringify(args) }
}

const listOf = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text}${at}`)

/** Yields families of requests, each sorted by cost. The most expensive one within the limits counts. */
export function* families(): Iterable<readonly TestRequest[]> {
  for (const model of BLOG.values()) {
    for (const { path, target } of reachedFrom(model)) {
      const at = path.map(({ name }) => `[${name}]`).join('')
      const type = model.name.toLowerCase()
      const text = textOf(target)
      const number = numberOf(target)
      const sorted = `sort=-${[...model.fields.keys()].find((name) => name === 'createdAt' || name === 'updatedAt') ?? 'id'}`
      if (text) {
        yield [1, 2, 3, 4].map((count) =>
          rest(`/${type}?filter${at}[${text}$icontains]=${listOf(count, NOWHERE).join(',')}`),
        )
        yield [1, 2, 3, 4].map((count) =>
          rest(
            `/${type}?filter${at}[${text}$icontains]=${[SELDOM, ...listOf(count - 1, NOWHERE)].join(',')}&${sorted}`,
          ),
        )
        yield [1, 5, 8, 10].map((count) =>
          rest(`/${type}?filter${at}[${text}$contains]=${listOf(count, NOWHERE).join(',')}`),
        )
        const none = { [text]: { contains: NOWHERE } }
        yield [rpc(model, 'count', { where: around(path, none, 'some') })]
        yield [rpc(model, 'count', { where: around(path, { NOT: none }, 'every') })]
        yield [rpc(model, 'count', { where: around(path, none, 'none') })]
      }
      if (number) {
        yield [1, 10, 50, 100].map((count) =>
          rest(`/${type}?filter${at}[${number}$lt]=${Array.from({ length: count }, (_, n) => -n).join(',')}`),
        )
      }
    }
    yield* others(model)
  }
}

/** Yields requests without filters: sorting, counts, groups and many rows. */
function* others(model: Model): Iterable<readonly TestRequest[]> {
  const one = [...model.relations].filter(([, { many }]) => !many).map(([name]) => name)
  const many = [...model.relations].filter(([, relation]) => relation.many).map(([name]) => name)
  const id = (name: string) => ({
    [name]: { [model.relations.get(name)?.target.uniques.keys().next().value ?? 'id']: 'asc' },
  })
  for (const count of [1, 5, 20]) {
    yield [
      rpc(model, 'findMany', {
        take: 100,
        orderBy: Array.from({ length: count }, (_, at) => one.at(at % (one.length || 1))).flatMap((name) =>
          name ? [id(name)] : [],
        ),
      }),
    ]
  }
  yield many.map((_, at) =>
    rpc(model, 'findMany', {
      take: 10,
      orderBy: many.slice(0, at + 1).map((name) => ({ [name]: { _count: 'desc' } })),
    }),
  )
  yield [1000, 10_000].map((take) => rpc(model, 'findMany', { take, select: { _count: true } }))
  yield [1000, 10_000].map((take) =>
    rpc(model, 'findMany', { take, include: Object.fromEntries(one.map((name) => [name, true])) }),
  )
  yield [1, 5, 100].map((take) =>
    rpc(model, 'findMany', { take, include: Object.fromEntries([...one, ...many].map((name) => [name, true])) }),
  )
  const text = textOf(model)
  if (text) {
    yield [rpc(model, 'groupBy', { by: [text], take: 10, orderBy: { [text]: 'desc' } })]
    yield [rpc(model, 'findMany', { take: 10, distinct: [text] })]
    yield [rpc(model, 'findMany', { take: 10_000, where: { NOT: { [text]: { contains: NOWHERE } } } })]
  }
  yield [rest(`/${model.name.toLowerCase()}?page[limit]=1000&include=${[...one, ...many].join(',')}`)]
  yield [rest(`/${model.name.toLowerCase()}?page[offset]=900000`)]
}

function around(path: Reached['path'], inner: object, quantifier: string): object {
  return path.reduceRight<object>(
    (below, { name, relation }) => ({ [name]: { [relation.many ? quantifier : 'is']: below } }),
    inner,
  )
}

/** Returns requests of all shapes from the property tests' generators. */
export function generated(count: number, seed: number): readonly TestRequest[] {
  const pool: Pool = new Map(
    [...BLOG.values()].map(({ name, fields }) => [
      name,
      new Map([...fields].map(([field, { type, values }]): [string, unknown[]] => [field, valuesOf(type, values)])),
    ]),
  )
  const args = new Arguments(pool, 'sqlite')
  const reads = fc
    .tuple(fc.constantFrom(...BLOG.values()), fc.constantFrom('findMany', 'findFirst', 'count', 'aggregate', 'groupBy'))
    .chain(([model, operation]) => args.read(model, operation).map((input) => rpc(model, operation, input)))
  const lists = fc
    .tuple(validQuery, fc.constantFrom('/post', '/user/2/posts', '/category/1/posts', '/tag/tag1/posts'))
    .map(([query, path]) => rest(`${path}?${new URLSearchParams(query)}`))
  return fc.sample(fc.oneof(reads, lists), { numRuns: count, seed })
}

function valuesOf(type: string, values: readonly string[] = []): unknown[] {
  if (type === 'Enum') return [...values]
  if (type === 'String') return [NOWHERE, SELDOM, 'tag1']
  if (type === 'DateTime') return ['2020-06-01T00:00:00.000Z']
  return type === 'Bytes' || type === 'Json' || type === 'Decimal' ? [] : [0, 1, 5000]
}
