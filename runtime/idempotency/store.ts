/** A key that is claimed, as a store keeps it. */
export interface ClaimedKey {
  /** A hash of the caller's scope and the key: 64 digits and letters from `a` to `f`. */
  readonly id: string
  /** A hash of what was asked: as many. */
  readonly fingerprint: string
  /** From when on the key may be claimed anew. */
  readonly expiresAt: Date
}

/** A key, with the answer of the request that was carried out with it. */
export interface StoredKey extends ClaimedKey {
  /** Null where it was too long to be kept. */
  readonly answer: Uint8Array | null
}

/**
 * Where keys are kept: `model` is one over a model of the schema, and an app may have one of its own. Each method is told a client of
 * the request, beneath its policies, hooks and other extensions, and has to write with that: what it writes elsewhere is not undone where
 * the request fails.
 */
export interface IdempotencyStore {
  /**
   * Inserts a key, where nobody has it. Called first in the transaction of the write, with a client inside it: what is inserted with it is
   * gone where the write is undone.
   * @returns false where the key is there
   */
  claim(inside: unknown, key: ClaimedKey): Promise<boolean>
  /** Keeps the answer with a key that was claimed. Called last in the same transaction. */
  complete(inside: unknown, id: string, answer: Uint8Array): Promise<void>
  /** Finds a key that was claimed by another transaction. */
  find(client: unknown, id: string): Promise<StoredKey | undefined>
  /** Removes a key, if it had expired by a time. */
  removeExpired(client: unknown, id: string, now: Date): Promise<void>
}
