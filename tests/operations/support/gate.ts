/** A promise and the function that resolves it. */
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

/** A {@link slowed} client and its queries. */
export interface Slowed<O> {
  readonly orm: O
  /** The started queries, for example `Tag.create`. */
  readonly startedQueries: string[]
  /** Resolves when the first query of the operation has started. */
  readonly waiting: Promise<void>
}

/**
 * Creates a client whose first query of an operation waits before it is sent to the database.
 * @param operation for example `create`, or `*` for any
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
