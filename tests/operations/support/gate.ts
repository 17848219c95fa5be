/** Holds whatever waits for it until it is let go. */
export interface Gate {
  readonly open: () => void
  readonly opened: Promise<void>
}

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** What a {@link slowed} client was asked. */
export interface Slowed<O> {
  readonly orm: O
  /** The queries that have begun, as `Tag.create`. */
  readonly startedQueries: string[]
  /** Resolves when the first query of an operation has begun. */
  readonly waiting: Promise<void>
}

/**
 * A client whose first query of an operation waits before it goes to the database.
 * @param operation `create`; `*` for any
 */
export function slowed<O extends object>(orm: O, operation: string, until: Promise<void>): Slowed<O> {
  const { open, opened } = gate()
  const startedQueries: string[] = []
  let isFirst = true
  const extendable = orm as O & { $extends(extension: object): O }
  const slow = extendable.$extends({
    query: {
      $allModels: {
        async $allOperations(call: {
          readonly model: string
          readonly operation: string
          readonly args: unknown
          query(args: unknown): Promise<unknown>
        }) {
          startedQueries.push(`${call.model}.${call.operation}`)
          if (isFirst && (operation === '*' || call.operation === operation)) {
            isFirst = false
            open()
            await until
          }
          return call.query(call.args)
        },
      },
    },
  })
  return { orm: slow, startedQueries, waiting: opened }
}
