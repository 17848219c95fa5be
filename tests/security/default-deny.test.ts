import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { delegatesOf, TENANTS } from '../policy/support/tenants.js'
import { fillTenants } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { type Attack, callerOf, rpc } from './requests-of-both-styles.js'

/** A model, its first row, and the data of a new row. */
type ModelSample = readonly [type: string, id: string, where: object, data: Readonly<Record<string, unknown>>]

const MODELS: readonly ModelSample[] = [
  ['assignment', '1_1', { projectId_memberId: { projectId: 1, memberId: 1 } }, { projectId: 2, memberId: 2, hours: 1 }],
  ['comment', '1_1', { documentId_seq: { documentId: 1, seq: 1 } }, { documentId: 1, seq: 9, body: 'n' }],
  ['document', '1', { id: 1 }, { title: 'n', projectId: 1, authorId: 1 }],
  ['label', '1', { id: 1 }, { name: 'n' }],
  ['member', '1', { id: 1 }, { email: 'n', organisationId: 1 }],
  ['organisation', '1', { id: 1 }, { slug: 'n', name: 'n' }],
  ['project', '1', { id: 1 }, { key: 'n', name: 'n', organisationId: 1 }],
  ['secret', '1', { id: 1 }, { value: 'n' }],
]

const AUDIT: ModelSample = ['audit', '1', { id: 1 }, { what: 'n', organisationId: 1 }]

/** Returns requests to every route of a model. They would succeed with permissive rules. */
function routesOf([type, id, where, data]: ModelSample, relations: Iterable<string>): readonly Attack[] {
  const by = Object.keys(data).slice(0, 1)
  const resource = { data: { type, attributes: data } }
  return [
    ['rest', 'GET', `/${type}`],
    ['rest', 'GET', `/${type}/${id}`],
    ['rest', 'POST', `/${type}`, resource],
    ['rest', 'PATCH', `/${type}/${id}`, resource],
    ['rest', 'DELETE', `/${type}/${id}`],
    ...[...relations].flatMap((relation): Attack[] => [
      ['rest', 'GET', `/${type}/${id}/${relation}`],
      ['rest', 'GET', `/${type}/${id}/relationships/${relation}`],
      ['rest', 'PATCH', `/${type}/${id}/relationships/${relation}`, { data: [] }],
      ['rest', 'PATCH', `/${type}/${id}/relationships/${relation}`, { data: null }],
    ]),
    rpc(type, 'findMany', {}),
    rpc(type, 'findFirst', {}),
    rpc(type, 'findFirstOrThrow', {}),
    rpc(type, 'findUnique', { where }),
    rpc(type, 'findUniqueOrThrow', { where }),
    rpc(type, 'count', {}),
    rpc(type, 'aggregate', { _count: true }),
    rpc(type, 'groupBy', { by }),
    rpc(type, 'create', { data }),
    rpc(type, 'createMany', { data: [data] }),
    rpc(type, 'createManyAndReturn', { data: [data] }),
    rpc(type, 'update', { where, data }),
    rpc(type, 'updateMany', { where: {}, data }),
    rpc(type, 'updateManyAndReturn', { where: {}, data }),
    rpc(type, 'upsert', { where, create: data, update: data }),
    rpc(type, 'delete', { where }),
    rpc(type, 'deleteMany', { where: {} }),
    rpc(type, 'check', { operation: 'read' }),
  ]
}

// S-1
describeDatabases(
  'security: default deny',
  (db) => {
    const dump = async () =>
      Promise.all([...TENANTS.values()].map(({ delegate }) => delegatesOf(db.orm)[delegate]?.['findMany']?.()))

    beforeAll(async () => {
      await db.fill(fillTenants)
    })

    it.each(MODELS)('%s: neither returns nor changes rows on any route without rules', async (...sample) => {
      const send = callerOf({ orm: db.orm.$extends(withPolicies(abilityBuilder().build())), routes: db.routes })
      const before = await dump()
      const model = [...TENANTS.values()].find(({ delegate }) => delegate === sample[0])
      for (const attack of routesOf(sample, model?.relations.keys() ?? [])) {
        const { status, text } = await send(attack)
        const [style, method, path] = attack
        const about = `${style} ${method} ${path} ${text}`
        if (status === 200) expect(text, about).toMatch(/"data":(\[\]|null|0|false|\{"count":0\}|\{"_count":0\})/)
        // 400 and 422: not every relation can be emptied.
        else expect([403, 404, 400, 409, 422], about).toContain(status)
        expect(text, about).not.toMatch(/alpha|beta/)
      }
      expect(await dump()).toEqual(before)
    })

    it('responds with 404 on every route of a hidden model', async () => {
      const { can, build } = abilityBuilder()
      can('manage', 'all')
      const send = callerOf({ orm: db.orm.$extends(withPolicies(build())), routes: db.routes })
      const unknown = routesOf(['audits', ...AUDIT.slice(1)] as unknown as ModelSample, ['organisation'])
      for (const [index, attack] of routesOf(AUDIT, ['organisation']).entries()) {
        const responses = [await send(attack), await send(unknown[index] as Attack)]
        expect(responses[0]?.status).toBe(404)
        const [hidden, none] = responses.map(({ text }) => text.replaceAll('audits', 'audit'))
        expect(hidden).toBe(none)
      }
    })
  },
  { fixture: 'tenants' },
)
