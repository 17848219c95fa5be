import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureRpc } from '../rpc/client.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

function rules(define: (builder: ReturnType<typeof abilityBuilder>) => void): AppAbility {
  const builder = abilityBuilder()
  define(builder)
  return builder.build()
}

describeDatabases(
  'policy: field rule on a to-many relation',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })
    const clientFor = (ability: AppAbility) => db.orm.$extends(withPolicies(ability))
    const restFor = (ability: AppAbility) => fixtureClient({ orm: clientFor(ability), routes: db.routes })

    const never = rules(({ can, cannot }) => {
      can('manage', 'all')
      cannot('read', 'Project', ['documents'])
    })
    const some = rules(({ can, cannot }) => {
      can('manage', 'all')
      cannot('read', 'Project', ['documents'], { id: 3 })
    })

    it('omits the members from includes in both styles', async () => {
      const { data }: { data?: unknown } = (
        await fixtureRpc(db, {}, clientFor(never)).call('project', 'findUnique', {
          where: { id: 3 },
          include: { documents: true },
        })
      ).body
      expect(data).not.toHaveProperty('documents')
      const { status, one, body } = await restFor(never).get('/project/3?include=documents')
      expect([status, one.relationships?.['documents']?.data, body.included]).toEqual([200, undefined, []])
    })

    it('rejects its URLs with 403', async () => {
      const rest = restFor(never)
      for (const path of ['/project/3/documents', '/project/3/relationships/documents', '/project/3/documents/3']) {
        const { status, errors } = await rest.get(path)
        expect([status, errors[0]?.detail], path).toEqual([403, '"documents" of this resource is not readable.'])
      }
      const change = { data: { type: 'document', attributes: { title: 'x' } } }
      expect((await rest.patch('/project/3/documents/3', change)).status).toBe(403)
      expect((await rest.delete('/project/3/documents/3')).status).toBe(403)
      expect((await rest.get('/project/99/documents')).status).toBe(404)
      expect((await rest.get('/document/3')).status).toBe(200)
    })

    it('applies to each row separately', async () => {
      const rest = restFor(some)
      expect((await rest.get('/project/3/documents')).status).toBe(403)
      expect((await rest.get('/project/1/documents')).ids).toEqual(['1'])
      const { many } = await rest.get('/project?include=documents')
      expect(many.map(({ id, relationships }) => [id, Array.isArray(relationships?.['documents']?.data)])).toEqual([
        ['1', true],
        ['2', true],
        ['3', false],
        ['4', true],
      ])
    })

    it('applies to more rows than one query can name', async () => {
      await db.orm.project.createMany({
        data: Array.from({ length: 1_100 }, (_, index) => ({
          key: `n${index}`,
          name: 'one of many',
          organisationId: 1,
        })),
      })
      const many = rules(({ can, cannot }) => {
        can('manage', 'all')
        cannot('read', 'Project', ['assignments'], { id: 1 })
      })
      const { status, body } = await restFor(many).get('/organisation/1?include=projects.assignments')
      expect(status).toBe(200)
      const projects = (body.included ?? []).filter(({ type }) => type === 'project')
      expect(projects).toHaveLength(1_102)
      const hidden = projects.filter(({ relationships }) => relationships?.['assignments']?.data === undefined)
      expect(hidden.map(({ id }) => id)).toEqual(['1'])
    })

    it('runs no additional queries without such a rule', async () => {
      const open = rules(({ can }) => can('manage', 'all'))
      const plain = await db.queriesOf(() => fixtureClient(db).get('/project?include=documents'))
      expect(await db.queriesOf(() => restFor(open).get('/project?include=documents'))).toHaveLength(plain.length)
    })
  },
  { fixture: 'tenants' },
)

describeDatabases(
  'policy: list sorted by a field unreadable on some rows',
  (db) => {
    it('counts only the listed rows in total', async () => {
      await db.fill(fillTenants)
      const ability = rules(({ can, cannot }) => {
        can('manage', 'all')
        cannot('read', 'Document', ['views'])
        can('read', 'Document', ['views'], { id: { lt: 4 } })
      })
      const rest = fixtureClient({ orm: db.orm.$extends(withPolicies(ability)), routes: db.routes })
      const whole = await rest.get('/document?sort=views')
      const page = await rest.get('/document?sort=views&page[limit]=1')
      expect([whole.ids.length, whole.body.meta?.['total'], page.body.meta?.['total']]).toEqual([3, 3, 3])
      const members = await rest.get('/project/3/documents?sort=views&page[limit]=1')
      expect(members.body.meta?.['total']).toBe(1)
    })
  },
  { fixture: 'tenants' },
)
