import { beforeEach, expect, it } from 'vitest'

import { fixtureRpc } from '../rpc/client.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

describeDatabases(
  'violated constraints with hidden columns',
  (db) => {
    const account = { owner: 'Ann', iban: 'DE02' }
    const detail = 'A record with the same iban already exists.'

    beforeEach(async () => {
      await db.reset()
      await db.orm.account.create({ data: account })
    })

    it('names only the exposed fields in REST', async () => {
      const { post } = fixtureClient(db)
      const { status, errors } = await post('/account', { data: { type: 'account', attributes: account } })
      const source = { pointer: '/data/attributes/iban' }
      expect([status, errors]).toEqual([409, [expect.objectContaining({ detail, source, meta: { fields: ['iban'] } })]])
    })

    it('names only the exposed fields in RPC', async () => {
      const { status, body } = await fixtureRpc(db).call('account', 'create', { data: account })
      expect([status, body.message, body.issues?.map(({ path }) => path)]).toEqual([409, detail, [['data', 'iban']]])
    })
  },
  { fixture: 'payments' },
)
