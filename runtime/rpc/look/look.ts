import type { Dialect } from '../../orm/dialect.js'
import type { Limits } from '../../limits.js'
import { idFields, type Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { type Ask, askOf, countUpTo } from './ask.js'
import { outOfRange } from '../guard/data/arithmetic.js'
import type { Members } from '../guard/read/members.js'
import type { Args } from '../guard/refuse.js'
import { refuse, refuseBeyond } from '../guard/refuse.js'
import { type RelationPlan, toOneRelations } from '../guard/read/selection.js'
import { type LoadingRead, refuseLoaded, requireFewLoaded } from './loaded.js'

/**
 * What has to be asked before a write: how many rows its answer would hold, because a write that was done must not be answered
 * as refused; and whether there are rows that its arithmetic would take out of range. And before a read: how many rows Prisma
 * would load for its to-many relations, and how many more than the answer holds.
 */
export type Look =
  | { readonly of: 'answer'; readonly members: readonly Members[] }
  | { readonly of: 'rows'; readonly where: Args; readonly limit?: number; readonly relations: RelationPlan }
  | { readonly of: 'members'; readonly members: readonly Members[] }
  | { readonly of: 'loaded rows'; readonly members: readonly Members[] }
  | { readonly of: 'loading read'; readonly read: LoadingRead }
  | { readonly of: 'range'; readonly where: Args; readonly outside: Args; readonly unique: boolean }

/**
 * Counts what an answer would hold, and ends the request where it is more than the limits allow: with one query, or one for each
 * to-many relation, none of which counts further than the limit.
 * @param orm the client of the request
 */
export async function lookBefore(orm: unknown, model: Model, look: Look, limits: Limits): Promise<void> {
  const ask = askOf(orm)
  if (look.of === 'rows') {
    const take = Math.min(look.limit ?? Infinity, limits.rows + 1)
    const rows = Number(await ask(model, 'count', { where: look.where, take }))
    if (rows > limits.rows) {
      refuseBeyond('rows', `More than ${limits.rows} rows would be answered. Use "limit", or updateMany.`)
    }
    requireFew(rows * toOneRelations(look.relations), limits)
  } else if (look.of === 'members') {
    await requireFewMembers(ask, look.members, limits)
  } else if (look.of === 'loaded rows') {
    if ((await leftOf(ask, look.members, limits.loadedRows)) < 0) refuseLoaded(limits)
  } else if (look.of === 'loading read') {
    await requireFewLoaded(ask, look.read, limits)
  } else if (look.of === 'range') {
    if (await isAny(ask, model, look)) {
      refuse('invalid-value', 'A number would leave the range of its field.')
    }
  } else {
    const left = await leftOf(ask, look.members, limits.includedRows)
    if (left < 0) requireFew(limits.includedRows + 1, limits)
  }
}

async function requireFewMembers(ask: Ask, members: readonly Members[], { includedRows }: Limits): Promise<void> {
  if ((await leftOf(ask, members, includedRows)) >= 0) return
  refuseBeyond(
    'includedRows',
    `Relations would add more than ${includedRows} rows. Use "take" to ask for some of the rows that they belong to.`,
  )
}

/** How many rows of a limit are left behind some members; below zero where there are more. */
async function leftOf(ask: Ask, members: readonly Members[], most: number): Promise<number> {
  let left = most
  for (const { target, where } of members) {
    if (left >= 0) left -= await countUpTo(ask, target, where, left)
  }
  return left
}

async function isAny(ask: Ask, model: Model, look: Extract<Look, { of: 'range' }>): Promise<boolean> {
  const { AND = [], ...others } = look.where
  const where = { ...others, AND: [look.outside, ...(Array.isArray(AND) ? AND : [AND])] }
  if (!look.unique) return Number(await ask(model, 'count', { where, take: 1 })) > 0
  const select = Object.fromEntries(idFields(model).map((name) => [name, true]))
  return (await ask(model, 'findUnique', { where, select })) !== null
}

/**
 * What arithmetic of a call has to be asked about, on databases that do not look at ranges themselves.
 * @param args checked arguments
 */
export function rangeLook(model: Model, operation: string, args: Args, { provider }: Dialect): Look[] {
  const { where } = args
  if (provider !== 'sqlite' || !isObject(where)) return []
  const outside = outOfRange(model, operation === 'upsert' ? args['update'] : args['data'])
  return outside ? [{ of: 'range', where, outside, unique: !operation.startsWith('updateMany') }] : []
}

/** Ends a request whose answer would hold more related rows than the limit. */
export function requireFew(rows: number, limits: Limits): void {
  if (rows > limits.includedRows) {
    refuseBeyond('includedRows', `Relations would add more than ${limits.includedRows} rows. Take fewer of them.`)
  }
}
