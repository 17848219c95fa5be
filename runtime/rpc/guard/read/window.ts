import type { Limits } from '../../../limits.js'
import type { Model } from '../../../schema/schema.js'
import { fieldName, orderBy } from './order-by.js'
import { type Args, expectInteger, limitExceeded, mapOneOrMany, type Path } from '../arguments.js'
import { cursor, where } from '../where/where.js'

const MAX_SKIP = 2 ** 31 - 1

type Parse = (model: Model, value: unknown, at: Path, limits: Limits) => unknown

/** The arguments that say which rows, in which order; all of them may be left out. */
const WINDOW: Readonly<Record<string, Parse>> = {
  where,
  orderBy,
  cursor,
  take: (_model, value, at, limits) => expectInteger(value, at, -limits.rows, limits.rows, 'rows'),
  skip,
  distinct: (model, value, at, limits) => mapOneOrMany(value, at, limits, (name, at) => fieldName(model, name, at)),
}

function skip(_model: Model, value: unknown, at: Path, { offset }: Limits): number {
  const rows = expectInteger(value, at, 0, MAX_SKIP)
  if (rows <= offset) return rows
  return limitExceeded('offset', `${at} must not be more than ${offset}. Use "cursor" to read on.`, at)
}

/** Names of arguments of a window, as each operation has them. */
export const ROW_WINDOW: ReadonlySet<string> = new Set(['where', 'orderBy', 'cursor', 'take', 'skip', 'distinct'])
export const AGGREGATE_WINDOW: ReadonlySet<string> = new Set(['where', 'orderBy', 'cursor', 'take', 'skip'])

/** Checks one argument of a window, and puts it into the arguments for Prisma. */
export function addWindowArgument(
  into: Args,
  model: Model,
  key: string,
  value: unknown,
  at: Path,
  limits: Limits,
): void {
  const checked = WINDOW[key]?.(model, value, at, limits)
  // To compare rows by nothing is to keep them all; of it, the client makes SQL that PostgreSQL does not take.
  if (key !== 'distinct' || !Array.isArray(checked) || checked.length > 0) into[key] = checked
}

/** How many rows a window takes at most; undefined where it does not say. */
export function maxTake(args: Args): number | undefined {
  const take = args['take']
  return typeof take === 'number' ? Math.abs(take) : undefined
}
