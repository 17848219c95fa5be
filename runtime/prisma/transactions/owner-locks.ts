import { isWrappedUpdate } from '../../schema/keyword-named-fields.js'
import { isObject } from '../../values/is-object.js'
import { serializeKey, selectFields } from '../keys.js'
import { type Lockable, lockRow, type RowLock, createRowLock, uniqueConditions } from './row-lock.js'
import { callClient, type PortRow } from '../call-client.js'

/** The parts of a model that are needed to traverse nested writes. */
export interface OwnerModel {
  readonly name: string
  readonly fields: { has(name: string): boolean }
  readonly relations: ReadonlyMap<string, OwnerRelation>
}

interface OwnerRelation {
  readonly many?: boolean
  readonly target: OwnerModel
}

/** The rows whose related rows a change replaces: the changed row itself and rows changed in nested writes. */
export interface Owners {
  readonly model: OwnerModel
  readonly isOwner: boolean
  /** By relation: the owners among the nested rows and, if the relation is to-many, the `where` of each nested row. */
  readonly nested: ReadonlyMap<string, { readonly wheres: readonly unknown[]; readonly owners: Owners }>
}

interface MutableOwners extends Owners {
  isOwner: boolean
  readonly nested: Map<string, { readonly wheres: unknown[]; readonly owners: MutableOwners }>
}

/**
 * Finds the rows whose related rows a change replaces with `set`. Without locks, two concurrent changes would each remove only the related
 * rows that they found, so the related rows of both would remain.
 * @param data the data of an update, in Prisma's form
 * @returns undefined if there are no such rows
 */
export function findOwners(model: OwnerModel, data: unknown): Owners | undefined {
  const owners = createOwners(model)
  return addOwners(owners, data) ? owners : undefined
}

function createOwners(model: OwnerModel): MutableOwners {
  return { model, isOwner: false, nested: new Map() }
}

/** Adds the owners among the rows that the data changes, and returns whether there are any. */
function addOwners(owners: MutableOwners, data: unknown): boolean {
  if (!isObject(data)) return false
  const { model, nested } = owners
  let hasOwners = false
  for (const [name, relation] of model.relations) {
    const writes = data[name]
    if (!isObject(writes)) continue
    const { many, target } = relation
    if (many && writes['set'] !== undefined) hasOwners = owners.isOwner = true
    for (const [where, nestedData] of listNestedUpdates(relation, writes)) {
      const entry = nested.get(name) ?? { wheres: [], owners: createOwners(target) }
      if (!addOwners(entry.owners, nestedData)) continue
      if (many) entry.wheres.push(where)
      nested.set(name, entry)
      hasOwners = true
    }
  }
  return hasOwners
}

/** Returns the nested updates of related rows with their `where`. */
function listNestedUpdates({ many, target }: OwnerRelation, writes: PortRow): readonly (readonly [unknown, unknown])[] {
  const updates = toObjects(writes['update']).map((update) => {
    return [update['where'], many || isWrappedUpdate(target, update) ? update['data'] : update] as const
  })
  return [...updates, ...toObjects(writes['upsert']).map((upsert) => [upsert['where'], upsert['update']] as const)]
}

function toObjects(value: unknown): PortRow[] {
  return [value].flat().filter(isObject)
}

/** Returns how a model's rows are locked, or undefined if the model has no resource. */
export type LockableOf = (model: string) => Lockable | undefined

/** A change to a row that replaces its related rows. */
export interface OwnerReplacement {
  readonly owners: Owners
  /** The `where` of the row. */
  readonly where: PortRow
  /** Whether the row might not exist yet, as in an upsert. */
  readonly isUpsert: boolean
}

/**
 * Prepares to lock the rows whose related rows a change replaces. See {@link createRowLock}. All requests lock them in the same order,
 * which prevents deadlocks.
 * @param client a client that can read the rows and is not in the transaction yet
 * @returns undefined if the row of an upsert does not exist
 */
export async function createOwnersLock(
  client: unknown,
  { owners, where, isUpsert }: OwnerReplacement,
  lockableOf: LockableOf,
): Promise<RowLock | undefined> {
  const model = lockableOf(owners.model.name)
  if (!model) return noLock
  const criteria = Object.fromEntries(Object.entries(where).filter(([name]) => model.criteria.has(name)))
  if (owners.nested.size === 0 && !isUpsert) return createRowLock(client, model, criteria)
  const select = createOwnersSelect(owners, model, lockableOf)
  const row = await callClient(client, model, 'findUnique', { where: criteria, select })
  if (!row) return isUpsert ? undefined : noLock
  const locked = listOwners(row, owners, model, lockableOf)
  const sorted = [...new Map(locked.map((owner) => [toSortKey(owner), owner]))].sort(([left], [right]) =>
    left < right ? -1 : 1,
  )
  return async (tx) => {
    for (const [, [owner, values]] of sorted) await lockRow(tx, owner, values)
  }
}

/**
 * Restricts the `where` of an upsert whose row does not exist, so that it can only create the row or fail. An update would require the
 * row's lock.
 */
export function createOnlyWhere({ owners, where }: OwnerReplacement, lockableOf: LockableOf): PortRow {
  const { AND = [] } = where
  return { ...where, AND: [lockableOf(owners.model.name)?.noRows, AND].flat() }
}

const noLock: RowLock = async () => undefined

type OwnerRow = readonly [Lockable, PortRow]

function toSortKey([{ delegate, id }, row]: OwnerRow): string {
  return `${delegate} ${serializeKey(id, row)}`
}

function createOwnersSelect({ nested }: Owners, { id, updatedAtFields }: Lockable, lockableOf: LockableOf): PortRow {
  const select: PortRow = selectFields([...id, ...updatedAtFields])
  for (const [relation, { wheres, owners }] of nested) {
    const target = lockableOf(owners.model.name)
    if (!target) continue
    const filter = wheres.length > 0 && {
      where: { OR: wheres.map((where) => ({ AND: isObject(where) ? uniqueConditions(target.criteria, where) : [] })) },
    }
    select[relation] = { ...filter, select: createOwnersSelect(owners, target, lockableOf) }
  }
  return select
}

function listOwners(
  row: PortRow,
  { isOwner, nested }: Owners,
  model: Lockable,
  lockableOf: LockableOf,
): readonly OwnerRow[] {
  const related = [...nested].flatMap(([relation, { owners }]) => {
    const target = lockableOf(owners.model.name)
    return target ? toObjects(row[relation]).flatMap((member) => listOwners(member, owners, target, lockableOf)) : []
  })
  const values = Object.fromEntries([...model.id, ...model.updatedAtFields].map((name) => [name, row[name]]))
  return isOwner ? [[model, values], ...related] : related
}
