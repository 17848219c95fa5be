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

/** How rows of another model are tied to one row: by their foreign keys, or by a table between the two. */
export interface RelationLinks {
  /** Finds the rows that are tied to it. */
  readonly members: Args
  /** What a new row gets so that it is tied; undefined where a table ties them. */
  readonly link: ParentLink | undefined
  /** @throws MissingRowError as Prisma does where no row can be untied, whether or not there is one */
  requireLoose(): void
  /** Creates a row that is tied. */
  create(data: unknown): Promise<void>
  /** Ties rows that may be read. */
  tie(targets: readonly Args[]): Promise<void>
  /** Unties rows that may be read. */
  untie(targets: readonly Args[]): Promise<void>
}

/**
 * The ties of a row through one of its relations.
 * @throws PolicyError where the resource does not tell how rows are tied, as for hidden relations
 */
export function createRelationLinks(writing: WriteContext, relation: PolicyRelation, row: Args): RelationLinks {
  const { back } = relation
  if (back?.foreignKey) return byForeignKey(writing, relation, back, back.foreignKey, row)
  if (back?.many && relation.many) return byTable(writing, relation, back, row)
  return deny(`"${relation.name}" cannot be written under access policies: write it from its other end.`)
}

function byForeignKey(
  writing: WriteContext,
  { name, target }: PolicyRelation,
  back: PolicyRelation,
  foreignKey: Readonly<Record<string, string>>,
  row: Args,
): RelationLinks {
  const values = Object.fromEntries(Object.entries(foreignKey).map(([own, other]) => [own, row[other]]))
  // Rows without an owner would all be its members.
  if (Object.values(values).some((value) => value === null || value === undefined)) {
    return deny(`"${name}" cannot be written: the row has no value that its members could refer to.`)
  }
  const written = back.name
  const link: ParentLink = { values, written }
  const requireLoose = () => {
    if (Object.keys(foreignKey).every((field) => target.fields.get(field)?.optional)) return
    throw new MissingRowError('P2014', `A row of "${name}" cannot be without the row that it belongs to.`)
  }
  return {
    get members() {
      return restrict(target, values, readableCondition(writing, target, [back.name]))
    },
    link,
    requireLoose,
    async create(data) {
      await writing.rows.create(writing, target, data, link)
    },
    async tie(found) {
      const tied = found.filter((one) => Object.entries(values).every(([field, value]) => one[field] === value))
      // Where it may not be read, whether a row is tied already decides nothing.
      const shown = await rowsWithReadableField(writing, target, tied, back.name)
      const done = new Set(tied.filter((one) => shown.has(rowKey(target, one))))
      const others = found.filter((one) => !done.has(one))
      await updateForeignKeys(writing, target, others, values, written)
    },
    async untie(found) {
      if (found.length === 0) return
      requireLoose()
      const none = Object.fromEntries(Object.keys(foreignKey).map((field) => [field, null]))
      await updateForeignKeys(writing, target, found, none, written)
    },
  }
}

/** How many rows one statement ties: each is a condition of its own to the database. */
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
  // What is there already is not written. Where that may not be read from both ends, it decides nothing.
  const isDone = async (operation: 'connect' | 'disconnect', found: readonly Args[]) => {
    if (!(await isFieldReadable(writing, model, row, name))) return () => false
    const ids = found.map((one) => idFilter(target, one))
    const tied = await rowMatcher(() => writing.client)(target, ids, members)
    const shown = await rowsWithReadableField(writing, target, found, back.name)
    return (one: Args) => shown.has(rowKey(target, one)) && tied.has(rowKey(target, one)) === (operation === 'connect')
  }
  // The table is both models' own: what ties a row to another changes it as well.
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
    requireLoose() {},
    async create(data) {
      // The new row gets its end of the relation too, so that end's field rules apply.
      const link: ParentLink = { values: {}, written: back.name }
      await write('connect', [await writing.rows.create(writing, target, data, link)])
    },
    tie: (found) => change('connect', found),
    untie: (found) => change('disconnect', found),
  }
}
