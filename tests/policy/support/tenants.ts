import fc from 'fast-check'

import { assignmentResource } from '../../../fixtures/tenants/expected/assignment/resource.js'
import { commentResource } from '../../../fixtures/tenants/expected/comment/resource.js'
import { documentResource } from '../../../fixtures/tenants/expected/document/resource.js'
import { labelResource } from '../../../fixtures/tenants/expected/label/resource.js'
import { memberResource } from '../../../fixtures/tenants/expected/member/resource.js'
import { organisationResource } from '../../../fixtures/tenants/expected/organisation/resource.js'
import { projectResource } from '../../../fixtures/tenants/expected/project/resource.js'
import { secretResource } from '../../../fixtures/tenants/expected/secret/resource.js'
import { compileSchema } from '../../../runtime/schema/compile-schema.js'
import type { Database } from '../../support/databases.js'

export type Tenants = Database<'tenants'>

export const RESOURCES = [
  assignmentResource,
  commentResource,
  documentResource,
  labelResource,
  memberResource,
  organisationResource,
  projectResource,
  secretResource,
]

/** The models of the tenants, as the routes see them. */
export const TENANTS = compileSchema(RESOURCES)

/** A row or arguments. */
export type Row = Readonly<Record<string, unknown>>

export function isRow(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Rows by model, in an order in which they can be inserted. */
export interface Data {
  readonly Organisation: readonly Row[]
  readonly Member: readonly Row[]
  readonly Project: readonly Row[]
  readonly Assignment: readonly Row[]
  readonly Document: readonly Row[]
  readonly Comment: readonly Row[]
  readonly Label: readonly Row[]
  readonly Secret: readonly Row[]
  /** Label → project. */
  readonly labelled: readonly (readonly [label: number, project: number])[]
}

type Delegates = Record<string, Record<string, (args?: unknown) => Promise<unknown>>>

/** Returns a client's delegates by model name. */
export function delegatesOf(orm: unknown): Delegates {
  return orm as Delegates
}

const COUNT = 5
const id = fc.integer({ min: 1, max: COUNT })
const maybeId = fc.option(id, { freq: 2 })
const word = fc.constantFrom('a', 'b', 'c', 'd')
const maybeWord = fc.option(word, { freq: 2 })

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const rows = (of: (id: number) => fc.Arbitrary<Row>) => fc.tuple(...ids(COUNT).map(of))

/** A small data set of several tenants, with references across tenants and with nulls. */
export const arbitraryData: fc.Arbitrary<Data> = fc.record({
  Organisation: rows((id) =>
    fc.record({ id: fc.constant(id), slug: fc.constant(`o${id}`), name: word, plan: maybeWord }),
  ),
  Member: rows((rowId) =>
    fc.record({
      id: fc.constant(rowId),
      email: fc.constant(`m${rowId}`),
      name: maybeWord,
      role: fc.constantFrom('OWNER', 'MEMBER', 'GUEST'),
      salary: fc.option(fc.integer({ min: 0, max: 3 })),
      organisationId: id,
    }),
  ),
  Project: rows((rowId) =>
    fc.record({
      id: fc.constant(rowId),
      key: fc.constant(`p${rowId}`),
      name: word,
      organisationId: id,
      parentId: rowId === 1 ? fc.constant(null) : fc.option(fc.integer({ min: 1, max: rowId - 1 })),
    }),
  ),
  Assignment: fc.uniqueArray(
    fc.record({ projectId: id, memberId: id, hours: fc.option(fc.integer({ min: 0, max: 3 })) }),
    { maxLength: 8, selector: (row) => `${row.projectId} ${row.memberId}` },
  ),
  Document: rows((rowId) =>
    fc.record({
      id: fc.constant(rowId),
      title: word,
      body: maybeWord,
      visibility: fc.constantFrom('PRIVATE', 'SHARED', 'PUBLIC'),
      views: fc.integer({ min: 0, max: 3 }),
      projectId: id,
      authorId: id,
      reviewerId: maybeId,
    }),
  ),
  Comment: fc.uniqueArray(
    fc.record({
      documentId: id,
      seq: fc.integer({ min: 1, max: 3 }),
      body: word,
      isHidden: fc.option(fc.boolean(), { freq: 2 }),
      authorId: maybeId,
    }),
    { maxLength: 10, selector: (row) => `${row.documentId} ${row.seq}` },
  ),
  Label: rows((rowId) =>
    fc.record({ id: fc.constant(rowId), name: fc.constant(`l${rowId}`), organisationId: maybeId }),
  ),
  Secret: fc.uniqueArray(fc.record({ value: word, documentId: maybeId }), {
    maxLength: 4,
    selector: (row) => row.documentId ?? -Math.random(),
  }),
  labelled: fc.uniqueArray(fc.tuple(id, id), { maxLength: 8, selector: (pair) => pair.join() }),
})

/** Inserts a data set into an empty database. */
export async function insert({ orm, execute }: Pick<Tenants, 'orm' | 'execute'>, data: Data): Promise<void> {
  const delegates = delegatesOf(orm)
  const { labelled, ...models } = data
  for (const [model, all] of Object.entries(models)) {
    await delegates[TENANTS.get(model)?.delegate ?? '']?.['createMany']?.({ data: all })
  }
  const pairs = labelled.map(([label, project]) => `(${label}, ${project})`)
  if (pairs.length > 0) await execute(`INSERT INTO "_LabelToProject" ("A", "B") VALUES ${pairs.join(', ')}`)
}

/** Runs SQL with foreign key checks disabled. */
export async function withoutForeignKeys(db: Tenants, sql: readonly string[]): Promise<void> {
  if (sql.length === 0) return
  const [off, on] =
    db.provider === 'sqlite'
      ? ['PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON']
      : ["SET session_replication_role = 'replica'", "SET session_replication_role = 'origin'"]
  await db.execute([off, ...sql, on].join(';\n'))
}
