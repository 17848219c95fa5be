import { type DatabaseErrorKind, classifyDatabaseError } from '../errors/database-error.js'
import { callClient, type PortRow } from '../orm/client-port.js'
import type { IdempotencyStore, StoredKey } from './store.js'

/**
 * Keeps keys in a model of the schema, with the fields `id`, `fingerprint`, `answer` and `expiresAt`.
 * @param delegate the name of its delegate: `idempotencyKey`
 */
export function modelStore(delegate: string): IdempotencyStore {
  const model = { delegate }
  return {
    async claim(inside, { id, fingerprint, expiresAt }) {
      try {
        await callClient(inside, model, 'create', { data: { id, fingerprint, expiresAt }, select: { id: true } })
        return true
      } catch (error) {
        const fault = classifyDatabaseError(error)
        if (fault === 'unique-violation') return false
        // Nothing that the caller could mend.
        throw UNFIT.includes(fault) ? new Error(needed(delegate), { cause: error }) : error
      }
    },
    async complete(inside, id, answer) {
      const { count } = await callClient(inside, model, 'updateMany', { where: { id }, data: { answer } })
      if (count !== 1) throw new Error(`The row of ${delegate} that was claimed is gone.`)
    },
    async find(client, id) {
      const row = await callClient(client, model, 'findUnique', { where: { id } })
      return row ? keptKeyOf(row, delegate) : undefined
    },
    async removeExpired(client, id, now) {
      await callClient(client, model, 'deleteMany', { where: { id, expiresAt: { lte: now } } })
    },
  }
}

function keptKeyOf({ id, fingerprint, expiresAt, answer }: PortRow, delegate: string): StoredKey {
  const isKey = typeof id === 'string' && typeof fingerprint === 'string' && expiresAt instanceof Date
  if (isKey && (answer === null || answer instanceof Uint8Array)) return { id, fingerprint, expiresAt, answer }
  throw new Error(needed(delegate))
}

/** What a client says of a model that lacks a field, or requires another one. */
const UNFIT: readonly (DatabaseErrorKind | undefined)[] = ['bad-arguments', 'missing-argument', 'not-null-violation']

function needed(delegate: string): string {
  return `${delegate} is no model for keys. It needs: id String @id, fingerprint String, answer Bytes?, expiresAt DateTime.`
}
