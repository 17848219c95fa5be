import type { Model, ModelRelation } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import type { Args } from '../arguments.js'
import { uniqueConditions } from '../../../orm/claim.js'

/** The members of a to-many relation that a read includes. */
export interface Members {
  readonly target: Model
  /** Which rows of the target they are, those of all rows together. */
  readonly where: Args
}

/**
 * Tells which rows a read makes Prisma load for its to-many relations, however deep: of the rows of a page it reads the members
 * of all, and cuts them to each relation's `take` itself. Those below a hidden end of a relation cannot be told.
 * @param args arguments that were checked
 * @param of which rows of the model are read
 */
export function includedMembers(model: Model, args: Args, of: unknown): Members[] {
  const selected = args['select'] ?? args['include']
  if (!isObject(selected)) return []
  return Object.entries(selected).flatMap(([name, value]) => {
    const relation = model.relations.get(name)
    const inverse = relation && inverseOf(model, name, relation)
    if (!relation || !inverse) return []
    const { target } = relation
    const given = isObject(value) ? value : {}
    const owners = { [inverse.name]: { [inverse.many ? 'some' : 'is']: of ?? {} } }
    const where = given['where'] === undefined ? owners : { AND: [given['where'], owners] }
    return [...(relation.many ? [{ target, where }] : []), ...includedMembers(target, given, where)]
  })
}

/**
 * Tells which members one row has.
 * @param where what identifies the row, as `findUnique` takes it
 * @param counted the to-many relations, as `_count` takes them
 */
export function rowMembers(model: Model, where: Args, counted: Args): Members[] {
  return includedMembers(model, { include: counted }, { AND: uniqueConditions(model.uniques, where) })
}

interface Inverse {
  readonly name: string
  readonly many: boolean
}

/** The relation at the other end: named by the side that does not hold the foreign key, looked for by the one that does. */
function inverseOf(model: Model, name: string, { target, inverse, back }: ModelRelation): Inverse | undefined {
  if (inverse !== undefined) return { name: inverse, many: back?.many ?? false }
  for (const [other, relation] of target.relations) {
    if (relation.target === model && relation.inverse === name) return { name: other, many: relation.many ?? false }
  }
  return undefined
}
