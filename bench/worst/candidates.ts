import fc from 'fast-check'

import type { Model, ModelRelation } from '../../runtime/schema/model.js'
import { validQuery } from '../../tests/rest/support/arbitrary-requests.js'
import { Arguments, BLOG, type Pool } from '../../tests/rpc/arbitrary.js'
import type { TestRequest } from './types.js'

/** A text that no row contains, so that no search can stop early. */
const ABSENT_TEXT = 'zzz'
/** A text that few rows contain, so that a page is full only after a full scan, and is then counted. */
const RARE_TEXT = '9999'

/** The id of the row that has the most related rows, for each model with a single id. */
const FIRST_IDS: Readonly<Record<string, number | string>> = { User: 1, Post: 1, Category: 1, Tag: 'tag1' }

/** Maximum path length. One more than the default limit, to check that the limit is enforced. */
const MAX_PATH_LENGTH = 3

interface RelationPath {
  /** The relations of the path. */
  readonly path: readonly { readonly name: string; readonly relation: ModelRelation }[]
  readonly target: Model
}

/** Yields all paths of relations from a model. */
function* findPaths(model: Model, path: RelationPath['path'] = []): Iterable<RelationPath> {
  yield { path, target: model }
  if (path.length === MAX_PATH_LENGTH) return
  for (const [name, relation] of model.relations) yield* findPaths(relation.target, [...path, { name, relation }])
}

/** Returns the text column of a model that probably has the longest values. */
function findTextField({ fields }: Model): string | undefined {
  const names = [...fields].filter(([, field]) => field.type === 'String' && !field.writeOnly).map(([name]) => name)
  return ['content', 'body', 'bio', 'email', 'name'].find((name) => names.includes(name))
}

function findNumberField({ fields }: Model): string | undefined {
  return ['viewCount', 'seq', 'id'].find((name) => fields.has(name))
}

const rest = (path: string): TestRequest => ({ style: 'rest', method: 'GET', path })
const rpc = (model: Model, operation: string, args: object): TestRequest => {
  return { style: 'rpc', method: 'POST', path: `/${model.name.toLowerCase()}/${operation}`, body: JSON.stringify(args) }
}

const createList = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text}${at}`)

/** Yields families of requests, each sorted by cost. The most expensive one within the limits counts. */
export function* families(): Iterable<readonly TestRequest[]> {
  for (const model of BLOG.values()) {
    for (const { path, target } of findPaths(model)) {
      const pathText = path.map(({ name }) => `[${name}]`).join('')
      const type = model.name.toLowerCase()
      const text = findTextField(target)
      const number = findNumberField(target)
      const sorted = `sort=-${[...model.fields.keys()].find((name) => name === 'createdAt' || name === 'updatedAt') ?? 'id'}`
      if (text) {
        yield [1, 2, 3, 4].map((count) =>
          rest(`/${type}?filter${pathText}[${text}$icontains]=${createList(count, ABSENT_TEXT).join(',')}`),
        )
        yield [1, 2, 3, 4].map((count) =>
          rest(
            `/${type}?filter${pathText}[${text}$icontains]=${[RARE_TEXT, ...createList(count - 1, ABSENT_TEXT)].join(',')}&${sorted}`,
          ),
        )
        yield [1, 5, 8, 10].map((count) =>
          rest(`/${type}?filter${pathText}[${text}$contains]=${createList(count, ABSENT_TEXT).join(',')}`),
        )
        const none = { [text]: { contains: ABSENT_TEXT } }
        yield [rpc(model, 'count', { where: wrapInPath(path, none, 'some') })]
        yield [rpc(model, 'count', { where: wrapInPath(path, { NOT: none }, 'every') })]
        yield [rpc(model, 'count', { where: wrapInPath(path, none, 'none') })]
      }
      if (number) {
        yield [1, 10, 50, 100].map((count) =>
          rest(`/${type}?filter${pathText}[${number}$lt]=${Array.from({ length: count }, (_, n) => -n).join(',')}`),
        )
      }
    }
    yield* otherFamilies(model)
    yield* featureFamilies(model)
    yield* relatedFamilies(model)
    yield* writeFamilies(model)
  }
}

/** Yields requests without filters: sorting, counts, groups and many rows. */
function* otherFamilies(model: Model): Iterable<readonly TestRequest[]> {
  const toOne = [...model.relations].filter(([, { many }]) => !many).map(([name]) => name)
  const toMany = [...model.relations].filter(([, relation]) => relation.many).map(([name]) => name)
  const id = (name: string) => ({
    [name]: { [model.relations.get(name)?.target.uniques.keys().next().value ?? 'id']: 'asc' },
  })
  for (const count of [1, 5, 20]) {
    yield [
      rpc(model, 'findMany', {
        take: 100,
        orderBy: Array.from({ length: count }, (_, at) => toOne.at(at % (toOne.length || 1))).flatMap((name) =>
          name ? [id(name)] : [],
        ),
      }),
    ]
  }
  yield toMany.map((_, at) =>
    rpc(model, 'findMany', {
      take: 10,
      orderBy: toMany.slice(0, at + 1).map((name) => ({ [name]: { _count: 'desc' } })),
    }),
  )
  yield [1000, 10_000].map((take) => rpc(model, 'findMany', { take, select: { _count: true } }))
  yield [1000, 10_000].map((take) =>
    rpc(model, 'findMany', { take, include: Object.fromEntries(toOne.map((name) => [name, true])) }),
  )
  yield [1, 5, 100].map((take) =>
    rpc(model, 'findMany', { take, include: Object.fromEntries([...toOne, ...toMany].map((name) => [name, true])) }),
  )
  const text = findTextField(model)
  if (text) {
    yield [rpc(model, 'groupBy', { by: [text], take: 10, orderBy: { [text]: 'desc' } })]
    yield [rpc(model, 'findMany', { take: 10, distinct: [text] })]
    yield [rpc(model, 'findMany', { take: 10_000, where: { NOT: { [text]: { contains: ABSENT_TEXT } } } })]
  }
  yield [rest(`/${model.name.toLowerCase()}?page[limit]=1000&include=${[...toOne, ...toMany].join(',')}`)]
  yield [rest(`/${model.name.toLowerCase()}?page[offset]=900000`)]
}

/** Yields requests that use features: cursors, expressions, included lists, related counts, transactions and atomic operations. */
function* featureFamilies(model: Model): Iterable<readonly TestRequest[]> {
  const type = model.name.toLowerCase()
  const text = findTextField(model)
  const toOne = [...model.relations].filter(([, { many }]) => !many)
  const toMany = [...model.relations].filter(([, { many }]) => many)
  for (const [name, { target }] of toOne) {
    const field = findTextField(target)
    if (field) yield [rest(`/${type}?page[after]=&page[size]=1000&sort=-${name}.${field}`)]
  }
  for (const [name, { target }] of toMany) {
    const field = findTextField(target)
    yield [1, 10, 100, 1000].map((limit) =>
      rest(`/${type}?page[limit]=${limit}&page[total]=none&include=${name}&includePage[${name}][limit]=5`),
    )
    if (!field) continue
    yield [1, 10, 100].map((limit) =>
      rest(`/${type}?page[limit]=${limit}&include=${name}&includeFilter[${name}][${field}$icontains]=${ABSENT_TEXT}`),
    )
    yield [rest(`/${type}?filter=not(has(${name},contains(${field},'${ABSENT_TEXT}')))`)]
  }
  if (toMany.length > 0) {
    const counts = toMany.map(([name]) => name).join(',')
    yield [100, 1000].map((limit) => rest(`/${type}?page[limit]=${limit}&page[total]=none&relatedCount=${counts}`))
  }
  const filters = [{}, ...(text ? [{ [text]: { contains: ABSENT_TEXT } }] : [])]
  for (const where of filters) {
    yield [1, 2, 5, 10, 14, 100].map((count) => {
      const operation = { model: model.name, op: 'count', args: { where } }
      const body = JSON.stringify(Array.from({ length: count }, () => operation))
      return { style: 'rpc', method: 'POST', path: '/$transaction/sequential', body }
    })
  }
  const id = FIRST_IDS[model.name]
  if (id === undefined) return
  // Each operation responds with the complete row.
  const update = { op: 'update', data: { type, id: String(id), attributes: {} } }
  yield [1, 10, 100].map((count) => {
    const body = JSON.stringify({ 'atomic:operations': Array.from({ length: count }, () => update) })
    return { style: 'rest', method: 'POST', path: '/operations', body }
  })
}

/** Yields requests for the related rows of the row that has the most of them. */
function* relatedFamilies(model: Model): Iterable<readonly TestRequest[]> {
  const id = FIRST_IDS[model.name]
  for (const [name, { many, target }] of model.relations) {
    const text = findTextField(target)
    if (!many || !text || id === undefined) continue
    const collection = `/${model.name.toLowerCase()}/${id}/${name}`
    yield [1, 2, 3, 4].map((count) =>
      rest(`${collection}?filter[${text}$icontains]=${createList(count, ABSENT_TEXT).join(',')}`),
    )
    for (const [next, relation] of target.relations) {
      const field = findTextField(relation.target)
      if (field) yield [rest(`${collection}?filter[${next}][${field}$icontains]=${ABSENT_TEXT}&sort=-${text}`)]
      yield [rest(`${collection}?page[limit]=1000&include=${next}`)]
    }
  }
}

/** Yields writes that find rows with expensive conditions and do not change any. */
function* writeFamilies(model: Model): Iterable<readonly TestRequest[]> {
  const text = findTextField(model)
  if (!text) return
  const data = { [text]: text === 'email' ? 'zzz@example.com' : ABSENT_TEXT }
  for (const { path, target } of findPaths(model)) {
    const field = findTextField(target)
    if (!field || path.length === 0) continue
    const where = wrapInPath(path, { [field]: { contains: ABSENT_TEXT } }, 'some')
    yield [{ ...rpc(model, 'updateMany', { where, data }), method: 'PATCH' }]
    const query = new URLSearchParams({ q: JSON.stringify({ where }) })
    yield [{ style: 'rpc', method: 'DELETE', path: `/${model.name.toLowerCase()}/deleteMany?${query}` }]
  }
  const id = FIRST_IDS[model.name]
  if (id === undefined) return
  for (const [name, { many, target }] of model.relations) {
    const field = findTextField(target)
    if (!many || !field) continue
    const where = { [field]: { contains: ABSENT_TEXT } }
    const write = { updateMany: { where, data: { [field]: ABSENT_TEXT } }, deleteMany: where }
    const key = model.uniques.get(model.id)?.[0] ?? 'id'
    yield [{ ...rpc(model, 'update', { where: { [key]: id }, data: { [name]: write } }), method: 'PATCH' }]
  }
}

function wrapInPath(path: RelationPath['path'], inner: object, quantifier: string): object {
  return path.reduceRight<object>(
    (nested, { name, relation }) => ({ [name]: { [relation.many ? quantifier : 'is']: nested } }),
    inner,
  )
}

/** Returns requests of all shapes from the property tests' generators. */
export function generated(count: number, seed: number): readonly TestRequest[] {
  const pool: Pool = new Map(
    [...BLOG.values()].map(({ name, fields }) => [
      name,
      new Map(
        [...fields].map(([field, { type, values }]): [string, unknown[]] => [field, exampleValues(type, values)]),
      ),
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

function exampleValues(type: string, values: readonly string[] = []): unknown[] {
  if (type === 'Enum') return [...values]
  if (type === 'String') return [ABSENT_TEXT, RARE_TEXT, 'tag1']
  if (type === 'DateTime') return ['2020-06-01T00:00:00.000Z']
  return type === 'Bytes' || type === 'Json' || type === 'Decimal' ? [] : [0, 1, 5000]
}
