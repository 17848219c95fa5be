import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'

/**
 * A driver adapter that lets something come between the reads and the writes of each transaction.
 * @param meanwhile done once in a transaction, before its first statement that writes; no more than so often in all
 */
export function beforeWrites(
  factory: SqlDriverAdapterFactory,
  meanwhile: () => unknown,
  times = 1,
): SqlDriverAdapterFactory {
  let left = times
  const watched = <T extends object>(target: T, isInside: boolean): T => {
    return new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return async (...args: readonly unknown[]) => {
          const sql = (args[0] as SqlQuery | undefined)?.sql ?? ''
          if (isInside && left > 0 && /^\s*(INSERT|UPDATE|DELETE)/i.test(sql)) {
            left -= 1
            await meanwhile()
          }
          const result: unknown = await Reflect.apply(member, target, args)
          if (name === 'connect') return watched(Object(result), false)
          return name === 'startTransaction' ? watched(Object(result), true) : result
        }
      },
    })
  }
  return watched(factory, false)
}
