import { isWrappedUpdate } from '../schema/filter-ambiguity.js'
import { isObject } from '../values/is-object.js'
import { serializeKey } from './keys.js'
import { type Lockable, lockRow, type RowLock, createRowLock } from './row-lock.js'
import { callClient, type PortRow } from './client-port.js'
import { selectFields } from './select-fields.js'
import { uniqueConditions } from './claim.js'

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
  /** By relation: the `where` of each nested row if it is to-many, and which of these rows are owners. */
  readonly below: ReadonlyMap<string, { readonly wheres: readonly unknown[]; readonly owners: Owners }>
}

interface Noted extends Owners {
  isOwner: boolean
  readonly below: Map<string, { readonly wheres: unknown[]; readonly owners: Noted }>
}

/**
 * Finds the rows whose related rows a change replaces with `set`. Without locks, two concurrent changes would each remove only the members
 * that they found, so the members of both would remain.
 * @param data the data of an update, in Prisma's form
 * @returns undefined if there are none
 */
export function findOwners(model: OwnerModel, data: unknown): Owners | undefined {
  const owners = nothingOf(model)
  return note(owners, data) ? owners : undefined
}

function nothingOf(model: OwnerModel): Noted {
  return { model, isOwner: false, below: new Map() }
}

/** @returns whether there are any owners */
function note(owners: Noted, data: unknown): boolean {
  if (!isObject(data)) return false
  const { model, below } = owners
  let isAny = false
  for (const [name, relation] of model.relations) {
    const writes = data[name]
    if (!isObject(writes)) continue
    const { many, target } = relation
    if (many && writes['set'] !== undefined) isAny = owners.isOwner = true
    for (const [where, change] of changesIn(relation, writes)) {
      const entry = below.get(name) ?? { wheres: [], owners: nothingOf(target) }
      if (!note(entry.owners, change)) continue
      if (many) entry.wheres.push(where)
      below.set(name, entry)
      isAny = true
    }
  }
  return isAny
}

/** Returns the nested updates of related rows with their `where`. */
function changesIn({ many, target }: OwnerRelation, writes: PortRow): readonly (readonly [unknown, unknown])[] {
  const updates = objectsOf(writes['update']).map((one) => {
    return [one['where'], many || isWrappedUpdate(target, one) ? one['data'] : one] as const
  })
  return [...updates, ...objectsOf(writes['upsert']).map((one) => [one['where'], one['update']] as const)]
}

function objectsOf(value: unknown): PortRow[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

/** Returns how a model's rows are locked, or undefined if the model has no resource. */
export type LockableOf = (model: string) => Lockable | undefined

/** A change of a row that replaces related rows. */
export interface Replacing {
  readonly owners: Owners
  /** The `where` of the row. */
  readonly where: PortRow
  /** Whether the row may not exist yet, as in an upsert. */
  readonly mayLack: boolean
}

/**
 * Prepares to lock the rows whose related rows a change replaces. See {@link createRowLock}. All requests lock them in the same order,
 * which prevents deadlocks.
 * @param client a client that can read the rows and is not in the transaction yet
 * @returns undefined if the row may be missing and does not exist
 */
export async function createOwnersLock(
  client: unknown,
  { owners, where, mayLack }: Replacing,
  lockableOf: LockableOf,
): Promise<RowLock | undefined> {
  const model = lockableOf(owners.model.name)
  if (!model) return nothing
  const criteria = Object.fromEntries(Object.entries(where).filter(([name]) => model.criteria.has(name)))
  if (owners.below.size === 0 && !mayLack) return createRowLock(client, model, criteria)
  const select = selectOf(owners, model, lockableOf)
  const row = await callClient(client, model, 'findUnique', { where: criteria, select })
  if (!row) return mayLack ? undefined : nothing
  const found = ownersOf(row, owners, model, lockableOf)
  const inOrder = [...new Map(found.map((each) => [textOf(each), each]))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return async (inside) => {
    for (const [, [owner, values]] of inOrder) await lockRow(inside, owner, values)
  }
}

/** Restricts the `where` of an upsert of a missing row, so that it can only create the row or fail. An update would require its lock. */
export function createOnlyWhere({ owners, where }: Replacing, lockableOf: LockableOf): PortRow {
  const { AND = [] } = where
  return { ...where, AND: [lockableOf(owners.model.name)?.none, ...(Array.isArray(AND) ? AND : [AND])] }
}

const nothing: RowLock = async () => undefined

type Found = readonly [Lockable, PortRow]

function textOf([{ delegate, id }, row]: Found): string {
  return `${delegate} ${serializeKey(id, row)}`
}

function selectOf({ below }: Owners, { id, updatedAtFields }: Lockable, lockableOf: LockableOf): PortRow {
  const select: PortRow = selectFields([...id, ...updatedAtFields])
  for (const [relation, { wheres, owners }] of below) {
    const target = lockableOf(owners.model.name)
    if (!target) continue
    const some = wheres.length > 0 && {
      where: { OR: wheres.map((where) => ({ AND: isObject(where) ? uniqueConditions(target.criteria, where) : [] })) },
    }
    select[relation] = { ...some, select: selectOf(owners, target, lockableOf) }
  }
  return select
}

function ownersOf(row: PortRow, { isOwner, below }: Owners, model: Lockable, lockableOf: LockableOf): readonly Found[] {
  const related = [...below].flatMap(([relation, { owners }]) => {
    const target = lockableOf(owners.model.name)
    return target ? objectsOf(row[relation]).flatMap((each) => ownersOf(each, owners, target, lockableOf)) : []
  })
  const values = Object.fromEntries([...model.id, ...model.updatedAtFields].map((name) => [name, row[name]]))
  return isOwner ? [[model, values], ...related] : related
}
