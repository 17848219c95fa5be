import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'

/** Callbacks for statements. The driver itself is real. */
export interface Watching {
  /** Called before a statement of a transaction is sent. */
  before?(sql: string): unknown
  /** Called when the database rejects a statement. */
  failed?(): void
}

/** Wraps a driver adapter and watches its statements. */
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
