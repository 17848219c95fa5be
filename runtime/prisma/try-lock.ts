/**
 * Tries to acquire a PostgreSQL advisory lock until the end of the transaction, without waiting.
 * @param tx a client in the transaction
 * @param name at least 16 hexadecimal digits; the first 16 identify the lock
 * @returns false if another transaction has the lock; true for a client that does not support raw SQL
 */
export async function tryLock(tx: object, name: string): Promise<boolean> {
  const raw: unknown = Reflect.get(tx, '$queryRawUnsafe')
  if (typeof raw !== 'function') return true
  const number = BigInt.asIntN(64, BigInt(`0x${name.slice(0, 16)}`))
  const rows: unknown = await raw.call(tx, 'SELECT pg_try_advisory_xact_lock($1::bigint) AS "taken"', number)
  return !(Array.isArray(rows) && rows[0]?.taken === false)
}
