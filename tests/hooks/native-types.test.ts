import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { AbilityBuilder, createMongoAbility } from '@casl/ability'
import { beforeAll, expect, it } from 'vitest'

import { createHooks, type Hooks } from '../../runtime/hooks/index.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { createPolicies } from '../../runtime/policy/index.js'
import type { Resource } from '../../runtime/schema/resource.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { fixtureClient } from '../rest/support/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { NATIVE_VALUES } from './support/native-values.js'

type Row = Readonly<Record<string, unknown>>

describeDatabases(
  'hooks: native types',
  (db) => {
    let resource: Resource
    beforeAll(async () => {
      const path = join(preparedFixture('native-types', db.provider).folder, 'expected/cell/resource.ts')
      resource = (await import(pathToFileURL(path).href)).cellResource
      if (db.provider !== 'postgresql') return
      await db.execute('CREATE EXTENSION citext; ALTER TABLE "Cell" ALTER COLUMN "citext" TYPE citext')
    })

    const client = (options: object = {}, orm: unknown = db.orm) => fixtureClient({ orm, routes: db.routes }, options)
    const keyed = () => ({ idempotency: idempotency({ model: 'idempotencyKey', scope: () => 'one' }) })
    const find = async (id: number): Promise<Row> => db.orm.cell.findUniqueOrThrow({ where: { id } })
    const cell = (id: string | undefined, attributes: object) => ({
      data: { type: 'cell', ...(id && { id }), attributes },
    })
    const create = async (attributes: object): Promise<string> =>
      (await client().post('/cell', cell(undefined, attributes))).one.id ?? ''

    /** Hooks that record the rows that they receive. */
    const recording = (rows: Row[]): Hooks => {
      const record = ({ row }: { readonly row: Row }) => void rows.push(row)
      return createHooks([resource])({
        Cell: {
          update: {
            before({ data, row }: { readonly data: Row; readonly row: Row }) {
              rows.push(row)
              return data
            },
          },
          delete: { before: record },
        },
      })
    }

    for (const [column, values] of Object.entries(NATIVE_VALUES[db.provider])) {
      it(`${column}: works with idempotency keys, preconditions, rules, cursors and hooks`, async () => {
        const ids: string[] = []
        for (const [index, value] of values.entries()) {
          const key = { 'Idempotency-Key': `"${column} ${index}"` }
          const body = cell(undefined, { name: column, [column]: value })
          const created = await client(keyed()).post('/cell', body, key)
          const again = await client(keyed()).post('/cell', body, key)
          expect([created.status, created.one.attributes?.[column]]).toEqual([201, value])
          expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([created.text, 'true'])
          const { id = '' } = created.one
          ids.push(id)
          const url = `/cell/${id}`
          const change = cell(id, { name: column })

          const match = { 'If-Match': (await client().get(url)).headers.get('etag') ?? '' }
          expect((await client().patch(url, change, match)).status).toBe(200)
          expect((await client().patch(url, change, match)).status).toBe(412)

          const stored = (await find(Number(id)))[column]
          if (isComparable(resource, column)) {
            const rule = { [column]: { equals: stored } }
            for (const [met, status] of [
              [rule, 200],
              [{ NOT: rule }, 404],
            ] as const) {
              const ruled = client({}, underRule(db, resource, met))
              expect([met, (await ruled.get(url)).status]).toEqual([met, status])
              expect([met, (await ruled.patch(url, change)).status]).toEqual([met, status])
            }
          }

          const rows: Row[] = []
          const hooked = client({ hooks: recording(rows) })
          const before = await find(Number(id))
          expect((await hooked.patch(url, change)).status).toBe(200)
          expect(rows).toEqual([before])
        }

        const pages: string[] = []
        const list = `/cell?filter[name]=${column}&sort=${column}`
        let page = await client().get(`${list}&page[size]=1&page[after]=`)
        expect(page.status).toBe(isPageable(resource, column) ? 200 : 400)
        for (; page.status === 200; page = await client().follow(page.body.links?.next)) {
          pages.push(...page.ids)
          if (!page.body.links?.next) break
        }
        if (isPageable(resource, column)) expect(pages).toEqual((await client().get(list)).ids)

        const rows: Row[] = []
        for (const id of ids) {
          expect((await client({ hooks: recording(rows) }).delete(`/cell/${id}`)).status).toBe(204)
        }
        expect(rows.map((row) => String(row['id']))).toEqual(ids)
      })
    }

    it.runIf(db.concurrent)('passes hooks the row that another transaction has just committed', async () => {
      const columns = Object.entries(NATIVE_VALUES[db.provider])
      const [first, last] = [0, -1].map((at) => Object.fromEntries(columns.map(([name, of]) => [name, of.at(at)])))
      const target = await create({ name: 'last', ...last })
      const { id: _, name: __, version: ___, ...committed } = await find(Number(target))
      const requests = [
        (id: string, rows: Row[]) => client({ hooks: recording(rows) }).patch(`/cell/${id}`, cell(id, { name: 'x' })),
        (id: string, rows: Row[]) => client({ hooks: recording(rows) }).delete(`/cell/${id}`),
      ]
      for (const request of requests) {
        const id = await create({ name: 'first', ...first })
        const rows: Row[] = []
        const pending = await db.orm.$transaction(async (tx) => {
          await tx.cell.update({ where: { id: Number(id) }, data: { name: 'held', ...committed } })
          const sent = request(id, rows)
          await new Promise((later) => setTimeout(later, 60))
          return { sent }
        })
        expect((await pending.sent).status).toBeLessThan(300)
        expect(rows).toEqual([{ ...committed, id: Number(id), name: 'held', version: 1 }])
      }
    })
  },
  { fixture: 'native-types', only: ['SQLite', 'PostgreSQL', 'MySQL'] },
)

/** A client under a rule that allows everything on rows that meet a condition. */
function underRule(db: Database<'native-types'>, resource: Resource, condition: object): unknown {
  const { can, build } = new AbilityBuilder(createMongoAbility)
  can('manage', 'Cell', condition)
  return createPolicies([resource])(build())(db.orm)
}

/** PostgreSQL does not compare `xml`, and MySQL does not compare `BIT(12)` with bytes in a write. */
const UNCOMPARED: readonly string[] = ['xml', 'bits']

/** Whether a database finds a row by the exact value that the client reads. */
function isComparable({ fields }: Resource, column: string): boolean {
  const field = fields[column]
  return field !== undefined && field.type !== 'Json' && !field.inexact && !UNCOMPARED.includes(column)
}

/** Whether a cursor can point between rows in the order of a column. */
function isPageable({ fields }: Resource, column: string): boolean {
  const field = fields[column]
  return (
    field !== undefined &&
    isComparable({ fields } as Resource, column) &&
    !field.list &&
    !['Bytes', 'Enum'].includes(field.type)
  )
}
