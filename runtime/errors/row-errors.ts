/**
 * Thrown for a row that does not exist or that the caller may not read. Uses Prisma's codes, so that both cases result in the same
 * response: `P2025` for a missing row, `P2003` for a dangling foreign key, `P2014` for a row that would lose a required relation.
 */
export class MissingRowError extends Error {
  readonly code: 'P2025' | 'P2003' | 'P2014'

  constructor(code: 'P2025' | 'P2003' | 'P2014', message: string) {
    super(message)
    this.name = 'MissingRowError'
    this.code = code
  }
}

/**
 * Thrown if a row met the conditions when it was read, but the write did not find it. Its Prisma code causes a retry, which reads the row
 * again.
 */
export class ChangedRowError extends Error {
  readonly code = 'P2034'

  constructor(model: string) {
    super(`A row of ${model} was not written. Another write may have changed it.`)
    this.name = 'ChangedRowError'
  }
}
