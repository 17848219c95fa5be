import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

type Builder = ReturnType<typeof abilityBuilder>
type Request = readonly ['get' | 'post' | 'patch' | 'delete', path: string, body?: object]
type Call = readonly [model: string, operation: string, args: object]

const label = (name: string) => ({ data: { type: 'label', attributes: { name } } })
const update = (attributes: object) => ({ data: { type: 'label', id: '2', attributes } })

const DENIALS: readonly (readonly [string, (builder: Builder) => void, Request, Call, rule: string])[] = [
  [
    'no rule for a create',
    ({ can }) => can('read', 'all'),
    ['post', '/label', label('x')],
    ['label', 'create', { data: { name: 'x' } }],
    "No row of Label may be created: no rule can('create', 'Label') applies.",
  ],
  [
    'no rule for an update',
    ({ can }) => can('read', 'all'),
    ['patch', '/label/2', update({ name: 'x' })],
    ['label', 'update', { where: { id: 2 }, data: { name: 'x' } }],
    "No row of Label may be changed: no rule can('update', 'Label') applies.",
  ],
  [
    'a rule that forbids a delete',
    ({ can, cannot }) => {
      can('manage', 'all')
      cannot('delete', 'Label')
    },
    ['delete', '/label/2'],
    ['label', 'delete', { where: { id: 2 } }],
    "No row of Label may be deleted: no rule can('delete', 'Label') applies.",
  ],
  [
    'no rule for a field',
    ({ can }) => {
      can('read', 'all')
      can('update', 'Label', ['organisationId'])
    },
    ['patch', '/label/2', update({ name: 'x' })],
    ['label', 'update', { where: { id: 2 }, data: { name: 'x' } }],
    `"name" of Label may not be written when a row is changed: no rule can('update', 'Label', ['name']) applies.`,
  ],
  [
    'a rule that does not match the row',
    ({ can }) => {
      can('read', 'all')
      can('update', 'Label', { organisationId: 1 })
    },
    ['patch', '/label/2', update({ name: 'x' })],
    ['label', 'update', { where: { id: 2 }, data: { name: 'x' } }],
    "This row of Label may not be changed: can('update', 'Label') does not match it.",
  ],
  [
    'a rule that does not match the new row',
    ({ can }) => {
      can('read', 'all')
      can('create', 'Label', { organisationId: 1 })
    },
    ['post', '/label', label('x')],
    ['label', 'create', { data: { name: 'x' } }],
    "A row of Label may not be created with these values: can('create', 'Label') does not match it.",
  ],
  [
    'a filter by an unreadable field',
    ({ can, cannot }) => {
      can('manage', 'all')
      cannot('read', 'Member', ['salary'])
    },
    ['get', '/member?filter[salary]=1'],
    ['member', 'findMany', { where: { salary: 1 } }],
    `"salary" of Member is not readable and cannot be used in filters, sort orders, aggregates or arithmetic: no rule can('read', 'Member', ['salary']) applies.`,
  ],
]

describeDatabases(
  'policy: denial message',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it.each(DENIALS)(
      '%s: names the rule in the 403 response',
      async (_name, rules, [method, path, body = {}], call, message) => {
        const builder = abilityBuilder()
        rules(builder)
        const orm = db.orm.$extends(withPolicies(builder.build()))
        const rest = fixtureClient({ orm, routes: db.routes })
        const { status, errors } = await (method === 'get' || method === 'delete'
          ? rest[method](path)
          : rest[method](path, body))
        expect([status, errors[0]?.detail]).toEqual([403, message])
        const denied = await fixtureRpc(db, {}, orm).call(...call)
        expect([denied.status, denied.body.message]).toEqual([403, message])
      },
    )
  },
  { fixture: 'tenants', only: ['SQLite'] },
)
