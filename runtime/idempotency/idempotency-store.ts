/** A claimed key, as a store saves it. */
export interface ClaimedKey {
  /** A hash of the caller's scope and the key: 64 hexadecimal digits in lower case. */
  readonly id: string
  /** A hash of the request in the same format. */
  readonly fingerprint: string
  /** The time after which the key may be claimed again. */
  readonly expiresAt: Date
}

/** A key with the response of its request. */
export interface StoredKey extends ClaimedKey {
  /** Null if the response was too large to store. */
  readonly response: Uint8Array | null
}

/**
 * The storage of keys. The option `model` uses a model of the schema; an app can provide a custom store. Each method receives the request's
 * client without policies, hooks and other extensions. It must write with that client, because other writes are not rolled back if the
 * request fails.
 */
export interface IdempotencyStore {
  /**
   * Inserts a key if it does not exist. Called first in the transaction of the write, with the client of that transaction, so that the key
   * is removed if the write is rolled back.
   * @returns false if the key exists
   */
  claim(tx: unknown, key: ClaimedKey): Promise<boolean>
  /** Stores the response with a claimed key. Called last in the same transaction. */
  complete(tx: unknown, id: string, response: Uint8Array): Promise<void>
  /** Finds a key that was claimed by another transaction. */
  find(client: unknown, id: string): Promise<StoredKey | undefined>
  /** Removes a key if it has expired at the given time. */
  removeExpired(client: unknown, id: string, now: Date): Promise<void>
}
