import fc from 'fast-check'

import type { Model } from '../../../runtime/schema/model.js'
import { Arguments, type Pool } from '../../rpc/arbitrary.js'
import {
  type Data,
  arbitraryData,
  delegatesOf,
  type Row,
  type Tenants,
  TENANTS,
  withoutForeignKeys,
} from './tenants.js'

const OPERATIONS = ['findMany', 'findFirst', 'findUnique', 'count', 'aggregate', 'groupBy'] as const
/** Queries per data set. Writing a data set is slower than a query. */
const QUERIES = 24

/** A call that reads. */
export interface Query {
  /** Name of the model. */
  readonly name: string
  readonly operation: string
  readonly args: Row
}

/** Generates a data set of tenants with queries that use its values. */
export function arbitraryQueries(db: Tenants): fc.Arbitrary<[Data, Query[]]> {
  return arbitraryData.chain((data) => {
    const args = new Arguments(poolOf(data), db.provider)
    const query = fc
      .constantFrom(...TENANTS.values())
      .chain((model) => fc.tuple(fc.constant(model), fc.constantFrom(...OPERATIONS)))
      .chain(([model, operation]) =>
        args
          .read(model, operation)
          .map((input) => ({ name: model.name, operation, args: ordered(model, operation, input) })),
      )
    return fc.tuple(fc.constant(data), fc.array(query, { minLength: QUERIES, maxLength: QUERIES }))
  })
}

function poolOf(data: Data): Pool {
  const { labelled, ...models } = data
  void labelled
  return new Map(
    Object.entries(models).map(([model, rows]) => {
      const fields = [...(TENANTS.get(model)?.fields.keys() ?? [])]
      return [model, new Map(fields.map((field) => [field, rows.map((row: Row) => row[field] ?? null)]))]
    }),
  )
}

export function modelOf(name: string): Model {
  const model = TENANTS.get(name)
  if (!model) throw new Error(`There is no ${name}.`)
  return model
}

/** Appends the id to every order, because databases return rows of equal order in any order. */
function ordered(model: Model, operation: string, args: Row): Row {
  const result: Record<string, unknown> = { ...args }
  for (const key of ['select', 'include']) {
    const chosen = args[key]
    if (typeof chosen !== 'object' || chosen === null) continue
    result[key] = Object.fromEntries(
      Object.entries(chosen).map(([name, value]: [string, unknown]) => {
        // Without policies, `_count: true` would also count hidden rows.
        if (name === '_count' && value === true) return [name, { select: countable(model) }]
        const relation = model.relations.get(name)
        if (!relation) return [name, value]
        const inner = ordered(
          relation.target,
          relation.many ? 'findMany' : '',
          typeof value === 'object' ? { ...value } : {},
        )
        return [name, Object.keys(inner).length > 0 ? inner : true]
      }),
    )
  }
  if (['findMany', 'findFirst', 'count', 'aggregate'].includes(operation)) {
    const order = Array.isArray(args['orderBy']) ? args['orderBy'] : args['orderBy'] ? [args['orderBy']] : []
    const ids = model.uniques.get(model.id) ?? []
    result['orderBy'] = [...order, ...ids.map((field) => ({ [field]: 'asc' }))]
  }
  return result
}

function countable(model: Model): Row {
  const names = [...model.relations].filter(([, { many }]) => many).map(([name]) => name)
  return Object.fromEntries(names.map((name) => [name, true]))
}

/** Deletes all rows except those that match every filter of their model, without foreign key checks. */
export async function deleteTheRest(db: Tenants, left: Readonly<Record<string, readonly Row[]>>): Promise<void> {
  const statements: string[] = []
  for (const [name, filters] of Object.entries(left)) {
    const model = TENANTS.get(name)
    const fields = model?.uniques.get(model.id) ?? []
    const find = async (where: Row): Promise<Row[]> => {
      const found = await delegatesOf(db.orm)[model?.delegate ?? '']?.['findMany']?.({ where })
      return Array.isArray(found) ? found : []
    }
    const key = (row: Row) => fields.map((field) => `"${field}" = ${Number(row[field])}`).join(' AND ')
    let keys = new Set((await find({})).map(key))
    const all = [...keys]
    for (const where of filters) {
      const meet = new Set((await find(where)).map(key))
      keys = new Set([...keys].filter((one) => meet.has(one)))
    }
    statements.push(...all.filter((one) => !keys.has(one)).map((one) => `DELETE FROM "${name}" WHERE ${one}`))
  }
  // The join table of labels and projects.
  statements.push('DELETE FROM "_LabelToProject" WHERE "A" NOT IN (SELECT "id" FROM "Label")')
  statements.push('DELETE FROM "_LabelToProject" WHERE "B" NOT IN (SELECT "id" FROM "Project")')
  await withoutForeignKeys(db, statements)
}

/** Whether the order depends on related rows. If some of these are unreadable, databases and policies order differently. */
export function isByRelated({ name, operation, args }: Query): boolean {
  const orders = [args['orderBy']].flat().flatMap((order) => Object.keys(order ?? {}))
  const relations = orders.map((key) => modelOf(name).relations.get(key))
  return operation === 'findMany' && relations.some((relation) => relation && !relation.many)
}

export interface Outcome {
  readonly result?: unknown
  readonly error?: string
}

export async function outcome(work: () => Promise<unknown> | undefined): Promise<Outcome> {
  try {
    return { result: await work() }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Copies arguments, so that the client cannot change the generated case. */
export function copyOf<T>(args: T): T {
  if (Array.isArray(args)) return args.map(copyOf) as T
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)])) as T
}
