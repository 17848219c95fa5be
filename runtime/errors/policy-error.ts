/** Why an access policy stood against a request; `meta.reason` of a {@link PolicyError}. */
export type PolicyReason = 'ACCESS_POLICY_VIOLATION' | 'RESULT_NOT_READABLE'

/** What an access policy denies: answered with 403 (design, section 6). Its message is for the caller to read. */
export class PolicyError extends Error {
  /** The ORM's own code for what a constraint forbids. */
  readonly code = 'P2004'
  readonly meta: { readonly reason: PolicyReason }

  constructor(message: string, reason: PolicyReason = 'ACCESS_POLICY_VIOLATION') {
    super(message)
    this.name = 'PolicyError'
    this.meta = { reason }
  }
}

/**
 * A row that is not there for the caller, said in the ORM's own codes, so that it is answered like a row that does not exist:
 * `P2025` not found, `P2003` a foreign key that refers to nothing, `P2014` a row that would lose a relation it needs.
 */
export class MissingRowError extends Error {
  readonly code: 'P2025' | 'P2003' | 'P2014'

  constructor(code: 'P2025' | 'P2003' | 'P2014', message: string) {
    super(message)
    this.name = 'MissingRowError'
    this.code = code
  }
}

/** A row that met the conditions when it was read, but was not written. Has Prisma's code for a retry, which reads the row again. */
export class ChangedRowError extends Error {
  readonly code = 'P2034'

  constructor(model: string) {
    super(`A row of ${model} was not written. Another write may have changed it.`)
    this.name = 'ChangedRowError'
  }
}
