import type { Scalars } from './attributes.js'
import type { ForeignKey, RestModel } from './model.js'

/**
 * Prisma takes either foreign keys or the relations that hold them, never both kinds in one call. Where a body gives both
 * kinds, for different relations, its foreign keys are made into connections here.
 * @param scalars what the body gives as attributes; foreign keys are taken out of it
 * @param given the relations that the body gives
 * @param models all models, for the uniques of the other side
 * @param isUpdate whether null has to undo what is there
 * @returns the relations to write beside the given ones
 */
export function connectForeignKeys(
  scalars: Scalars,
  given: ReadonlySet<string>,
  model: RestModel,
  models: ReadonlyMap<string, RestModel>,
  isUpdate: boolean,
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
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
