import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'

const READ = /^\s*(SELECT|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i

/**
 * A driver adapter that tells of each statement that may write, before it runs: one that fails may have moved a counter on.
 * @param note called with nothing, once for each such statement
 */
export function watchWrites(factory: SqlDriverAdapterFactory, note: () => void): SqlDriverAdapterFactory {
  return watched(factory, note)
}

function watched<T extends object>(target: T, note: () => void): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const [statement] = args
        const isStatement = name === 'queryRaw' || name === 'executeRaw'
        if ((isStatement && !isRead(statement)) || name === 'executeScript') note()
        const result: unknown = Reflect.apply(member, target, args)
        if (name !== 'connect' && name !== 'startTransaction') return result
        return Promise.resolve(result).then((made) => (typeof made === 'object' && made ? watched(made, note) : made))
      }
    },
  })
}

function isRead(statement: unknown): boolean {
  return typeof statement === 'object' && statement !== null && 'sql' in statement && READ.test(String(statement.sql))
}
