import { classifyDatabaseError } from '../../errors/database-error.js'
import { ormErrorMembers } from '../../errors/from-prisma.js'
import { RequestError } from '../../errors/request-error.js'
import type { Scalars } from '../request/attributes.js'
import type { ForeignKey, Relationship, RestModel } from '../model.js'
import type { RelationshipInput, RelationshipInputs } from '../request/resource-body.js'

/** What a body's to-one linkage has become. */
export interface ForeignKeyWrites {
  /** Foreign keys to write, by field. */
  readonly keys: Readonly<Record<string, unknown>>
  /** The linkage that is left for Prisma to connect. */
  readonly left: RelationshipInputs
  /** Where the body gives what was written as foreign keys. */
  readonly pointers: readonly string[]
}

/**
 * Writes to-one linkage as the foreign keys that it stands for. Prisma's `connect` would first look for the related row and then
 * read the new one back, in a transaction; so it is one statement, and the database itself refuses a key that leads nowhere.
 * Prisma takes either foreign keys or connections, so it is done for all of them or for none.
 */
export function writeForeignKeys(linkages: RelationshipInputs, isUpdate: boolean): ForeignKeyWrites {
  const keys: Record<string, unknown> = {}
  const pointers: string[] = []
  let left: Map<string, RelationshipInput> | undefined
  for (const given of linkages.values()) {
    const { relationship, linkage, pointer } = given
    if (linkage.many || !relationship.relation.foreignKey) {
      left ??= new Map()
      left.set(relationship.name, given)
      continue
    }
    const values = keyValues(relationship, linkage.target)
    if (!values || shareKeys(keys, values)) return NO_FOREIGN_KEY_WRITES(linkages)
    if (!isUpdate && !linkage.target) continue
    Object.assign(keys, values)
    pointers.push(pointer)
  }
  return pointers.length === 0 ? NO_FOREIGN_KEY_WRITES(linkages) : { keys, left: left ?? NO_LINKAGES, pointers }
}

const NO_LINKAGES: RelationshipInputs = new Map()

/** What linkage becomes where all of it is left for Prisma to connect. */
export function NO_FOREIGN_KEY_WRITES(linkages: RelationshipInputs): ForeignKeyWrites {
  return { keys: {}, left: linkages, pointers: [] }
}

function shareKeys(keys: Readonly<Record<string, unknown>>, others: Readonly<Record<string, unknown>>): boolean {
  for (const name in others) if (Object.hasOwn(keys, name)) return true
  return false
}

/** The values of a foreign key that links to a row, or to none; undefined where it has to be connected. */
export function keyValues(
  { writtenKey: key, relation: { nullableKeys, foreignKey = {} } }: Relationship,
  target: Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {}
  if (target) {
    if (!key) return undefined
    for (const [name, reference] of key) values[name] = target[reference]
    return values
  }
  const names = Object.keys(foreignKey)
  // Prisma would empty all fields of the key. A longer one may share the required ones with another key, or with the id.
  const isPart = nullableKeys.length < names.length
  if (!isPart && (!key || names.length > 1)) return undefined
  for (const name of nullableKeys) values[name] = null
  return values
}

/**
 * What a violated foreign key means where the body gave it as linkage.
 * @returns a 404, or undefined where the error is another one
 */
export function missingTargetError(error: unknown, pointers: readonly string[]): RequestError | undefined {
  if (pointers.length === 0 || classifyDatabaseError(error) !== 'foreign-key-violation') return undefined
  const [only] = pointers
  const pointer = only !== undefined && pointers.length === 1 ? only : '/data/relationships'
  return new RequestError({
    code: 'not-found',
    detail: 'A record that the request needs does not exist.',
    source: { pointer },
    ...ormErrorMembers(error),
  })
}

/**
 * Prisma takes either foreign keys or the relations that hold them, never both kinds in one call. Where a body gives both
 * kinds, for different relations, its foreign keys are made into connections here.
 * @param scalars what the body gives as attributes; foreign keys are taken out of it
 * @param given the relations that the body gives, by name
 * @param models all models, for the uniques of the other side
 * @param isUpdate whether null has to undo what is there
 * @returns the relations to write beside the given ones
 */
export function connectForeignKeys(
  scalars: Scalars,
  given: ReadonlyMap<string, unknown>,
  model: RestModel,
  models: ReadonlyMap<string, RestModel>,
  isUpdate: boolean,
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  if (given.size === 0) return data
  const mixed = [...model.foreignKeys.values()].some((keys) => keys.some(({ relation }) => given.has(relation)))
  if (!mixed) return data
  const taken = new Set<string>()
  for (const key of new Set([...scalars.keys()].flatMap((name) => model.foreignKeys.get(name) ?? []))) {
    const names = Object.keys(key.fields)
    if (given.has(key.relation) || !names.every((name) => scalars.has(name))) continue
    for (const name of names) taken.add(name)
    const isEmpty = names.some((name) => scalars.get(name) === null)
    if (!isEmpty) data[key.relation] = { connect: referenceWhere(key, scalars, models.get(key.target)) }
    else if (isUpdate) data[key.relation] = { disconnect: true }
  }
  for (const name of taken) scalars.delete(name)
  return data
}

/** Prisma's unique `where` for what a foreign key refers to. */
function referenceWhere(key: ForeignKey, scalars: Scalars, target: RestModel | undefined): Record<string, unknown> {
  const values = Object.fromEntries(Object.entries(key.fields).map(([own, other]) => [other, scalars.get(own)]))
  const names = Object.keys(values)
  if (names.length === 1) return values
  const criteria = [...(target?.model.uniques ?? [])]
  const known = criteria.find(([, fields]) => fields.length === names.length && fields.every((name) => name in values))
  return { [known?.[0] ?? names.join('_')]: values }
}
