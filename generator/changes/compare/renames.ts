import { looksLikeSecret } from '../../model/annotations/secrets.js'
import type { FieldSpec, ModelSpec, RelationSpec } from '../../model/api-model.js'

/** So much of a model has to be the same where it has another name. */
const SAME = 0.75

/**
 * Finds models that are the same as before but for their names.
 * @returns the new name by the old one
 */
export function findRenamedModels(
  before: readonly ModelSpec[],
  after: readonly ModelSpec[],
): ReadonlyMap<string, string> {
  const gone = before.filter(({ name }) => !after.some((model) => model.name === name))
  const come = after.filter(({ name }) => !before.some((model) => model.name === name))
  return pairs(gone, come, (one, other) => likeness(one, other) >= SAME)
}

/**
 * Finds fields that are the same as before but for their names. One that keeps its column is; another one is where nothing else fits it, unless
 * it is called like a secret now.
 * @returns the new name by the old one
 */
export function findRenamedFields(
  before: readonly FieldSpec[],
  after: readonly FieldSpec[],
): ReadonlyMap<string, string> {
  const gone = before.filter(({ name }) => !after.some((field) => field.name === name))
  const come = after.filter(({ name }) => !before.some((field) => field.name === name))
  const kept = pairs(gone, come, (one, other) => columnOf(one) === columnOf(other) && isAlike(one, other))
  const newNames = new Set(kept.values())
  const others = pairs(
    gone.filter(({ name }) => !kept.has(name)),
    come.filter(({ name }) => !newNames.has(name)),
    (one, other) =>
      one.exposure === other.exposure &&
      one.rule === other.rule &&
      one.hasDefault === other.hasDefault &&
      isAlike(one, other) &&
      before.indexOf(one) - gone.indexOf(one) === after.indexOf(other) - come.indexOf(other) &&
      (looksLikeSecret(one.name) || !looksLikeSecret(other.name)),
  )
  return new Map([...kept, ...others])
}

/**
 * Finds relations that are the same as before but for their names.
 * @param models the new names of models
 * @param fields the new names of this model's fields
 */
export function findRenamedRelations(
  before: readonly RelationSpec[],
  after: readonly RelationSpec[],
  models: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const gone = before.filter(({ name }) => !after.some((relation) => relation.name === name))
  const come = after.filter(({ name }) => !before.some((relation) => relation.name === name))
  return pairs(gone, come, (one, other) => {
    const key = one.foreignKey.map(([field]) => fields.get(field) ?? field).join()
    return (
      (models.get(one.target) ?? one.target) === other.target &&
      one.many === other.many &&
      one.exposure === other.exposure &&
      key === other.foreignKey.map(([field]) => field).join()
    )
  })
}

/** Those of two lists that fit each other and nothing else. */
function pairs<T extends { readonly name: string }>(
  gone: readonly T[],
  come: readonly T[],
  fits: (one: T, other: T) => boolean,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const one of gone) {
    const [other, ...more] = come.filter((candidate) => fits(one, candidate))
    if (other === undefined || more.length > 0) continue
    if (gone.some((rival) => rival !== one && fits(rival, other))) continue
    found.set(one.name, other.name)
  }
  return found
}

function isAlike(one: FieldSpec, other: FieldSpec): boolean {
  return (
    one.type === other.type &&
    one.list === other.list &&
    one.optional === other.optional &&
    one.values.join() === other.values.join()
  )
}

function columnOf({ name, column }: FieldSpec): string {
  return column ?? name
}

/** How much of two models is the same: members that both have, of all that either has. */
function likeness(one: ModelSpec, other: ModelSpec): number {
  const [ones, others] = [membersOf(one), membersOf(other)]
  const both = ones.filter((member) => others.includes(member)).length
  return both / Math.max(1, ones.length + others.length - both)
}

function membersOf({ fields }: ModelSpec): string[] {
  return fields.map(({ name, type, list }) => `${name} ${type}${list ? '[]' : ''}`)
}
