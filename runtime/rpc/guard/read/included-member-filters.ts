import type { Model, ModelRelation } from '../../../schema/model.js'
import { isObject } from '../../../values/is-object.js'
import type { Args } from '../argument-helpers.js'
import { uniqueConditions } from '../../../prisma/claim-row.js'

/** The members of a to-many relation that a read includes. */
export interface Members {
  readonly target: Model
  /** The filter that matches the members of all rows together. */
  readonly where: Args
}

/**
 * Returns filters for the rows that Prisma loads for the to-many relations of a read, at any depth. For the rows of a page, Prisma loads
 * all members and then applies the `take` of each relation itself. Members below a relation with a hidden inverse cannot be filtered and
 * are left out.
 * @param args the validated arguments
 * @param ownerFilter the filter for the rows of the model
 */
export function includedMemberFilters(model: Model, args: Args, ownerFilter: unknown): Members[] {
  const selected = args['select'] ?? args['include']
  if (!isObject(selected)) return []
  return Object.entries(selected).flatMap(([name, value]) => {
    const relation = model.relations.get(name)
    const inverse = relation && findInverse(model, name, relation)
    if (!relation || !inverse) return []
    const { target } = relation
    const relationArgs = isObject(value) ? value : {}
    const owners = { [inverse.name]: { [inverse.many ? 'some' : 'is']: ownerFilter ?? {} } }
    const where = relationArgs['where'] === undefined ? owners : { AND: [relationArgs['where'], owners] }
    return [...(relation.many ? [{ target, where }] : []), ...includedMemberFilters(target, relationArgs, where)]
  })
}

/**
 * Returns filters for the members of one row.
 * @param where the unique filter of the row
 * @param counted the to-many relations, in the format of `_count`
 */
export function rowMemberFilters(model: Model, where: Args, counted: Args): Members[] {
  return includedMemberFilters(model, { include: counted }, { AND: uniqueConditions(model.uniques, where) })
}

interface Inverse {
  readonly name: string
  readonly many: boolean
}

/**
 * Returns the inverse of a relation. The side without the foreign key specifies it. For the other side, the target's relations are
 * searched.
 */
function findInverse(
  model: Model,
  name: string,
  { target, inverse, inverseRelation }: ModelRelation,
): Inverse | undefined {
  if (inverse !== undefined) return { name: inverse, many: inverseRelation?.many ?? false }
  for (const [other, relation] of target.relations) {
    if (relation.target === model && relation.inverse === name) return { name: other, many: relation.many ?? false }
  }
  return undefined
}
