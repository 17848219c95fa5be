import { beforeAll, expect, it } from 'vitest'

import { RULE_MODES } from '../hooks/support/rule-modes.js'
import { fillWorkspace, recorder, type Workspace } from '../hooks/support/workspace.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

type Orm = Workspace['orm']

/** Adds a query extension of the app to a client, such as a log or a tracer. */
function traced(orm: Orm): Orm {
  const extension = { query: { $allModels: { $allOperations: ({ args, query }: Call) => query(args) } } }
  return orm.$extends(extension as object) as unknown as Orm
}

interface Call {
  readonly args: object
  query(args: object): Promise<unknown>
}

const CONCURRENT = Array.from({ length: 6 }, (_, index) => `${index}`)

describeDatabases(
  'concurrent upserts under query extensions',
  (db) => {
    beforeAll(async () => {
      await db.fill(fillWorkspace)
    })

    const rest = (email: string, orm: Orm, options: object) => {
      const { post } = fixtureClient({ orm, routes: db.routes }, options)
      return (password: string) =>
        post('/person', {
          data: {
            type: 'person',
            attributes: { email, password },
            relationships: { team: { data: { type: 'team', id: '1' } } },
          },
          meta: { operation: 'upsert', matchFields: ['email'] },
        })
    }
    // With a relation, so that Prisma first reads the row and then writes it.
    const rpc = (email: string, orm: Orm, options: object) => {
      const { call } = fixtureRpc(db, options, orm)
      const team = { connect: { id: 1 } }
      return (password: string) =>
        call('person', 'upsert', {
          where: { email },
          create: { email, password, team },
          update: { password, team },
        })
    }

    const cases = RULE_MODES.filter(([rules]) => rules !== 'rules without conditions').flatMap(([rules, make]) =>
      [false, true]
        .flatMap((hasHooks) =>
          [
            { style: 'REST', upsert: rest, created: 201 },
            { style: 'RPC', upsert: rpc, created: 200 },
          ].flatMap((each) => [
            { ...each, hasHooks, position: 'inside', orm: () => make(traced(db.orm)) },
            { ...each, hasHooks, position: 'outside', orm: () => traced(make(db.orm)) },
          ]),
        )
        .map((each) => ({
          ...each,
          name: `${each.style}, ${rules}${each.hasHooks ? ' and hooks' : ''}, extension ${each.position}`,
        })),
    )
    it.each(cases.map((each) => [each.name, each] as const))(
      '%s: creates the row once and updates it otherwise',
      async (_name, each) => {
        const email = `${each.name}@red`
        const { calls: events, hooks } = recorder()
        const send = each.upsert(email, each.orm(), each.hasHooks ? { hooks } : {})
        const unsorted = await Promise.all(CONCURRENT.map(async (password) => (await send(password)).status))
        const statuses = unsorted.toSorted()
        expect(statuses).toEqual([...CONCURRENT.slice(1).map(() => 200), each.created])
        expect(await db.orm.person.count({ where: { email } })).toBe(1)
        const committed = events.map(({ hook }) => hook).filter((hook) => hook.endsWith('afterCommit'))
        const updates = CONCURRENT.slice(1).map(() => 'Person.update.afterCommit')
        expect(committed.toSorted()).toEqual(each.hasHooks ? ['Person.create.afterCommit', ...updates] : [])
      },
    )
  },
  { fixture: 'workspace' },
)
