import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/port.js'
import { restrict } from '../condition.js'
import { idOf } from '../plan.js'
import { readable } from '../read.js'
import type { PolicyRelation } from '../schema.js'
import { deny, type Tree } from '../tree.js'
import { isShown } from './shown.js'
import { expectRow, type Link, permit, requireMet, uniqueOf, type Writing } from './writing.js'

/** How rows of another model are tied to one row: by their foreign keys, or by a table between the two. */
export interface Ties {
  /** Finds the rows that are tied to it. */
  readonly members: Tree
  /** What a new row gets so that it is tied; undefined where a table ties them. */
  readonly link: Link | undefined
  /** @throws MissingRowError as Prisma does where no row can be untied, whether or not there is one */
  requireLoose(): void
  /** Creates a row that is tied. */
  create(data: unknown): Promise<void>
  /** Ties a row that may be read. */
  tie(target: Tree): Promise<void>
  /** Unties a row that may be read. */
  untie(target: Tree): Promise<void>
}

/**
 * The ties of a row through one of its relations.
 * @throws PolicyError where the resource does not tell how rows are tied, as for hidden relations
 */
export function tiesOf(writing: Writing, relation: PolicyRelation, row: Tree): Ties {
  const { back } = relation
  if (back?.foreignKey) return byForeignKey(writing, relation, back, back.foreignKey, row)
  if (back?.many && relation.many) return byTable(writing, relation, back, row)
  return deny(`"${relation.name}" cannot be written under access policies: write it from its other end.`)
}

function byForeignKey(
  writing: Writing,
  { name, target }: PolicyRelation,
  back: PolicyRelation,
  foreignKey: Readonly<Record<string, string>>,
  row: Tree,
): Ties {
  const values = Object.fromEntries(Object.entries(foreignKey).map(([own, other]) => [own, row[other]]))
  // Rows without an owner would all be its members.
  if (Object.values(values).some((value) => value === null || value === undefined)) {
    return deny(`"${name}" cannot be written: the row has no value that its members could refer to.`)
  }
  const written = back.name
  const link: Link = { values, written }
  const requireLoose = () => {
    if (Object.keys(foreignKey).every((field) => target.fields.get(field)?.optional)) return
    throw new MissingRowError('P2014', `A row of "${name}" cannot be without the row that it belongs to.`)
  }
  return {
    get members() {
      return restrict(target, values, readable(writing, target, [back.name]))
    },
    link,
    requireLoose,
    async create(data) {
      await writing.rows.create(writing, target, data, link)
    },
    async tie(found) {
      const isTied = Object.entries(values).every(([field, value]) => found[field] === value)
      if (isTied && (await isShown(writing, target, found, back.name))) return
      await writing.rows.change(writing, target, found, {}, link)
    },
    async untie(found) {
      requireLoose()
      const none = Object.fromEntries(Object.keys(foreignKey).map((field) => [field, null]))
      await writing.rows.change(writing, target, found, {}, { values: none, written })
    },
  }
}

function byTable(writing: Writing, { name, target }: PolicyRelation, back: PolicyRelation, row: Tree): Ties {
  const model = back.target
  const tied = { [back.name]: { some: idOf(model, row) } }
  const write = async (operation: 'connect' | 'disconnect', found: Tree) => {
    await callClient(writing.client, model, 'update', {
      where: uniqueOf(model, row),
      data: { [name]: { [operation]: [uniqueOf(target, found)] } },
      select: Object.fromEntries(model.idFields.map((field) => [field, true])),
    })
  }
  const isTied = async (found: Tree) =>
    (await callClient(writing.client, target, 'count', { where: { AND: [idOf(target, found), tied] } })) > 0
  // The table is both models' own: what ties a row to another changes it as well.
  const change = async (operation: 'connect' | 'disconnect', found: Tree) => {
    const isDone = (await isTied(found)) === (operation === 'connect')
    if (isDone && (await isShown(writing, target, found, back.name)) && (await isShown(writing, model, row, name)))
      return
    const condition = permit(writing.rules, 'update', target, [back.name])
    await requireMet(writing, 'update', target, found, condition)
    await write(operation, found)
    expectRow(writing, 'update', target, found, condition)
  }
  return {
    get members() {
      const owner = restrict(model, idOf(model, row), readable(writing, model, [name]))
      return restrict(target, { [back.name]: { some: owner } }, readable(writing, target, [back.name]))
    },
    link: undefined,
    requireLoose() {},
    async create(data) {
      await write('connect', await writing.rows.create(writing, target, data))
    },
    tie: (found) => change('connect', found),
    untie: (found) => change('disconnect', found),
  }
}
