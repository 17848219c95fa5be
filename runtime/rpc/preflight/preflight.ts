import type { Dialect } from '../../orm/dialect.js'
import type { Limits } from '../../limits.js'
import { idFields, type Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { type RunQuery, createRunQuery, countUpTo } from './query.js'
import { outOfRangeWhere } from '../guard/data/arithmetic.js'
import type { Members } from '../guard/read/members.js'
import type { Args } from '../guard/arguments.js'
import { invalidArguments, limitExceeded } from '../guard/arguments.js'
import { type RelationPlan, toOneRelations } from '../guard/read/selection.js'
import { type UnboundedRead, loadedRowsError, assertLoadedRows, assertRelatedRows } from './loaded-rows.js'
import { selectFields } from '../../orm/select-fields.js'

/**
 * What has to be asked before a write: how many rows its answer would hold, because a write that was done must not be answered
 * as refused; and whether there are rows that its arithmetic would take out of range. And before a read: how many rows Prisma
 * would load for its to-many relations, and how many more than the answer holds.
 */
export type Preflight =
  | { readonly of: 'answer'; readonly members: readonly Members[] }
  | { readonly of: 'rows'; readonly where: Args; readonly limit?: number; readonly relations: RelationPlan }
  | { readonly of: 'members'; readonly members: readonly Members[] }
  | { readonly of: 'loaded rows'; readonly members: readonly Members[] }
  | { readonly of: 'loading read'; readonly read: UnboundedRead }
  | { readonly of: 'range'; readonly where: Args; readonly outside: Args; readonly unique: boolean }

/**
 * Counts what an answer would hold, and ends the request where it is more than the limits allow: with one query, or one for each
 * to-many relation, none of which counts further than the limit.
 * @param orm the client of the request
 */
export async function runPreflight(orm: unknown, model: Model, look: Preflight, limits: Limits): Promise<void> {
  const ask = createRunQuery(orm)
  if (look.of === 'rows') {
    const take = Math.min(look.limit ?? Infinity, limits.rows + 1)
    const rows = Number(await ask(model, 'count', { where: look.where, take }))
    if (rows > limits.rows) {
      limitExceeded('rows', `More than ${limits.rows} rows would be answered. Use "limit", or updateMany.`)
    }
    assertRelatedRows(rows * toOneRelations(look.relations), limits)
  } else if (look.of === 'members') {
    await requireFewMembers(ask, look.members, limits)
  } else if (look.of === 'loaded rows') {
    if ((await leftOf(ask, look.members, limits.loadedRows)) < 0) loadedRowsError(limits)
  } else if (look.of === 'loading read') {
    await assertLoadedRows(ask, look.read, limits)
  } else if (look.of === 'range') {
    if (await isAny(ask, model, look)) {
      invalidArguments('invalid-value', 'A number would leave the range of its field.')
    }
  } else {
    const left = await leftOf(ask, look.members, limits.includedRows)
    if (left < 0) assertRelatedRows(limits.includedRows + 1, limits)
  }
}

async function requireFewMembers(ask: RunQuery, members: readonly Members[], { includedRows }: Limits): Promise<void> {
  if ((await leftOf(ask, members, includedRows)) >= 0) return
  limitExceeded(
    'includedRows',
    `Relations would add more than ${includedRows} rows. Use "take" to ask for some of the rows that they belong to.`,
  )
}

/** How many rows of a limit are left behind some members; below zero where there are more. */
async function leftOf(ask: RunQuery, members: readonly Members[], most: number): Promise<number> {
  let left = most
  for (const { target, where } of members) {
    if (left >= 0) left -= await countUpTo(ask, target, where, left)
  }
  return left
}

async function isAny(ask: RunQuery, model: Model, look: Extract<Preflight, { of: 'range' }>): Promise<boolean> {
  const { AND = [], ...others } = look.where
  const where = { ...others, AND: [look.outside, ...(Array.isArray(AND) ? AND : [AND])] }
  if (!look.unique) return Number(await ask(model, 'count', { where, take: 1 })) > 0
  const select = selectFields(idFields(model))
  return (await ask(model, 'findUnique', { where, select })) !== null
}

/**
 * What arithmetic of a call has to be asked about, on databases that do not look at ranges themselves.
 * @param args checked arguments
 */
export function rangePreflight(model: Model, operation: string, args: Args, { provider }: Dialect): Preflight[] {
  const { where } = args
  if (provider !== 'sqlite' || !isObject(where)) return []
  const outside = outOfRangeWhere(model, operation === 'upsert' ? args['update'] : args['data'])
  return outside ? [{ of: 'range', where, outside, unique: !operation.startsWith('updateMany') }] : []
}
