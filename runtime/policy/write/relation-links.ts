import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/client-port.js'
import { restrict } from '../rules/condition.js'
import { rowMatcher } from '../read/run-query.js'
import { idFilter, rowKey } from '../read/redaction.js'
import { readableCondition } from '../read/context.js'
import type { PolicyRelation } from '../schema.js'
import { deny, type Args } from '../args.js'
import { updateForeignKeys, lockRows } from './row-batches.js'
import { isFieldReadable, rowsWithReadableField } from './readable-fields.js'
import { deferUpdateCheck, type ParentLink, writeCondition, uniqueWhere, type WriteContext } from './write-context.js'

/** The connections between one row and rows of another model, by foreign keys or by a join table. */
export interface RelationLinks {
  /** A filter for the connected rows. */
  readonly members: Args
  /** The values that connect a new row; undefined for a join table. */
  readonly link: ParentLink | undefined
  /**
   * @throws MissingRowError with Prisma's code if the foreign key is required, whether or not a row is connected
   */
  assertDetachable(): void
  /** Creates a connected row. */
  create(data: unknown): Promise<void>
  /** Connects readable rows. */
  connect(targets: readonly Args[]): Promise<void>
  /** Disconnects readable rows. */
  disconnect(targets: readonly Args[]): Promise<void>
}

/**
 * Creates the links of a row through one of its relations.
 * @throws PolicyError if the resource does not contain the inverse relation, for example because it is hidden
 */
export function createRelationLinks(writing: WriteContext, relation: PolicyRelation, row: Args): RelationLinks {
  const { inverseRelation } = relation
  if (inverseRelation?.foreignKey)
    return byForeignKey(writing, relation, inverseRelation, inverseRelation.foreignKey, row)
  if (inverseRelation?.many && relation.many) return byTable(writing, relation, inverseRelation, row)
  return deny(`"${relation.name}" cannot be written under access policies: write it from its other end.`)
}

function byForeignKey(
  writing: WriteContext,
  { name, target }: PolicyRelation,
  back: PolicyRelation,
  foreignKey: Readonly<Record<string, string>>,
  row: Args,
): RelationLinks {
  const values = Object.fromEntries(
    Object.entries(foreignKey).map(([field, referencedField]) => [field, row[referencedField]]),
  )
  // Otherwise, all rows without an owner would count as members.
  if (Object.values(values).some((value) => value === null || value === undefined)) {
    return deny(`"${name}" cannot be written: the row has no value that its members could refer to.`)
  }
  const written = back.name
  const link: ParentLink = { values, written }
  const assertDetachable = () => {
    if (Object.keys(foreignKey).every((field) => target.fields.get(field)?.optional)) return
    throw new MissingRowError('P2014', `A row of "${name}" cannot be without the row that it belongs to.`)
  }
  return {
    get members() {
      return restrict(target, values, readableCondition(writing, target, [back.name]))
    },
    link,
    assertDetachable,
    async create(data) {
      await writing.rows.create(writing, target, data, link)
    },
    async connect(found) {
      const connected = found.filter((one) => Object.entries(values).every(([field, value]) => one[field] === value))
      // Skip rows that are already connected, but only if the caller can read the key. Otherwise skipping would reveal it.
      const readable = await rowsWithReadableField(writing, target, connected, back.name)
      const done = new Set(connected.filter((one) => readable.has(rowKey(target, one))))
      const others = found.filter((one) => !done.has(one))
      await updateForeignKeys(writing, target, others, values, written)
    },
    async disconnect(found) {
      if (found.length === 0) return
      assertDetachable()
      const none = Object.fromEntries(Object.keys(foreignKey).map((field) => [field, null]))
      await updateForeignKeys(writing, target, found, none, written)
    },
  }
}

/** Rows per statement. Each adds a condition to the query. */
const TOGETHER = 250

function byTable(
  writing: WriteContext,
  { name, target }: PolicyRelation,
  back: PolicyRelation,
  row: Args,
): RelationLinks {
  const model = back.target
  const members = { [back.name]: { some: idFilter(model, row) } }
  const write = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    for (let start = 0; start < found.length; start += TOGETHER) {
      const some = found.slice(start, start + TOGETHER).map((one) => uniqueWhere(target, one))
      await callClient(writing.client, model, 'update', {
        where: uniqueWhere(model, row),
        data: { [name]: { [operation]: some } },
        select: Object.fromEntries(model.idFields.map((field) => [field, true])),
      })
    }
  }
  // Skip links that need no change, but only if the caller can read the relation from both ends. Otherwise skipping would reveal them.
  const isDone = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    if (!(await isFieldReadable(writing, model, row, name))) return () => false
    const ids = found.map((one) => idFilter(target, one))
    const connected = await rowMatcher(() => writing.client)(target, ids, members)
    const readable = await rowsWithReadableField(writing, target, found, back.name)
    return (one: Args) =>
      readable.has(rowKey(target, one)) && connected.has(rowKey(target, one)) === (operation === 'connect')
  }
  // A join table belongs to both models, so connecting a row also counts as an update of the other row.
  const change = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    if (found.length === 0) return
    const done = await isDone(operation, found)
    const changed = found.filter((one) => !done(one))
    if (changed.length === 0) return
    const written = [back.name]
    const condition = writeCondition(writing.rules, 'update', target, written)
    await lockRows(writing, target, changed, condition)
    await write(operation, changed)
    for (const one of changed) deferUpdateCheck(writing, target, one, written, condition)
  }
  return {
    get members() {
      const owner = restrict(model, idFilter(model, row), readableCondition(writing, model, [name]))
      return restrict(target, { [back.name]: { some: owner } }, readableCondition(writing, target, [back.name]))
    },
    link: undefined,
    assertDetachable() {},
    async create(data) {
      // Creating the row also writes its end of the relation, so the field rules of that end apply.
      const link: ParentLink = { values: {}, written: back.name }
      await write('connect', [await writing.rows.create(writing, target, data, link)])
    },
    connect: (found) => change('connect', found),
    disconnect: (found) => change('disconnect', found),
  }
}
