import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'

const READ = /^\s*(SELECT|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i

/**
 * Wraps a driver adapter and reports each statement that may write, before it runs. Even a statement that fails may
 * increment a counter.
 * @param note called once per statement, without an argument for a script
 */
export function watchWrites(
  factory: SqlDriverAdapterFactory,
  note: (statement?: SqlQuery) => void,
): SqlDriverAdapterFactory {
  return watched(factory, note)
}

function watched<T extends object>(target: T, note: (statement?: SqlQuery) => void): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const [statement] = args
        if (name === 'executeScript') note()
        if ((name === 'queryRaw' || name === 'executeRaw') && isStatement(statement) && !READ.test(statement.sql)) {
          note(statement)
        }
        const result: unknown = Reflect.apply(member, target, args)
        if (name !== 'connect' && name !== 'startTransaction') return result
        return Promise.resolve(result).then((connection) =>
          typeof connection === 'object' && connection ? watched(connection, note) : connection,
        )
      }
    },
  })
}

function isStatement(value: unknown): value is SqlQuery {
  return typeof value === 'object' && value !== null && 'sql' in value
}
