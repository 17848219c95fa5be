import type { Orm } from '../contenders/contender.js'

const MODELS = ['user', 'post', 'comment', 'reading', 'stock'] as const

/**
 * Returns a client that responds immediately, with the first result of each operation and selection. The difference between two contenders
 * with such clients is the time that they take in addition to Prisma. Transactions use the original client.
 */
export function instantClient(orm: Orm): Orm {
  const delegates = MODELS.map((model) => [model, { value: instantDelegate(orm[model]) }] as const)
  const client: Orm = Object.create(orm, Object.fromEntries(delegates))
  return client
}

function instantDelegate(delegate: object): object {
  const results = new Map<string, unknown>()
  return new Proxy(delegate, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name)
      if (typeof operation !== 'function') return operation
      return async (args: { readonly select?: unknown; readonly include?: unknown } = {}) => {
        const key = JSON.stringify([String(name), args.select, args.include])
        if (!results.has(key)) results.set(key, await Reflect.apply(operation, target, [args]))
        return results.get(key)
      }
    },
  })
}
