import type { Limits } from '../../../limits.js'
import type { Model } from '../../../schema/model.js'
import { fieldName, orderBy } from './order-by.js'
import { type Args, expectInteger, limitExceeded, mapOneOrMany, type Path } from '../argument-helpers.js'
import { cursor, where } from '../where/where.js'

const MAX_SKIP = 2 ** 31 - 1

type Parse = (model: Model, value: unknown, path: Path, limits: Limits) => unknown

/** The arguments that filter, sort and page rows. All of them are optional. */
const WINDOW: Readonly<Record<string, Parse>> = {
  where,
  orderBy,
  cursor,
  take: (_model, value, path, limits) => expectInteger(value, path, -limits.rows, limits.rows, 'rows'),
  skip,
  distinct: (model, value, path, limits) =>
    mapOneOrMany(value, path, limits, (name, elementPath) => fieldName(model, name, elementPath)),
}

function skip(_model: Model, value: unknown, path: Path, { offset }: Limits): number {
  const rows = expectInteger(value, path, 0, MAX_SKIP)
  if (rows <= offset) return rows
  return limitExceeded(
    'offset',
    `${path} must not be greater than ${offset}. Use "cursor" to read the following rows.`,
    path,
  )
}

/** The names of the window arguments of read operations, and of aggregates. */
export const ROW_WINDOW: ReadonlySet<string> = new Set(['where', 'orderBy', 'cursor', 'take', 'skip', 'distinct'])
export const AGGREGATE_WINDOW: ReadonlySet<string> = new Set(['where', 'orderBy', 'cursor', 'take', 'skip'])

/** Validates a window argument, and adds it to the arguments for Prisma. */
export function addWindowArgument(
  into: Args,
  model: Model,
  key: string,
  value: unknown,
  path: Path,
  limits: Limits,
): void {
  const checked = WINDOW[key]?.(model, value, path, limits)
  // An empty `distinct` has no effect, but Prisma would generate SQL for it that PostgreSQL rejects.
  if (key !== 'distinct' || !Array.isArray(checked) || checked.length > 0) into[key] = checked
}

/**
 * Returns the maximum number of rows of a window.
 * @returns undefined if the window has no `take`
 */
export function maxTake(args: Args): number | undefined {
  const take = args['take']
  return typeof take === 'number' ? Math.abs(take) : undefined
}
