import { PrismaPg } from '@prisma/adapter-pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { policed } from '../hooks/support/rule-modes.js'
import { fillWorkspace, recorder, type Workspace } from '../hooks/support/workspace.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import type { Fixtures } from '../support/fixtures.js'

type Orm = Workspace['orm']

describeDatabases(
  'operations: pool of one connection',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const clients: Orm[] = []
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.$disconnect()
    })

    const open = (orm: Orm) =>
      policed(orm, ({ can }) => {
        can('manage', 'all')
        can('read', 'Document', { id: { gt: 0 } })
        can('update', 'Document', { teamId: 1 })
      })

    it.each([
      ['without extensions', (orm: Orm) => orm, {}],
      ['with policies', open, {}],
      ['with hooks', (orm: Orm) => orm, { hooks: recorder().hooks }],
      ['with both', open, { hooks: recorder().hooks }],
    ])('%s: handles concurrent requests without a second connection', async (_, make, options) => {
      // Every client has the same shape as the blog's, with other models.
      const { PrismaClient } = db.client as unknown as Fixtures['blog']['client']
      const [row] = await db.orm.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
      const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '')
      url.pathname = row?.name ?? ''
      const orm = new PrismaClient({ adapter: new PrismaPg({ connectionString: url.href, max: 1 }) })
      clients.push(orm as unknown as Orm)
      const client = make(orm as unknown as Orm)
      const rest = fixtureClient({ orm: client, routes: db.routes }, options)
      const { call } = fixtureRpc(db, options, client)
      const team = { team: { data: { type: 'team', id: '1' } } }
      const linkage = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'label', id })) })
      const person = (name: string) => ({
        data: { type: 'person', attributes: { email: 'one@red', password: name }, relationships: team },
        meta: { operation: 'upsert', matchFields: ['email'] },
      })
      const works = Array.from({ length: 5 }, (_, n) => [
        rest.get('/document?include=labels,comments.author'),
        rest.post('/attachment?include=document.labels', {
          data: {
            type: 'attachment',
            attributes: { name: `${n}` },
            relationships: { document: { data: { type: 'document', id: '1' } } },
          },
        }),
        rest.patch('/document/1/relationships/labels', linkage(n % 2 ? '1' : '2')),
        rest.patch('/document/1?include=labels', {
          data: { type: 'document', id: '1', attributes: { title: `${n}` }, relationships: { labels: linkage('2') } },
        }),
        rest.post('/person', person(`${n}`)),
        call('document', 'update', {
          where: { id: 2 },
          data: { comments: { create: { text: `${n}` } }, labels: { set: [{ id: 1 }] } },
          include: { comments: { include: { author: true } }, labels: true },
        }),
      ])
      const responses = await Promise.all(works.flat())
      expect(responses.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    })
  },
  { fixture: 'workspace', only: ['PostgreSQL'] },
)
