import { beforeEach, expect, it } from 'vitest'

import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { policed } from './support/rule-modes.js'
import { expectCalls } from './support/hook-events.js'
import { fillWorkspace, recorder, type Workspace } from './support/workspace.js'

type Orm = Workspace['orm']

describeDatabases(
  'hooks: client with other extensions',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    it('calls hooks once per row with extensions before or after policies', async () => {
      const calls: string[] = []
      const noted = (orm: Orm) =>
        orm.$extends({
          query: {
            $allModels: {
              $allOperations({ model, operation, args, query }) {
                calls.push(`${model}.${operation}`)
                return query(args)
              },
            },
          },
        }) as unknown as Orm
      const ofTeam = (orm: Orm) =>
        policed(orm, ({ can }) => {
          can('read', 'all')
          can('manage', ['Document', 'Comment'], { id: { gt: 0 } })
          can('update', 'Folder')
        })
      const data = {
        title: 'x',
        comments: { create: { text: 'x' }, deleteMany: { id: 1 } },
        folder: { update: { name: 'x' } },
      }
      const computed = (orm: Orm) =>
        orm.$extends({
          result: { document: { loud: { needs: { title: true }, compute: ({ title }) => `${title}!` } } },
        }) as unknown as Orm
      for (const orm of [ofTeam(noted(db.orm)), noted(ofTeam(db.orm)), computed(noted(ofTeam(computed(db.orm))))]) {
        calls.length = 0
        await db.fill(fillWorkspace)
        const recorded = recorder()
        const first = await dumpOf(db.orm)
        const { call } = fixtureRpc(db, { hooks: recorded.hooks }, orm)
        expect(await call('document', 'update', { where: { id: 1 }, data })).toMatchObject({ status: 200 })
        const second = await dumpOf(db.orm)
        expectCalls(recorded.calls, first, second)
        expect(differences(first, second)).toHaveLength(4)
        expect(calls).toContain('Comment.create')
        // A denied write changes no rows, including those of its nested writes.
        const labels = { title: 'y', labels: { update: { where: { id: 1 }, data: { name: 'x' } } } }
        expect(await call('document', 'update', { where: { id: 1 }, data: labels })).toMatchObject({ status: 403 })
        expect(differences(second, await dumpOf(db.orm))).toEqual([])
      }
    })
  },
  { fixture: 'workspace' },
)
