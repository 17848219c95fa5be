import { idFields, type Model } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'
import { type ComputedFields, computedLookup, type ComputedLookup, exposesHiddenField } from './computed.js'
import { selectFields } from './select-fields.js'

/** Arguments of an operation. */
type Args = Record<string, unknown>

/** What the client is asked in place of what the request asks, and what of its rows was asked for that alone. */
export interface AdjustedArgs {
  readonly args: Args
  readonly extra: Extra | undefined
}

/** Members of rows that are on no answer. */
export interface Extra {
  readonly names: readonly string[]
  /** Of related rows, by the name of the relation. */
  readonly below: ReadonlyMap<string, Extra>
}

/** Fits arguments whose result are rows to the computed fields (`$extends({ result })`) that the client has. */
export type AdjustArgs = (client: unknown, model: Model, args: Args) => AdjustedArgs

/** What is to be known of the computed fields that a client has of a model. */
interface Own {
  /** Those that are not exposed, in Prisma's `omit` form: neither computed nor loaded for. */
  readonly omit: Readonly<Record<string, true>> | undefined
  /** Those that are computed from nothing. */
  readonly rootless: ReadonlySet<string>
}

/** Makes the {@link Adjust} of a handler. What depends on a client's extensions alone is computed once. */
export function createArgsAdjuster(): AdjustArgs {
  const known = new WeakMap<ComputedFields, Own>()
  const ownOf = (model: Model, fields: ComputedFields | undefined): Own | undefined => {
    if (!fields) return undefined
    const own = known.get(fields) ?? readOwn(model, fields)
    known.set(fields, own)
    return own
  }
  const adjust = (lookup: ComputedLookup, model: Model, args: Args): AdjustedArgs => {
    const { args: related, below } = adjustRelated(lookup, model, args)
    const { args: adjusted, names } = adjustOwn(model, related, ownOf(model, lookup(model.delegate)))
    return { args: adjusted, extra: names.length > 0 || below.size > 0 ? { names, below } : undefined }
  }
  const adjustRelated = (lookup: ComputedLookup, model: Model, args: Args) => {
    const clause = isObject(args['select']) ? 'select' : 'include'
    const given = args[clause]
    const below = new Map<string, Extra>()
    let adjusted = args
    for (const [name, value] of isObject(given) ? Object.entries(given) : []) {
      const target = model.relations.get(name)?.target
      if (!target) continue
      const before = isObject(value) ? value : {}
      const inner = adjust(lookup, target, before)
      if (inner.extra) below.set(name, inner.extra)
      if (inner.args === before) continue
      const members = adjusted[clause]
      adjusted = { ...adjusted, [clause]: { ...(isObject(members) ? members : {}), [name]: inner.args } }
    }
    return { args: adjusted, below }
  }
  return (client, model, args) => {
    const lookup = computedLookup(client)
    return lookup ? adjust(lookup, model, args) : { args, extra: undefined }
  }
}

const NONE: readonly string[] = []

function adjustOwn(
  model: Model,
  args: Args,
  own: Own | undefined,
): { readonly args: Args; readonly names: readonly string[] } {
  if (!own) return { args, names: NONE }
  const { select, omit } = args
  if (!isObject(select)) {
    if (!own.omit) return { args, names: NONE }
    return { args: { ...args, omit: { ...own.omit, ...(isObject(omit) ? omit : {}) } }, names: NONE }
  }
  const kept = Object.entries(select).filter(([name]) => !own.omit || !Object.hasOwn(own.omit, name))
  const isRooted = kept.some(([name]) => !own.rootless.has(name))
  if (isRooted && kept.length === Object.keys(select).length) return { args, names: NONE }
  // Prisma takes no query that loads nothing at all.
  const names = isRooted ? NONE : idFields(model)
  return { args: { ...args, select: { ...Object.fromEntries(kept), ...selectFields(names) } }, names }
}

/**
 * A computed field that has the name of a field of the schema is that field, and is shown like it; but not where it is computed from
 * what is never read.
 */
function readOwn(model: Model, fields: ComputedFields): Own {
  const isField = (name: string) => model.fields.get(name)?.writeOnly !== true && model.fields.has(name)
  const hidden = Object.values(fields).filter((field) => {
    return !model.computed.has(field.name) && (!isField(field.name) || exposesHiddenField(field, model))
  })
  const rootless = Object.values(fields).filter(({ name, needs }) => needs.length === 0 && model.computed.has(name))
  return {
    omit: hidden.length > 0 ? selectFields(hidden.map(({ name }) => name)) : undefined,
    rootless: new Set(rootless.map(({ name }) => name)),
  }
}

/** Copies of rows without what was asked for that no answer shows. Of nothing else the value is computed. */
export function stripExtraFields(rows: unknown, extra: Extra | undefined): unknown {
  if (!extra || typeof rows !== 'object' || rows === null) return rows
  if (Array.isArray(rows)) return rows.map((row) => stripExtraFields(row, extra))
  const { names, below } = extra
  const kept = Object.keys(rows).filter((name) => !names.includes(name))
  return Object.fromEntries(kept.map((name) => [name, stripExtraFields(Reflect.get(rows, name), below.get(name))]))
}
