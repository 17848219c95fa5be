/**
 * Takes a lock of PostgreSQL's until the transaction ends, without waiting for it.
 * @param inside a client in the transaction
 * @param name hexadecimal digits, 16 at least: what has the same first 16 has the same lock
 * @returns false where another transaction has it. True for a client that has no SQL
 */
export async function tryLock(inside: object, name: string): Promise<boolean> {
  const raw: unknown = Reflect.get(inside, '$queryRawUnsafe')
  if (typeof raw !== 'function') return true
  const number = BigInt.asIntN(64, BigInt(`0x${name.slice(0, 16)}`))
  const rows: unknown = await raw.call(inside, 'SELECT pg_try_advisory_xact_lock($1::bigint) AS "taken"', number)
  return !(Array.isArray(rows) && rows[0]?.taken === false)
}
