import { classifyDatabaseError } from '../errors/classify-database-error.js'
import type { DatabaseErrorKind } from '../errors/database-error-kind.js'
import { callClient } from '../prisma/call-client.js'
import type { PortRow } from '../prisma/client-port.js'
import type { IdempotencyStore, StoredKey } from './idempotency-store.js'

/**
 * Creates a store for keys in a model of the schema with the fields `id`, `fingerprint`, `response` and `expiresAt`.
 * @param delegate the name of the model's delegate: `idempotencyKey`
 */
export function modelStore(delegate: string): IdempotencyStore {
  const model = { delegate }
  return {
    async claim(tx, { id, fingerprint, expiresAt }) {
      try {
        await callClient(tx, model, 'create', { data: { id, fingerprint, expiresAt }, select: { id: true } })
        return true
      } catch (error) {
        const kind = classifyDatabaseError(error)
        if (kind === 'unique-violation') return false
        // The caller cannot fix this, so it is a server error.
        throw UNFIT.includes(kind) ? new Error(needed(delegate), { cause: error }) : error
      }
    },
    async complete(tx, id, response) {
      const { count } = await callClient(tx, model, 'updateMany', { where: { id }, data: { response } })
      if (count !== 1) throw new Error(`The row of ${delegate} that was claimed no longer exists.`)
    },
    async find(client, id) {
      const row = await callClient(client, model, 'findUnique', { where: { id } })
      return row ? toStoredKey(row, delegate) : undefined
    },
    async removeExpired(client, id, now) {
      await callClient(client, model, 'deleteMany', { where: { id, expiresAt: { lte: now } } })
    },
  }
}

function toStoredKey({ id, fingerprint, expiresAt, response }: PortRow, delegate: string): StoredKey {
  const isKey = typeof id === 'string' && typeof fingerprint === 'string' && expiresAt instanceof Date
  if (isKey && (response === null || response instanceof Uint8Array)) return { id, fingerprint, expiresAt, response }
  throw new Error(needed(delegate))
}

/** Errors that occur if the model lacks one of these fields or has additional required fields. */
const UNFIT: readonly (DatabaseErrorKind | undefined)[] = ['bad-arguments', 'missing-argument', 'not-null-violation']

function needed(delegate: string): string {
  return `${delegate} cannot store keys. It needs: id String @id, fingerprint String, response Bytes?, expiresAt DateTime.`
}
