import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { RULE_MODES } from './support/rule-modes.js'
import { fillWorkspace } from './support/workspace.js'

/** Creates a barrier: callers wait until all of them have arrived. */
function meeting(callers: number): () => Promise<void> {
  let missing = callers
  let go: () => void = () => undefined
  const all = new Promise<void>((resolve) => (go = resolve))
  return async () => {
    missing -= 1
    if (missing <= 0) go()
    // A caller that waits for a lock of another never arrives, so the others continue after a timeout.
    await Promise.race([all, new Promise((later) => setTimeout(later, 300))])
  }
}

describeDatabases(
  'hooks: concurrent writes of one row',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    /** Increments a counter in the title based on the row that the hook receives, and records committed values. */
    const counting = (meet: () => Promise<void>) => {
      const committed: unknown[] = []
      const hooks: AppHooks = {
        Document: {
          update: {
            async before({ data, row }) {
              await meet()
              return { ...data, title: `${row.title}+` }
            },
            afterCommit: ({ before, row }) => void committed.push([before.title, row.title]),
          },
        },
      }
      return { hooks: defineHooks(hooks), committed }
    }

    it('keeps both updates of a Float and a Decimal', async () => {
      const first = await db.orm.attachment.update({ where: { id: 1 }, data: { price: 100, weight: 0.3 } })
      const meet = meeting(2)
      const hooks: AppHooks = {
        Attachment: {
          update: {
            async before({ data, row }) {
              await meet()
              return { ...data, price: Number(row.price) - 40, weight: (row.weight ?? 0) + 0.1 }
            },
          },
        },
      }
      const rest = fixtureClient(db, { hooks: defineHooks(hooks) })
      const body = { data: { type: 'attachment', id: '1', attributes: { size: 7 } } }
      const responses = await Promise.all([rest.patch('/attachment/1', body), rest.patch('/attachment/1', body)])
      expect(responses.map(({ status }) => status)).toEqual([200, 200])
      const last = await db.orm.attachment.findUniqueOrThrow({ where: { id: 1 } })
      expect(Number(last.price)).toBe(20)
      expect(last.weight).toBeCloseTo((first.weight ?? 0) + 0.2)
    })

    for (const [rules, make] of RULE_MODES) {
      it(`${rules}: keeps both updates and passes committed rows to afterCommit`, async () => {
        const { hooks, committed } = counting(meeting(2))
        const orm = make(db.orm)
        const rest = fixtureClient({ orm, routes: db.routes }, { hooks })
        const body = { data: { type: 'document', id: '1', attributes: { state: 'busy' } } }
        const responses = await Promise.all([rest.patch('/document/1', body), rest.patch('/document/1', body)])
        expect(responses.map(({ status }) => status)).toEqual([200, 200])
        expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({ title: 'One++' })
        expect(committed).toEqual([
          ['One', 'One+'],
          ['One+', 'One++'],
        ])
      })

      it(`${rules}: keeps both updates of a bulk and a nested write`, async () => {
        const { hooks, committed } = counting(meeting(2))
        const rpc = fixtureRpc(db, { hooks }, make(db.orm))
        const responses = await Promise.all([
          rpc.call('document', 'updateMany', { where: { teamId: 1 }, data: { state: 'busy' } }),
          rpc.call('folder', 'update', {
            where: { id: 1 },
            data: { documents: { update: { where: { id: 1 }, data: { state: 'done' } } } },
          }),
        ])
        expect(responses.map(({ status }) => status)).toEqual([200, 200])
        expect(await db.orm.document.findMany({ where: { teamId: 1 }, orderBy: { id: 'asc' } })).toMatchObject([
          { title: 'One++' },
          { title: 'Two+' },
        ])
        expect(committed).toHaveLength(3)
      })
    }

    it('calls the hooks that match the outcome of an update and a delete', async () => {
      const events: string[] = []
      const meet = meeting(2)
      const hooks: AppHooks = {
        Attachment: {
          update: {
            async before({ data }) {
              await meet()
              return data
            },
            afterCommit: () => void events.push('update'),
          },
          delete: {
            before: () => meet(),
            afterCommit: ({ row }) => void events.push(`delete ${row.name}`),
          },
        },
      }
      const rest = fixtureClient(db, { hooks: defineHooks(hooks) })
      const body = { data: { type: 'attachment', id: '1', attributes: { name: 'x' } } }
      const [changed, deleted] = await Promise.all([rest.patch('/attachment/1', body), rest.delete('/attachment/1')])
      expect(deleted.status).toBe(204)
      expect([200, 404]).toContain(changed.status)
      expect(events).toEqual(changed.status === 200 ? ['update', 'delete x'] : ['delete a.pdf'])
    })

    it('calls afterCommit once per concurrent upsert', async () => {
      const events: string[] = []
      const meet = meeting(2)
      const hooks: AppHooks = {
        Person: {
          create: {
            async before({ data }) {
              await meet()
              return data
            },
            after: ({ row }) => void events.push(`created ${row.email}`),
            afterCommit: ({ row }) => void events.push(`create ${row.email}`),
          },
          update: { afterCommit: ({ row }) => void events.push(`update ${row.email}`) },
        },
      }
      const rpc = fixtureRpc(db, { hooks: defineHooks(hooks) })
      const args = { where: { email: 'new' }, create: { email: 'new', teamId: 1 }, update: { teamId: 2 } }
      const responses = await Promise.all([rpc.call('person', 'upsert', args), rpc.call('person', 'upsert', args)])
      expect(responses.map(({ status }) => status)).toEqual([200, 200])
      expect(events).toEqual(['created new', 'create new', 'update new'])
      const rest = fixtureClient(db, { hooks: defineHooks(hooks) })
      events.length = 0
      const body = {
        data: { type: 'person', attributes: { email: 'other', teamId: 1 } },
        meta: { operation: 'upsert', matchFields: ['email'] },
      }
      const both = await Promise.all([rest.post('/person', body), rest.post('/person', body)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201])
      expect(events.filter((one) => !one.startsWith('created'))).toEqual(['create other', 'update other'])
    })
  },
  { fixture: 'workspace', concurrent: true },
)
