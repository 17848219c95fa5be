import { deny, MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { whereAnyKey } from '../../prisma/keys.js'
import type { Args } from '../args.js'
import { type PolicyRelation, type PolicyModel, idFilter, rowKey, uniqueWhere } from '../policy-schema.js'
import { readableCondition } from '../read/readable-where.js'
import { matchingKeysQuery } from '../read/redact.js'
import { restrict, allOf } from '../rules/condition.js'
import {
  assertExclusiveTargetsReadable,
  assertReferencedFieldsUnchanged,
  assertTargetsReadable,
  countsAsChanged,
  isFieldReadable,
  relationsToCheck,
  rowsWithReadableField,
} from './assert-targets-readable.js'
import { deferUpdateCheck, writeCondition } from './write-condition.js'
import { lockForCondition, whereRows } from './lock-and-check.js'
import { lockRows, throwRowError, groupByGuard, toIds } from './lock-rows.js'
import { bumpVersion } from './split-data.js'
import { type ParentLink, type WriteContext, changedKeys, nestedContext } from './write-context.js'

/** The connections between one row and rows of another model, by foreign keys or by a join table. */
export interface RelationLinks {
  /** A filter for the connected rows. */
  readonly members: Args
  /** The values that connect a new row; undefined for a join table. */
  readonly link: ParentLink | undefined
  /**
   * Checks that rows can be disconnected.
   * @throws MissingRowError with Prisma's code if the foreign key is required, whether or not a row is connected
   */
  assertDetachable(): void
  /**
   * Creates a connected row.
   * @param path the position of the data in the nested write
   */
  create(data: unknown, ...path: readonly string[]): Promise<void>
  /** Connects readable rows. */
  connect(targets: readonly Args[]): Promise<void>
  /** Disconnects readable rows. */
  disconnect(targets: readonly Args[]): Promise<void>
}

/**
 * Creates the links of a row through one of its relations.
 * @throws PolicyError if the resource does not contain the inverse relation, for example because it is hidden
 */
export function createRelationLinks(writeContext: WriteContext, relation: PolicyRelation, row: Args): RelationLinks {
  const { inverseRelation } = relation
  if (inverseRelation?.foreignKey)
    return foreignKeyLinks(writeContext, relation, inverseRelation, inverseRelation.foreignKey, row)
  if (inverseRelation?.many && relation.many) return joinTableLinks(writeContext, relation, inverseRelation, row)
  return deny(`"${relation.name}" cannot be written under access policies. Write the relation from its other side.`)
}

function foreignKeyLinks(
  writeContext: WriteContext,
  { name, target }: PolicyRelation,
  inverse: PolicyRelation,
  foreignKey: Readonly<Record<string, string>>,
  row: Args,
): RelationLinks {
  const values = Object.fromEntries(
    Object.entries(foreignKey).map(([field, referencedField]) => [field, row[referencedField]]),
  )
  // If a value were null, all rows without a parent would count as related rows.
  if (Object.values(values).some((value) => value === null || value === undefined)) {
    return deny(`"${name}" cannot be written: the row has no value that foreign keys can refer to.`)
  }
  const written = inverse.name
  const link: ParentLink = { values, relation: written }
  const assertDetachable = () => {
    if (Object.keys(foreignKey).every((field) => target.fields.get(field)?.optional)) return
    throw new MissingRowError('P2014', `Rows of "${name}" cannot exist without their parent row.`)
  }
  return {
    get members() {
      return restrict(target, values, readableCondition(writeContext, target, [inverse.name]))
    },
    link,
    assertDetachable,
    async create(data, ...path) {
      await writeContext.rows.create(nestedContext(writeContext, ...path), target, data, link)
    },
    async connect(found) {
      const connected = found.filter((member) =>
        Object.entries(values).every(([field, value]) => member[field] === value),
      )
      // Skip rows that are already connected, but only if the caller can read the key. Otherwise skipping would reveal it.
      const readable = await rowsWithReadableField(writeContext, target, connected, inverse.name)
      const done = new Set(connected.filter((member) => readable.has(rowKey(target, member))))
      const others = found.filter((member) => !done.has(member))
      await updateForeignKeys(writeContext, target, others, values, written)
    },
    async disconnect(found) {
      if (found.length === 0) return
      assertDetachable()
      const nullKey = Object.fromEntries(Object.keys(foreignKey).map((field) => [field, null]))
      await updateForeignKeys(writeContext, target, found, nullKey, written)
    },
  }
}

/** Maximum number of rows per statement. Each row adds a condition to the query. */
const MAX_ROWS_PER_STATEMENT = 250

function joinTableLinks(
  writeContext: WriteContext,
  { name, target }: PolicyRelation,
  inverse: PolicyRelation,
  row: Args,
): RelationLinks {
  const model = inverse.target
  const members = { [inverse.name]: { some: idFilter(model, row) } }
  const write = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    for (let start = 0; start < found.length; start += MAX_ROWS_PER_STATEMENT) {
      const chunk = found.slice(start, start + MAX_ROWS_PER_STATEMENT).map((member) => uniqueWhere(target, member))
      await callClient(writeContext.client, model, 'update', {
        where: uniqueWhere(model, row),
        data: { [name]: { [operation]: chunk } },
        select: Object.fromEntries(model.idFields.map((field) => [field, true])),
      })
    }
  }
  // Skip links that need no change, but only if the caller can read the relation from both sides. Otherwise skipping would reveal them.
  const findDone = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    if (!(await isFieldReadable(writeContext, model, row, name))) return () => false
    const ids = found.map((member) => idFilter(target, member))
    const connected = await matchingKeysQuery(() => writeContext.client)(target, ids, members)
    const readable = await rowsWithReadableField(writeContext, target, found, inverse.name)
    return (member: Args) =>
      readable.has(rowKey(target, member)) && connected.has(rowKey(target, member)) === (operation === 'connect')
  }
  // A join table belongs to both models, so connecting a row also counts as an update of the other row.
  const change = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    if (found.length === 0) return
    const done = await findDone(operation, found)
    const changed = found.filter((member) => !done(member))
    if (changed.length === 0) return
    const written = [inverse.name]
    const condition = writeCondition(writeContext.rules, 'update', target, written)
    await lockRows(writeContext, target, changed, condition)
    await write(operation, changed)
    for (const member of changed) deferUpdateCheck(writeContext, target, member, written, condition)
  }
  return {
    get members() {
      const owner = restrict(model, idFilter(model, row), readableCondition(writeContext, model, [name]))
      return restrict(
        target,
        { [inverse.name]: { some: owner } },
        readableCondition(writeContext, target, [inverse.name]),
      )
    },
    link: undefined,
    assertDetachable() {},
    async create(data, ...path) {
      // Creating the row also writes its side of the relation, so the field rules of that side apply.
      const link: ParentLink = { values: {}, relation: inverse.name }
      await write('connect', [await writeContext.rows.create(nestedContext(writeContext, ...path), target, data, link)])
    },
    connect: (found) => change('connect', found),
    disconnect: (found) => change('disconnect', found),
  }
}

/**
 * Sets the same foreign key values on readable rows.
 * @throws PolicyError if one of them may not be updated
 */
async function updateForeignKeys(
  writeContext: WriteContext,
  model: PolicyModel,
  found: readonly Args[],
  values: Args,
  relationName: string,
): Promise<void> {
  const { hooks } = writeContext
  const rows = [...new Map(found.map((row) => [rowKey(model, row), row])).values()]
  const usesBulkHooks = hooks.hasBulkHooks(model, 'update')
  const isBulk = rows.length > 1 && (usesBulkHooks || !hooks.hasRowHooks(model, 'update'))
  if (!isBulk) {
    for (const row of rows)
      await writeContext.rows.update(writeContext, model, row, {}, { values, relation: relationName })
    return
  }
  writeCondition(writeContext.rules, 'update', model, [relationName])
  const ids = whereAnyKey(model.idFields, toIds(model, rows))
  const data = usesBulkHooks ? await hooks.beforeUpdateMany(writeContext, model, ids, values) : values
  const added = changedKeys(values, data)
  const names = [relationName, ...added]
  const condition = writeCondition(writeContext.rules, 'update', model, names)
  const relations = relationsToCheck(model, new Set(added), [relationName])
  for (const row of rows) {
    assertReferencedFieldsUnchanged(writeContext, model, data, row)
    await assertExclusiveTargetsReadable(writeContext, model, relations, data, row)
  }
  for (const [chunk, guard] of groupByGuard(writeContext, model, rows)) {
    const checked = await lockForCondition(writeContext, model, chunk, allOf([guard, condition]))
    if (checked === false) await throwRowError(writeContext, model, chunk, condition)
    const where = whereRows(model, chunk, checked)
    const { count } = await callClient(writeContext.client, model, 'updateMany', {
      where,
      data: bumpVersion(model, data),
    })
    if (count < chunk.length) await throwRowError(writeContext, model, chunk, condition)
    for (const relation of relations) {
      const isChanged = (field: string, row: Args) =>
        Object.hasOwn(data, field) && countsAsChanged(writeContext, model, field, row, data)
      const key = Object.keys(relation.foreignKey ?? {})
      const changed = chunk.filter((row) => key.some((field) => isChanged(field, row)))
      const written = changed.map((row) => ({ ...row, ...data }))
      await assertTargetsReadable(writeContext, model, written, [relation])
    }
    for (const row of chunk) deferUpdateCheck(writeContext, model, { ...row, ...data }, names, condition)
  }
  if (usesBulkHooks) await hooks.afterUpdateMany(writeContext, model, ids, data, rows.length)
}
