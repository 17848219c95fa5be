import fc from 'fast-check'

import type { Model } from '../../../runtime/schema/schema.js'
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
/** Many of each system: writing one costs more than a query. */
const QUERIES = 24

/** A call that reads. */
export interface Query {
  /** The model's. */
  readonly name: string
  readonly operation: string
  readonly args: Row
}

/** A system of tenants, and calls that are made of what it holds. */
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

/** Ends every order with the id: rows that are equal in order come as the database likes. */
function ordered(model: Model, operation: string, args: Row): Row {
  const result: Record<string, unknown> = { ...args }
  for (const key of ['select', 'include']) {
    const chosen = args[key]
    if (typeof chosen !== 'object' || chosen === null) continue
    result[key] = Object.fromEntries(
      Object.entries(chosen).map(([name, value]: [string, unknown]) => {
        // Without policies that would count hidden rows as well.
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

/** Deletes all rows but those that meet every filter of their model, without a look at foreign keys. */
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
  // The table between labels and projects, whose rows go with both.
  statements.push('DELETE FROM "_LabelToProject" WHERE "A" NOT IN (SELECT "id" FROM "Label")')
  statements.push('DELETE FROM "_LabelToProject" WHERE "B" NOT IN (SELECT "id" FROM "Project")')
  await withoutForeignKeys(db, statements)
}

/** Whether rows are found in the order of related rows: where some of these may not be read, databases differ in it from policies. */
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

/** The client keeps what it is given; a copy keeps the case as it was. */
export function copyOf<T>(args: T): T {
  if (Array.isArray(args)) return args.map(copyOf) as T
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)])) as T
}
