import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { describeDatabases } from '../support/databases.js'
import { fixtureClient, type RestClient, type TestResponse } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'

const holder = (id: string) => ({ type: 'holder', id })
const account = (id: string, more: object) => ({ data: { type: 'account', id, ...more } })
const linked = (relationships: object) => account('1', { relationships })

const REQUESTS: readonly [string, (rest: RestClient) => Promise<TestResponse>][] = [
  ['the row of an update', (rest) => rest.patch('/account/9', account('9', { attributes: { balance: 1 } }))],
  ['the row of a delete', (rest) => rest.delete('/account/9')],
  ['a new member', (rest) => rest.post('/account/1/relationships/holders', { data: [holder('99')] })],
  [
    'one of two members',
    (rest) => rest.patch('/account/1', linked({ holders: { data: [holder('1'), holder('99')] } })),
  ],
  [
    'the target of a to-one relationship',
    (rest) => rest.patch('/account/1', linked({ bank: { data: { type: 'bank', id: '99' } } })),
  ],
  [
    'the target of a new row',
    (rest) =>
      rest.post('/entry', {
        data: {
          type: 'entry',
          attributes: { text: 'x' },
          relationships: { account: { data: { type: 'account', id: '99' } } },
        },
      }),
  ],
]

describeDatabases<'versions'>(
  'hooks and policies: missing rows',
  (db) => {
    beforeEach(() => db.fill(fillVersions))

    const hooked = () => {
      const before = ({ data }: { data: Readonly<Record<string, unknown>> }) => data
      return fixtureClient(db, {
        hooks: defineHooks({ $all: { create: { before }, update: { before }, delete: { before: () => undefined } } }),
      })
    }
    const restricted = () => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      for (const model of ['Account', 'Entry', 'Holder', 'Bank'] as const)
        can(['create', 'update', 'delete'], model, { id: { gt: 0 } })
      return fixtureClient({ ...db, orm: db.orm.$extends(withPolicies(build())) as never })
    }

    it.each(REQUESTS)('%s: the error has the same status, detail and pointer as without them', async (_, send) => {
      const plain = await send(fixtureClient(db))
      expect(plain.status).toBe(404)
      const details = ({ status, errors }: TestResponse) => [
        status,
        errors.map(({ code, detail, source }) => ({ code, detail, source })),
      ]
      expect(details(await send(hooked()))).toEqual(details(plain))
      expect(details(await send(restricted()))).toEqual(details(plain))
    })
  },
  { fixture: 'versions' },
)
