import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { ormErrorMembers } from '../../errors/database/prisma-error.js'
import { RequestError } from '../../errors/request-error.js'
import type { Scalars } from '../request/body/parse-attributes.js'
import type { ForeignKey, Relationship, RestModel } from '../rest-model.js'
import type { RelationshipInput, RelationshipInputs } from '../request/body/parse-resource-body.js'

/** The to-one linkage of a body, converted to foreign keys where possible. */
export interface ForeignKeyWrites {
  /** Foreign keys to write, by field. */
  readonly keys: Readonly<Record<string, unknown>>
  /** The linkage that remains for Prisma to connect. */
  readonly rest: RelationshipInputs
  /** Pointers to the linkage that was converted to foreign keys. */
  readonly pointers: readonly string[]
}

/**
 * Converts to-one linkage to foreign keys. Prisma's `connect` would query the related row before the write and read the new row after it,
 * in a transaction. With foreign keys, the write is one statement, and the database rejects dangling keys. Prisma accepts either foreign
 * keys or connections, so either all of the linkage is converted or none of it.
 */
export function writeForeignKeys(linkages: RelationshipInputs, isUpdate: boolean): ForeignKeyWrites {
  const keys: Record<string, unknown> = {}
  const pointers: string[] = []
  const rest = new Map<string, RelationshipInput>()
  for (const input of linkages.values()) {
    const { relationship, linkage, pointer } = input
    if (linkage.many || !relationship.relation.foreignKey) {
      rest.set(relationship.name, input)
      continue
    }
    const values = keyValues(relationship, linkage.target)
    if (!values) return connectOnly(linkages)
    if (!isUpdate && !linkage.target) continue
    // An empty relationship does not clear a field that another one sets.
    for (const name in values) if (linkage.target || !Object.hasOwn(keys, name)) keys[name] = values[name]
    pointers.push(pointer)
  }
  return { keys, rest, pointers }
}

/** Leaves all linkage for Prisma to connect. */
export function connectOnly(linkages: RelationshipInputs): ForeignKeyWrites {
  return { keys: {}, rest: linkages, pointers: [] }
}

/** Returns the foreign key values that link to a row, or that clear the link. Undefined if the relation must be connected instead. */
export function keyValues(
  { linkageKey: key, relation: { nullableKeys, foreignKey = {} } }: Relationship,
  target: Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {}
  if (target) {
    if (!key) return undefined
    for (const [name, reference] of key) values[name] = target[reference]
    return values
  }
  if (!key && nullableKeys.length === Object.keys(foreignKey).length) return undefined
  // Prisma would set all fields of the key to null. A compound key may share its required fields with another key or with the id.
  for (const name of nullableKeys) values[name] = null
  return values
}

/**
 * Converts a foreign key violation to a 404 for linkage that was written as foreign keys.
 * @returns undefined for other errors
 */
export function missingTargetError(error: unknown, pointers: readonly string[]): RequestError | undefined {
  const [first, second] = pointers
  if (first === undefined || classifyDatabaseError(error) !== 'foreign-key-violation') return undefined
  return new RequestError({
    code: 'not-found',
    detail: 'A related record was not found.',
    source: { pointer: second === undefined ? first : '/data/relationships' },
    ...ormErrorMembers(error),
  })
}

/**
 * Converts foreign keys to connections if a body contains both foreign keys and connections, for different relations. Prisma does not
 * accept both in one call.
 * @param scalars the body's attributes; converted foreign keys are removed
 * @param linkages the relations in the body, by name
 * @param models all models, for the unique criteria of the targets
 * @param isUpdate whether a null key must disconnect the current row
 * @returns the data of the converted relations
 */
export function connectForeignKeys(
  scalars: Scalars,
  linkages: ReadonlyMap<string, unknown>,
  model: RestModel,
  models: ReadonlyMap<string, RestModel>,
  isUpdate: boolean,
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  if (linkages.size === 0) return data
  const isMixed = [...model.foreignKeys.values()].some((keys) => keys.some(({ relation }) => linkages.has(relation)))
  if (!isMixed) return data
  const converted = new Set<string>()
  for (const key of new Set([...scalars.keys()].flatMap((name) => model.foreignKeys.get(name) ?? []))) {
    const names = Object.keys(key.fields)
    if (linkages.has(key.relation) || !names.every((name) => scalars.has(name))) continue
    for (const name of names) converted.add(name)
    const isEmpty = names.some((name) => scalars.get(name) === null)
    if (!isEmpty) data[key.relation] = { connect: referenceWhere(key, scalars, models.get(key.target)) }
    else if (isUpdate) data[key.relation] = { disconnect: true }
  }
  for (const name of converted) scalars.delete(name)
  return data
}

/** Returns Prisma's unique `where` for the target of a foreign key. */
function referenceWhere(key: ForeignKey, scalars: Scalars, target: RestModel | undefined): Record<string, unknown> {
  const values = Object.fromEntries(
    Object.entries(key.fields).map(([field, reference]) => [reference, scalars.get(field)]),
  )
  const names = Object.keys(values)
  if (names.length === 1) return values
  const criteria = [...(target?.model.uniques ?? [])]
  const unique = criteria.find(
    ([, fields]) => fields.length === names.length && fields.every((name) => Object.hasOwn(values, name)),
  )
  return { [unique?.[0] ?? names.join('_')]: values }
}
