import type { Context } from 'hono'

import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from '../handler.js'
import type { Schema } from '../schema.js'
import { findUnique } from './delegates.js'
import { type Fieldsets, readFieldsets } from './fields.js'
import { type IdValues, parseId, uniqueWhere } from './id.js'
import type { Include } from './include.js'
import type { RestModel } from './model.js'
import type { Dialect } from './operators.js'
import type { Query } from './query.js'
import { idSelect, type Selector } from './selection.js'
import type { Settings } from './settings.js'
import type { KeptMembers } from './write.js'

/** What all endpoints of a handler share. */
export interface RestContext {
  readonly settings: Settings
  readonly schema: Schema
  /** All models, by their names. */
  readonly models: ReadonlyMap<string, RestModel>
  /** All models, by their types. */
  readonly byType: ReadonlyMap<string, RestModel>
  readonly selector: Selector
  readonly dialect: Dialect
}

/** What an answer shows beside its primary data. */
export interface Shown {
  readonly query: Query
  readonly include: Include
  readonly fieldsets: Fieldsets
}

/** Reads `fields[type]` beside an `include` that was read already. */
export function readShown(query: Query, include: Include, context: RestContext): Shown {
  return { query, include, fieldsets: readFieldsets(query, context.byType) }
}

/**
 * The id in a request's URL.
 * @throws RequestError 404 where no resource can have it
 */
export function requestId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const [, segment = ''] = c.env.path.split('/', 2)
  let id: string | undefined
  try {
    id = decodeURIComponent(segment)
  } catch {
    // Not UTF-8: nothing has such an id.
  }
  const values = id === undefined ? undefined : parseId(model.id, id)
  if (!values) throw notFound(model)
  return values
}

/** A 404 about a resource of a model. */
export function notFound(model: RestModel): RequestError {
  return new RequestError({ code: 'not-found', detail: `There is no "${model.type}" with this id.` })
}

/**
 * Refuses to replace the members of a relationship where one would be left without the owner that it needs.
 * @returns a condition for the update itself, which holds if nothing came in between
 * @throws RequestError 403, or 404 where the resource does not exist
 */
export async function guardMembers(
  orm: unknown,
  model: RestModel,
  id: IdValues,
  kept: readonly KeptMembers[],
): Promise<Record<string, unknown>> {
  if (kept.length === 0) return {}
  const lost = kept.map(({ relationship, members }) => {
    return [relationship, members.length > 0 ? { NOT: { OR: members.map((values) => ({ ...values })) } } : {}] as const
  })
  const select = lost.map(([{ name, target }, where]) => [name, { where, take: 1, select: idSelect(target) }] as const)
  const row = await findUnique(orm, model, {
    where: uniqueWhere(model.id, id),
    select: Object.fromEntries(select),
  })
  if (!row) throw notFound(model)
  for (const [{ name }] of lost) {
    const members = row[name]
    if (!Array.isArray(members) || members.length === 0) continue
    const detail = `"${name}" has members that must be in it; they can be moved or deleted, not left out.`
    throw new RequestError({ code: 'relationship-required', detail })
  }
  return Object.fromEntries(lost.map(([{ name }, where]) => [name, { none: where }]))
}
