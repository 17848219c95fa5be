import type { Database } from '../../support/databases.js'

/**
 * Creates two banks; accounts 1 and 2 in the first; entries 1 and 2 of account 1, and one without an account; a deposit of
 * account 1; two holders without accounts; a seat.
 */
export async function fillVersions({ orm }: Pick<Database<'versions'>, 'orm'>): Promise<void> {
  await orm.bank.createMany({ data: [{ name: 'First' }, { name: 'Second' }] })
  await orm.account.createMany({
    data: [
      { name: 'one', bankId: 1 },
      { name: 'two', bankId: 1 },
    ],
  })
  await orm.entry.createMany({
    data: [
      { text: 'a', accountId: 1 },
      { text: 'b', accountId: 1 },
      { text: 'c', accountId: null },
    ],
  })
  await orm.holder.createMany({ data: [{ name: 'Ann' }, { name: 'Ben' }] })
  await orm.deposit.create({ data: { amount: 5, accountId: 1 } })
  await orm.seat.create({ data: { row: 1, number: 2 } })
}
