import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { runWhileLocked } from '../policy/support/concurrent-request.js'
import { describeDatabases } from '../support/databases.js'
import { fixtureClient, type RestClient } from './support/client.js'
import { fillVersions } from './support/versions.js'

const account = { data: { type: 'account', id: '1', attributes: { balance: 5 } } }
const holder = { data: { type: 'holder', id: '1', attributes: { name: 'changed' } } }
const bank = { data: { type: 'bank', id: '1', attributes: { city: 'Bern' } } }

// A transaction removes the member from its parent while the request waits for the transaction.
describeDatabases<'versions'>(
  'nested routes: a member that is removed concurrently',
  (db) => {
    beforeEach(async () => {
      await db.fill(async (filled) => {
        await fillVersions(filled)
        await filled.orm.account.update({ where: { id: 1 }, data: { holders: { connect: { id: 1 } } } })
      })
    })

    type Transaction = Parameters<Parameters<typeof db.orm.$transaction>[0]>[0]
    type Request = (rest: RestClient, headers: Record<string, string>) => Promise<{ readonly status: number }>

    const moveAccount = (tx: Transaction) => tx.account.update({ where: { id: 1 }, data: { bankId: 2 } })
    const removeHolder = async (tx: Transaction) => {
      await tx.holder.update({ where: { id: 1 }, data: { name: 'held' } })
      await tx.account.update({ where: { id: 1 }, data: { holders: { disconnect: { id: 1 } } } })
    }
    const moveAccountOfChangedBank = async (tx: Transaction) => {
      await tx.bank.update({ where: { id: 1 }, data: { city: 'held' } })
      await moveAccount(tx)
    }

    const CASES: readonly [string, (tx: Transaction) => Promise<unknown>, Request][] = [
      ['PATCH of a list', moveAccount, (rest, headers) => rest.patch('/bank/1/accounts/1', account, headers)],
      ['DELETE of a list', moveAccount, (rest, headers) => rest.delete('/bank/1/accounts/1', undefined, headers)],
      ['many-to-many PATCH', removeHolder, (rest, headers) => rest.patch('/account/1/holders/1', holder, headers)],
      ['many-to-many DELETE', removeHolder, (rest, headers) => rest.delete('/account/1/holders/1', undefined, headers)],
      [
        'to-one PATCH',
        moveAccountOfChangedBank,
        (rest, headers) => rest.patch('/account/1/bank', bank, { 'If-Match': '*', ...headers }),
      ],
    ]
    const MODES: readonly [string, () => RestClient, Record<string, string>][] = [
      ['plain', () => fixtureClient(db), {}],
      [
        'with a key',
        () => fixtureClient(db, { idempotency: idempotency({ model: 'idempotencyKey', scope: () => 'all' }) }),
        { 'Idempotency-Key': '"one"' },
      ],
      [
        'with hooks',
        () =>
          fixtureClient(db, {
            hooks: defineHooks({
              $all: { update: { before: ({ data }) => data }, delete: { before: () => undefined } },
            }),
          }),
        {},
      ],
    ]

    it.each(CASES.flatMap((each) => MODES.map((mode) => [each[0], mode[0], each, mode] as const)))(
      '%s, %s: responds with 404 and writes nothing',
      async (_case, _mode, [, remove, request], [, client, headers]) => {
        const { response, isWaiting } = await runWhileLocked(
          db as never,
          (inside) => remove(inside as never),
          () => request(client(), headers),
        )
        expect([isWaiting, response.status]).toEqual([true, 404])
        expect(await db.orm.account.findUnique({ where: { id: 1 } })).toMatchObject({ balance: 0 })
        expect(await db.orm.holder.findUnique({ where: { id: 1 } })).toMatchObject({
          name: expect.not.stringMatching('changed'),
        })
        expect(await db.orm.bank.findUnique({ where: { id: 1 } })).toMatchObject({
          city: expect.not.stringMatching('Bern'),
        })
      },
    )
  },
  { fixture: 'versions', only: ['PostgreSQL', 'MySQL'] },
)
