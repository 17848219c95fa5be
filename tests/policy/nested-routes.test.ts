import { beforeEach, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient, type RestClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { betaAbility, fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: nested routes',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.fill(fillTenants)
      rest = fixtureClient({ orm: db.orm.$extends(withPolicies(betaAbility())), routes: db.routes })
    })

    const title = { data: { type: 'document', attributes: { title: 'taken' } } }

    it('responds with 404 to unreadable rows and rows of unreadable owners', async () => {
      for (const path of ['/project/1/documents/1', '/member/1/documents/4', '/label/1/documents/3']) {
        expect((await rest.get(path)).status, path).toBe(404)
        expect((await rest.patch(path, title)).status, path).toBe(404)
        expect((await rest.delete(path)).status, path).toBe(404)
      }
      expect(await db.orm.document.count({ where: { title: { not: 'taken' } } })).toBe(4)
      expect(
        (await rest.patch('/project/4/parent', { data: { type: 'project', attributes: { name: 'taken' } } })).status,
      ).toBe(404)
    })

    it('reads and writes permitted rows', async () => {
      expect((await rest.get('/project/3/documents/3')).one.id).toBe('3')
      expect((await rest.patch('/project/3/documents/3', title)).one.attributes?.['title']).toBe('taken')
      expect((await rest.delete('/document/3/comments/3_1')).status).toBe(204)
    })

    it('rejects a POST to an unreadable owner like to a missing one', async () => {
      const body = { data: { type: 'comment', attributes: { seq: 9, body: 'mine' } } }
      const [hidden, missing] = [
        await rest.post('/document/1/comments', body),
        await rest.post('/document/99/comments', body),
      ]
      expect([hidden.status, hidden.errors[0]?.detail]).toEqual([missing.status, missing.errors[0]?.detail])
      expect(hidden.status).toBeGreaterThanOrEqual(403)
      expect(hidden.status).toBeLessThanOrEqual(404)
      expect(await db.orm.comment.count()).toBe(4)
      expect((await rest.post('/document/3/comments', body)).status).toBe(201)
      const label = {
        data: {
          type: 'label',
          attributes: { name: 'fresh' },
          relationships: { organisation: { data: { type: 'organisation', id: '2' } } },
        },
      }
      const foreign = await rest.post('/document/1/labels', label)
      expect(foreign.status).toBe((await rest.post('/document/99/labels', label)).status)
      expect(await db.orm.label.count()).toBe(3)
    })
  },
  { fixture: 'tenants' },
)
