import fc from 'fast-check'

import { categoryResource } from '../../fixtures/blog/expected/category/resource.js'
import { commentResource } from '../../fixtures/blog/expected/comment/resource.js'
import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { profileResource } from '../../fixtures/blog/expected/profile/resource.js'
import { tagResource } from '../../fixtures/blog/expected/tag/resource.js'
import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import type { Field, Relation } from '../../runtime/schema/resource.js'
import { compileSchema } from '../../runtime/schema/compile-schema.js'
import type { Model } from '../../runtime/schema/model.js'
import type { Database } from '../support/databases.js'
import { Once } from './lazy-arbitraries.js'

/** The blog's models, as the routes see them. */
export const BLOG = compileSchema([
  categoryResource,
  commentResource,
  postResource,
  profileResource,
  tagResource,
  userResource,
])

/** Values in the database, so that generated filters match rows: model → field → values. */
export type Pool = ReadonlyMap<string, ReadonlyMap<string, readonly unknown[]>>

type Args = fc.Arbitrary<Record<string, unknown>>

/** Loads the values in the database. */
export async function poolOf(db: Pick<Database, 'orm'>): Promise<Pool> {
  const rows: Record<string, readonly object[]> = {
    User: await db.orm.user.findMany(),
    Profile: await db.orm.profile.findMany(),
    Post: await db.orm.post.findMany(),
    Comment: await db.orm.comment.findMany(),
    Category: await db.orm.category.findMany(),
    Tag: await db.orm.tag.findMany(),
  }
  return new Map(Object.entries(rows).map(([model, all]) => [model, valuesByField(all)]))
}

/** Returns the values of rows by field. */
export function valuesByField(rows: readonly object[]): Map<string, unknown[]> {
  const byField = new Map<string, unknown[]>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) byField.set(name, [...(byField.get(name) ?? []), value])
  }
  return byField
}

/** Generates arguments that both the Prisma client and the routes accept. */
export class Arguments {
  readonly #pool: Pool
  readonly #provider: Database['provider']

  readonly #ordered: boolean
  readonly #once = new Once()

  /** @param ordered whether every list has an order. MySQL returns unordered rows in any order. */
  constructor(pool: Pool, provider: Database['provider'], ordered = provider === 'mysql') {
    this.#pool = pool
    this.#provider = provider
    this.#ordered = ordered
  }

  /** Returns the arguments of an operation that reads. */
  read(model: Model, operation: string): Args {
    return this.#once.of(model, operation, () => this.#read(model, operation))
  }

  #read(model: Model, operation: string): Args {
    const window = {
      where: this.where(model, 2),
      orderBy: this.orderBy(model),
      cursor: this.unique(model),
      take: fc.integer({ min: -6, max: 12 }),
      skip: fc.integer({ min: 0, max: 3 }),
    }
    switch (operation) {
      case 'findUnique':
      case 'findUniqueOrThrow':
        // The routes limit the lists of one row, and the client orders limited lists.
        return fc
          .tuple(this.unique(model), new Arguments(this.#pool, this.#provider, true).selection(model, 2))
          .map(([where, selection]) => ({ where, ...selection }))
      case 'count':
        return this.#window({ ...window, select: this.counted(model) })
      case 'aggregate':
        return fc
          .tuple(this.#window(window), this.aggregates(model))
          .filter(([, aggregates]) => Object.keys(aggregates).length > 0)
          .map(([args, aggregates]) => ({ ...args, ...aggregates }))
      case 'groupBy':
        return this.groupBy(model)
      default: {
        // `findFirst` takes one row at most.
        const take = operation === 'findMany' ? window.take : fc.constantFrom(-1, 1)
        return fc
          .tuple(this.#window({ ...window, take, distinct: this.fieldNames(model) }), this.selection(model, 2))
          .map(([args, selection]) => ({ ...args, ...selection }))
      }
    }
  }

  #window(members: Record<string, fc.Arbitrary<unknown>>): Args {
    return this.#ordered ? fc.record(members, { requiredKeys: ['orderBy'] }) : some(members)
  }

  where(model: Model, depth: number): Args {
    return this.#once.of(model, `where ${depth}`, () => this.#where(model, depth))
  }

  #where(model: Model, depth: number): Args {
    const members: Record<string, fc.Arbitrary<unknown>> = {}
    for (const [name, field] of readable(model)) members[name] = this.filter(model, name, field)
    if (depth > 0) {
      const inner = this.where(model, depth - 1)
      members['AND'] = fc.oneof(inner, fc.array(inner, { maxLength: 2 }))
      members['OR'] = fc.array(inner, { maxLength: 3 })
      members['NOT'] = fc.oneof(inner, fc.array(inner, { maxLength: 2 }))
      for (const [name, relation] of model.relations) members[name] = this.relationFilter(relation, depth - 1)
    }
    return few(members, 2)
  }

  unique(model: Model): Args {
    const criteria = [...model.uniques].map(([name, fields]): Args => {
      const [first] = fields
      if (fields.length === 1 && first !== undefined) return fc.record({ [name]: this.value(model, first) })
      return fc.record({
        [name]: fc.record(Object.fromEntries(fields.map((field) => [field, this.value(model, field)]))),
      })
    })
    return fc.oneof(...criteria)
  }

  selection(model: Model, depth: number): Args {
    return this.#once.of(model, `selection ${depth}`, () => this.#selection(model, depth))
  }

  #selection(model: Model, depth: number): Args {
    const fields = [...readable(model)].map(([name]) => name)
    const relations = depth > 0 ? this.#relations(model, depth) : {}
    const booleans = Object.fromEntries(fields.map((name) => [name, fc.constant(true)]))
    const select = few({ ...booleans, ...relations }, 4, 1)
    const choices: Args[] = [fc.constant({}), fc.record({ select }), fc.record({ omit: few(booleans, 2) })]
    if (depth > 0) choices.push(fc.record({ include: few(relations, 2, 1) }))
    return fc.oneof(...choices)
  }

  filter(model: Model, name: string, field: Field): fc.Arbitrary<unknown> {
    const value = this.value(model, name)
    if (field.list) {
      // For lists, also single elements of existing lists.
      const filled = value.filter((list) => Array.isArray(list) && list.length > 0)
      const one = filled.map((list) => (Array.isArray(list) ? (list[0] as unknown) : list))
      return few({ equals: value, has: one, hasEvery: filled, hasSome: value, isEmpty: fc.boolean() }, 2)
    }
    const nullable = field.optional ? fc.oneof(value, fc.constant(null)) : value
    if (field.type === 'Json') return fc.record({ equals: value })
    if (field.type === 'Boolean') return fc.oneof(value, some({ equals: nullable, not: nullable }))
    const list = fc.array(value, { maxLength: 4 })
    const equality = { equals: nullable, in: list, notIn: list, not: nullable }
    if (field.type === 'Enum' || field.type === 'Bytes') return fc.oneof(nullable, few(equality, 2))
    const order = { lt: value, lte: value, gt: value, gte: value }
    const part = value.map((text) => String(text).slice(0, 3))
    const text = field.type === 'String' ? { contains: part, startsWith: part, endsWith: part } : {}
    const operators = few({ ...equality, ...order, ...text }, 2)
    return fc.oneof(nullable, operators, fc.record({ not: operators }))
  }

  /** Returns a value that the field has or could have in the database. */
  value(model: Model, name: string): fc.Arbitrary<unknown> {
    const existing = (this.#pool.get(model.name)?.get(name) ?? []).filter((value) => value !== null)
    return existing.length > 0 ? fc.constantFrom(...existing) : fc.constant(0)
  }

  orderBy(model: Model): fc.Arbitrary<unknown> {
    const direction = fc.constantFrom('asc', 'desc')
    const orders: Args[] = [...readable(model)]
      .filter(([, field]) => field.type !== 'Json')
      .map(([name, field]) =>
        fc.record({
          [name]: field.optional
            ? fc.oneof(direction, fc.record({ sort: direction, nulls: fc.constantFrom('first', 'last') }))
            : direction,
        }),
      )
    for (const [name, relation] of model.relations) {
      const [id] = relation.target.uniques.get(relation.target.id) ?? []
      if (relation.many) orders.push(fc.record({ [name]: fc.record({ _count: direction }) }))
      else if (id !== undefined) orders.push(fc.record({ [name]: fc.record({ [id]: direction }) }))
    }
    const [first, ...others] = orders.filter((_, at) => at < 20)
    if (!first) throw new Error(`${model.name} has nothing to order by.`)
    const one = fc.oneof(first, ...others)
    if (!this.#ordered) return fc.oneof(one, fc.array(one, { maxLength: 2 }))
    // MySQL has no NULLS FIRST, and returns rows of equal order in any order.
    const fields = model.uniques.get(model.id) ?? []
    return fc
      .array(one, { maxLength: 2 })
      .filter((order) => !JSON.stringify(order).includes('nulls'))
      .map((order) => [...order, ...fields.map((name) => ({ [name]: 'asc' }))])
  }

  fieldNames(model: Model): fc.Arbitrary<unknown> {
    const names = [...readable(model)].filter(([, field]) => field.type !== 'Json').map(([name]) => name)
    return fc.oneof(
      fc.constantFrom(...names),
      fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
    )
  }

  counted(model: Model): fc.Arbitrary<unknown> {
    const names = ['_all', ...[...readable(model)].map(([name]) => name)]
    const fields = few(Object.fromEntries(names.map((name) => [name, fc.constant(true)])), 3, 1)
    return fc.oneof(fc.constant(true), fields)
  }

  aggregates(model: Model): Args {
    const of = (types: readonly string[]): Args | undefined => {
      const names = [...readable(model)].filter(([, field]) => types.includes(field.type)).map(([name]) => name)
      if (names.length === 0) return undefined
      const fields = few(Object.fromEntries(names.map((name) => [name, fc.constant(true)])), 3, 1)
      return fields
    }
    const numbers = of(['Int', 'BigInt', 'Float', 'Decimal'])
    const ordered = of(['Int', 'BigInt', 'Float', 'Decimal', 'String', 'DateTime'])
    return some({
      _count: this.counted(model),
      ...(numbers && { _avg: numbers, _sum: numbers }),
      ...(ordered && { _min: ordered, _max: ordered }),
    })
  }

  groupBy(model: Model): Args {
    const names = [...readable(model)].filter(([, field]) => field.type !== 'Json').map(([name]) => name)
    const direction = fc.constantFrom('asc', 'desc')
    const having = fc.record({ _count: fc.record({ gte: fc.integer({ min: 0, max: 3 }) }) })
    return fc
      .tuple(
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
        some({ where: this.where(model, 1) }),
        this.aggregates(model),
        direction,
        fc.option(having, { nil: undefined }),
        fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      )
      .map(([by, args, aggregates, direction, having, take]) => ({
        by,
        ...args,
        ...aggregates,
        orderBy: by.map((name) => ({ [name]: direction })),
        ...(having && { having: { [by[0] ?? '']: having } }),
        ...(take !== undefined && { take }),
      }))
  }

  #relations(model: Model, depth: number): Record<string, fc.Arbitrary<unknown>> {
    const relations: Record<string, fc.Arbitrary<unknown>> = {}
    const counts: Record<string, fc.Arbitrary<unknown>> = {}
    for (const [name, relation] of model.relations) {
      const { target } = relation
      const window = relation.many
        ? this.#window({
            where: this.where(target, 1),
            orderBy: this.orderBy(target),
            take: fc.integer({ min: -3, max: 5 }),
            skip: fc.integer({ min: 0, max: 2 }),
          })
        : fc.constant({})
      const args = fc
        .tuple(window, this.selection(target, depth - 1))
        .map(([window, selected]) => ({ ...window, ...selected }))
      relations[name] = this.#ordered && relation.many ? args : fc.oneof(fc.constant(true), args)
      if (relation.many) counts[name] = fc.oneof(fc.constant(true), fc.record({ where: this.where(target, 1) }))
    }
    if (Object.keys(counts).length > 0) {
      const select = few(counts, 2, 1)
      relations['_count'] = fc.oneof(fc.constant(true), fc.record({ select }))
    }
    return relations
  }

  relationFilter(relation: Relation & { readonly target: Model }, depth: number): fc.Arbitrary<unknown> {
    const inner = this.where(relation.target, depth)
    if (relation.many) return few({ some: inner, every: inner, none: inner }, 1)
    const nullable = relation.optional ? fc.oneof(inner, fc.constant(null)) : inner
    return fc.oneof(nullable, few({ is: nullable, isNot: nullable }, 1))
  }
}

function readable(model: Model): Iterable<[string, Field]> {
  return [...model.fields].filter(([, field]) => !field.writeOnly)
}

/** An object with some of the members. */
function some(members: Record<string, fc.Arbitrary<unknown>>): Args {
  return fc.record(members, { requiredKeys: [] })
}

/** An object with at least `min` and at most `max` of the members. */
function few(members: Record<string, fc.Arbitrary<unknown>>, max: number, min = 0): Args {
  const names = Object.keys(members)
  if (names.length === 0) return fc.constant({})
  return fc
    .uniqueArray(fc.constantFrom(...names), { minLength: min, maxLength: max })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, members[name] ?? fc.constant(true)]))))
}
