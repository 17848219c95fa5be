import { idFields, type Model } from '../schema/model.js'
import { isObject } from '../values/is-object.js'
import { computedLookup, type ComputedLookup, exposesHiddenField, type ComputedFields } from './internals.js'
import { selectFields } from './keys.js'
import type { WithSafeStrategy } from './load-strategy.js'

/** The arguments of an operation. */
type Args = Record<string, unknown>

/** The arguments for the client, and the parts of its result that were not requested. */
export interface AdjustedArgs {
  readonly args: Args
  readonly extra: Extra | undefined
}

/** Properties of rows to remove from the response. */
export interface Extra {
  readonly names: readonly string[]
  /** Properties of related rows to remove, by relation name. */
  readonly nested?: ReadonlyMap<string, Extra>
}

/** Adapts the arguments of an operation that returns rows to the client's computed fields (`$extends({ result })`). */
export type AdjustArgs = (client: unknown, model: Model, args: Args) => AdjustedArgs

/** Information about the computed fields that a client has for a model. */
interface ComputedInfo {
  /**
   * The computed fields that are not exposed, in Prisma's `omit` form, so that they are not computed and their dependencies are not loaded.
   */
  readonly omit: Readonly<Record<string, true>> | undefined
  /** The computed fields without dependencies. */
  readonly independent: ReadonlySet<string>
}

/**
 * Creates the {@link AdjustArgs} of a handler. Information that depends only on a client's extensions is cached.
 * @param withSafeStrategy applied to all arguments
 */
export function createArgsAdjuster(withSafeStrategy?: WithSafeStrategy): AdjustArgs {
  const cache = new WeakMap<ComputedFields, ComputedInfo>()
  const getComputedInfo = (model: Model, fields: ComputedFields | undefined): ComputedInfo | undefined => {
    if (!fields) return undefined
    const info = cache.get(fields) ?? readComputedInfo(model, fields)
    cache.set(fields, info)
    return info
  }
  const adjust = (lookup: ComputedLookup, model: Model, args: Args): AdjustedArgs => {
    const { args: related, nested } = adjustRelated(lookup, model, args)
    const { args: adjusted, names } = adjustComputed(model, related, getComputedInfo(model, lookup(model.delegate)))
    return { args: adjusted, extra: names.length > 0 || nested.size > 0 ? { names, nested } : undefined }
  }
  const adjustRelated = (lookup: ComputedLookup, model: Model, args: Args) => {
    const clause = isObject(args['select']) ? 'select' : 'include'
    const selection = args[clause]
    const nested = new Map<string, Extra>()
    let adjusted = args
    for (const [name, value] of isObject(selection) ? Object.entries(selection) : []) {
      const target = model.relations.get(name)?.target
      if (!target) continue
      const before = isObject(value) ? value : {}
      const inner = adjust(lookup, target, before)
      if (inner.extra) nested.set(name, inner.extra)
      if (inner.args === before) continue
      const members = adjusted[clause]
      adjusted = { ...adjusted, [clause]: { ...(isObject(members) ? members : {}), [name]: inner.args } }
    }
    return { args: adjusted, nested }
  }
  return (client, model, args) => {
    const lookup = computedLookup(client)
    const adjusted = lookup ? adjust(lookup, model, args) : { args, extra: undefined }
    return withSafeStrategy ? { ...adjusted, args: withSafeStrategy(model, adjusted.args) } : adjusted
  }
}

const NONE: readonly string[] = []

function adjustComputed(
  model: Model,
  args: Args,
  info: ComputedInfo | undefined,
): { readonly args: Args; readonly names: readonly string[] } {
  if (!info) return { args, names: NONE }
  const { select, omit } = args
  if (!isObject(select)) {
    if (!info.omit) return { args, names: NONE }
    return { args: { ...args, omit: { ...info.omit, ...(isObject(omit) ? omit : {}) } }, names: NONE }
  }
  const retained = Object.entries(select).filter(([name]) => !info.omit || !Object.hasOwn(info.omit, name))
  const loadsAnyField = retained.some(([name]) => !info.independent.has(name))
  if (loadsAnyField && retained.length === Object.keys(select).length) return { args, names: NONE }
  // Prisma rejects a query that loads no field.
  const names = loadsAnyField ? NONE : idFields(model)
  return { args: { ...args, select: { ...Object.fromEntries(retained), ...selectFields(names) } }, names }
}

/**
 * Determines which of a client's computed fields to omit. A computed field with the name of a schema field replaces that field and is
 * exposed in the same way, unless it depends on a field that is never read.
 */
function readComputedInfo(model: Model, fields: ComputedFields): ComputedInfo {
  const isField = (name: string) => model.fields.get(name)?.writeOnly !== true && model.fields.has(name)
  const hidden = Object.values(fields).filter((field) => {
    return !model.computed.has(field.name) && (!isField(field.name) || exposesHiddenField(field, model))
  })
  const independent = Object.values(fields).filter(({ name, needs }) => needs.length === 0 && model.computed.has(name))
  return {
    omit: hidden.length > 0 ? selectFields(hidden.map(({ name }) => name)) : undefined,
    independent: new Set(independent.map(({ name }) => name)),
  }
}

/**
 * Returns the computed fields of a model that are not fields of the schema. Prisma adds them to results that contain no rows, such as counts
 * and groups.
 */
export function computedExtra(client: unknown, model: Model): Extra | undefined {
  const fields = computedLookup(client)?.(model.delegate)
  return fields && { names: Object.keys(fields).filter((name) => name !== 'count' && !model.fields.has(name)) }
}

/** Returns a copy of rows without the extra properties. Does not read them, so that computed fields are not computed. */
export function stripExtraFields(rows: unknown, extra: Extra | undefined): unknown {
  if (!extra || typeof rows !== 'object' || rows === null) return rows
  if (Array.isArray(rows)) return rows.map((row) => stripExtraFields(row, extra))
  const { names, nested } = extra
  const retained = Object.keys(rows).filter((name) => !names.includes(name))
  return Object.fromEntries(
    retained.map((name) => [name, stripExtraFields(Reflect.get(rows, name), nested?.get(name))]),
  )
}
