import type { Model } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/refuse.js'

/** Fields of results that extensions of the client compute from fields that are never read. */
export interface Telling {
  readonly names: ReadonlySet<string>
  /** Of related rows, by the name of the relation. */
  readonly below: ReadonlyMap<string, Telling>
}

/**
 * Finds the computed fields (`$extends({ result })`) of a result that need fields which are hidden or write-only.
 * @param client Prisma's; of another there is none
 * @param args what the client is asked
 * @returns undefined where there are none
 */
export function tellingFields(client: unknown, model: Model, args: Args): Telling | undefined {
  const { select, include } = args
  // Computed fields cannot be selected by name.
  const names = new Set(select === undefined ? computedFrom(client, model) : [])
  const below = new Map<string, Telling>()
  for (const [name, inner] of Object.entries(isObject(select) ? select : isObject(include) ? include : {})) {
    const target = model.relations.get(name)?.target
    const telling = target && tellingFields(client, target, isObject(inner) ? inner : {})
    if (telling) below.set(name, telling)
  }
  return names.size > 0 || below.size > 0 ? { names, below } : undefined
}

/** Copies of rows without the fields that were found. */
export function withoutTelling(rows: unknown, telling: Telling | undefined): unknown {
  if (!telling || typeof rows !== 'object' || rows === null) return rows
  if (Array.isArray(rows)) return rows.map((row) => withoutTelling(row, telling))
  const { names, below } = telling
  const kept = Object.entries(rows).filter(([name]) => !names.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutTelling(value, below.get(name))]))
}

function computedFrom(client: unknown, { delegate, omit }: Model): string[] {
  if (!omit || typeof client !== 'object' || client === null) return []
  const { _extensions: extensions }: PrismaLike = client
  const computed = Object.values(extensions?.getAllComputedFields?.(delegate) ?? {})
  return computed.filter(({ needs }) => needs.some((name) => Object.hasOwn(omit, name))).map(({ name }) => name)
}

/** What a client of Prisma's knows of its extensions. None of its documented members. */
interface PrismaLike {
  readonly _extensions?: {
    getAllComputedFields?(
      model: string,
    ): Readonly<Record<string, { readonly name: string; readonly needs: readonly string[] }>> | undefined
  }
}
