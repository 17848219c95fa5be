import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'

/** What is done around statements. The driver itself is the real one. */
export interface Watching {
  /** Before a statement of a transaction is sent. */
  before?(sql: string): unknown
  /** When the database has refused one. */
  failed?(): void
}

/** A driver adapter whose statements are watched. */
export function watched(factory: SqlDriverAdapterFactory, { before, failed }: Watching): SqlDriverAdapterFactory {
  const wrap = <T extends object>(target: T, isInside: boolean): T => {
    return new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const call = (args: readonly unknown[]): unknown => Reflect.apply(member, target, args)
        if (name === 'connect' || name === 'startTransaction') {
          return async (...args: readonly unknown[]) => wrap(Object(await call(args)), name === 'startTransaction')
        }
        if (name !== 'queryRaw' && name !== 'executeRaw' && name !== 'commit') return member.bind(target)
        return async (...args: readonly [SqlQuery?]) => {
          if (isInside && args[0]) await before?.(args[0].sql)
          try {
            return await call(args)
          } catch (error) {
            failed?.()
            throw error
          }
        }
      },
    })
  }
  return wrap(factory, false)
}
