import { isSecretName } from '../../model/annotations/secrets.js'
import type { FieldSpec, ModelSpec, RelationSpec } from '../../model/api-model.js'

/** Minimum similarity of two models to count as one renamed model. */
const MIN_SIMILARITY = 0.75

/**
 * Finds renamed models.
 * @returns the new names, by old name
 */
export function findRenamedModels(
  before: readonly ModelSpec[],
  after: readonly ModelSpec[],
): ReadonlyMap<string, string> {
  const removed = before.filter(({ name }) => !after.some((model) => model.name === name))
  const added = after.filter(({ name }) => !before.some((model) => model.name === name))
  return matchPairs(removed, added, (left, right) => getSimilarity(left, right) >= MIN_SIMILARITY)
}

/**
 * Finds renamed fields. A field that keeps its column and type was renamed. Otherwise, it must be the only match with the same properties
 * and position, and the new name must not look like that of a secret unless the old one does.
 * @returns the new names, by old name
 */
export function findRenamedFields(
  before: readonly FieldSpec[],
  after: readonly FieldSpec[],
): ReadonlyMap<string, string> {
  const removed = before.filter(({ name }) => !after.some((field) => field.name === name))
  const added = after.filter(({ name }) => !before.some((field) => field.name === name))
  const byColumn = matchPairs(
    removed,
    added,
    (left, right) => getColumnName(left) === getColumnName(right) && haveSameType(left, right),
  )
  const newNames = new Set(byColumn.values())
  const byTraits = matchPairs(
    removed.filter(({ name }) => !byColumn.has(name)),
    added.filter(({ name }) => !newNames.has(name)),
    (left, right) =>
      left.exposure === right.exposure &&
      left.rule === right.rule &&
      left.hasDefault === right.hasDefault &&
      haveSameType(left, right) &&
      before.indexOf(left) - removed.indexOf(left) === after.indexOf(right) - added.indexOf(right) &&
      (isSecretName(left.name) || !isSecretName(right.name)),
  )
  return new Map([...byColumn, ...byTraits])
}

/**
 * Finds renamed relations.
 * @param models the new names of models
 * @param fields the new names of this model's fields
 */
export function findRenamedRelations(
  before: readonly RelationSpec[],
  after: readonly RelationSpec[],
  models: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const removed = before.filter(({ name }) => !after.some((relation) => relation.name === name))
  const added = after.filter(({ name }) => !before.some((relation) => relation.name === name))
  return matchPairs(removed, added, (left, right) => {
    const key = left.foreignKey.map(([field]) => fields.get(field) ?? field).join()
    return (
      (models.get(left.target) ?? left.target) === right.target &&
      left.many === right.many &&
      left.exposure === right.exposure &&
      key === right.foreignKey.map(([field]) => field).join()
    )
  })
}

/** Returns the pairs of items that match each other and no other item. */
function matchPairs<T extends { readonly name: string }>(
  removed: readonly T[],
  added: readonly T[],
  isMatch: (left: T, right: T) => boolean,
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const left of removed) {
    const [right, ...more] = added.filter((candidate) => isMatch(left, candidate))
    if (right === undefined || more.length > 0) continue
    if (removed.some((rival) => rival !== left && isMatch(rival, right))) continue
    pairs.set(left.name, right.name)
  }
  return pairs
}

function haveSameType(left: FieldSpec, right: FieldSpec): boolean {
  return (
    left.type === right.type &&
    left.list === right.list &&
    left.optional === right.optional &&
    left.values.join() === right.values.join()
  )
}

function getColumnName({ name, column }: FieldSpec): string {
  return column ?? name
}

/** Returns the similarity of two models: the number of fields in common divided by the number of all fields. */
function getSimilarity(left: ModelSpec, right: ModelSpec): number {
  const [leftFields, rightFields] = [describeFields(left), describeFields(right)]
  const common = leftFields.filter((field) => rightFields.includes(field)).length
  return common / Math.max(1, leftFields.length + rightFields.length - common)
}

function describeFields({ fields }: ModelSpec): string[] {
  return fields.map(({ name, type, list }) => `${name} ${type}${list ? '[]' : ''}`)
}
