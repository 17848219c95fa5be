import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

type Work = () => Promise<unknown>

describeDatabases(
  'policy: concurrent change between check and write',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    const rules = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
      const builder = abilityBuilder()
      define(builder)
      return builder.build()
    }

    /** A client under rules. Another transaction commits just before the client's first write. */
    const raced = (ability: AppAbility, other: Work) => {
      let isDone = false
      const slow = db.orm.$extends({
        query: {
          $allModels: {
            async $allOperations({ operation, args, query, ...call }) {
              // The call itself passes first. Its flat writes run inside its transaction.
              const isInside = '__internalParams' in call && Reflect.get(Object(call.__internalParams), 'transaction')
              if (isInside && !isDone && /^(update|delete)/.test(operation)) {
                isDone = true
                await other()
              }
              return query(args)
            },
          },
        },
      })
      return slow.$extends(withPolicies(ability) as never) as unknown as typeof db.orm
    }
    const drafts = rules(({ can }) => {
      can('read', 'all')
      can(['update', 'delete'], 'Document', { visibility: 'PRIVATE' })
      can('update', 'Member')
    })
    const finish = () => db.orm.document.update({ where: { id: 3 }, data: { visibility: 'PUBLIC' } })
    const body = { data: { type: 'document', attributes: { title: 'x', visibility: 'PRIVATE' } } }

    it('rejects an update with 403 if the row no longer meets the rule', async () => {
      const response = await fixtureClient({ orm: raced(drafts, finish), routes: db.routes }).patch('/document/3', body)
      expect(response.status).toBe(403)
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({
        title: 'beta doc',
        visibility: 'PUBLIC',
      })
    })

    it('rejects a delete with 403 if the row no longer meets the rule', async () => {
      const rest = fixtureClient({ orm: raced(drafts, finish), routes: db.routes })
      await db.orm.secret.deleteMany()
      expect((await rest.delete('/document/3')).status).toBe(403)
      expect(await db.orm.document.count({ where: { id: 3 } })).toBe(1)
    })

    it('responds with 404 if the row is no longer readable', async () => {
      const privateRules = rules(({ can }) => {
        can('read', 'Document', { visibility: 'PRIVATE' })
        can('update', 'Document')
      })
      const hide = () => db.orm.document.update({ where: { id: 3 }, data: { visibility: 'PUBLIC' } })
      const response = await fixtureClient({ orm: raced(privateRules, hide), routes: db.routes }).patch(
        '/document/3',
        body,
      )
      expect(response.status).toBe(404)
    })

    it('rejects with P2025 if the row no longer meets the condition of the caller', async () => {
      const orm = raced(drafts, () => db.orm.document.update({ where: { id: 3 }, data: { views: 9 } }))
      const write = orm.document.update({ where: { id: 3, views: 1 }, data: { title: 'x' } })
      await expect(write).rejects.toMatchObject({ code: 'P2025' })
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc', views: 9 })
    })

    it('connects and disconnects a member only if it still matches', async () => {
      const rest = fixtureClient({ orm: raced(drafts, finish), routes: db.routes })
      const members = { data: [{ type: 'document', id: '3' }] }
      expect((await rest.post('/member/4/relationships/documents', members)).status).toBe(403)
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ authorId: 3 })
      const move = () => db.orm.document.update({ where: { id: 3 }, data: { reviewerId: 2, visibility: 'PRIVATE' } })
      await db.orm.document.update({ where: { id: 3 }, data: { visibility: 'PRIVATE' } })
      const other = fixtureClient({ orm: raced(drafts, move), routes: db.routes })
      await other.delete('/member/4/relationships/reviews', members)
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ reviewerId: 2 })
    })

    it('rejects a join table link with 403 if either row no longer matches', async () => {
      const ability = rules(({ can }) => {
        can('read', 'all')
        can('update', 'Document', { visibility: 'PRIVATE' })
        can('update', 'Label', { organisationId: null })
      })
      const claim = () => db.orm.label.update({ where: { id: 3 }, data: { organisationId: 1 } })
      const labels = { data: [{ type: 'label', id: '3' }] }
      for (const other of [claim, finish]) {
        const rest = fixtureClient({ orm: raced(ability, other), routes: db.routes })
        expect((await rest.post('/document/3/relationships/labels', labels)).status).toBe(403)
        expect(await db.orm.label.count({ where: { id: 3, documents: { some: {} } } })).toBe(0)
        await db.orm.label.update({ where: { id: 3 }, data: { organisationId: null } })
      }
    })
  },
  { fixture: 'tenants', concurrent: true },
)
