import { assertWritable, writableField } from '../../../rpc/guard/assert-permissions.js'
import type { Model } from '../../../schema/model.js'
import { memoize } from '../../memoize.js'
import { type Fields, isAccepted, type Relations } from '../readable-members.js'
import type { ParentRelation } from './nested-writes-schema.js'

/** Returns the fields that data may contain. */
export function writableFields(model: Model, through?: ParentRelation): Fields {
  const parentKeys = parentKeyFields(through)
  return allWritableFields(model).filter(([name]) => !parentKeys.includes(name))
}

const allWritableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([name]) => isAccepted(() => writableField(model, name, ''))),
)

/** Returns the relations that data may contain. */
export function writableRelations(model: Model, through?: ParentRelation): Relations {
  const inverse = through && inverseName(through)
  return allWritableRelations(model).filter(([name]) => name !== inverse)
}

const allWritableRelations = memoize((model: Model): Relations =>
  [...model.relations].filter(([name, relation]) => isAccepted(() => assertWritable(model, name, relation, ''))),
)

/** Returns the fields of the foreign key to the parent row of a nested write, which Prisma sets itself. */
function parentKeyFields(through: ParentRelation | undefined): readonly string[] {
  if (!through || through.relation.foreignKey) return []
  return Object.keys(through.relation.inverseRelation?.foreignKey ?? {})
}

/** Returns the relation on the other side. Either side may declare it. */
function inverseName({ model, name, relation }: ParentRelation): string | undefined {
  const { target, inverse } = relation
  if (inverse !== undefined) return inverse
  return [...target.relations].find(([, candidate]) => candidate.target === model && candidate.inverse === name)?.[0]
}

/** The required members of data. */
export interface Required {
  readonly required: readonly string[]
  /** Lists of alternatives: a field, or the relations that can set it. One entry of each list is required. */
  readonly anyOf: readonly (readonly string[])[]
}

/** Determines the required members. See {@link Required}. */
export function requiredMembers(model: Model, relations: Relations, through?: ParentRelation): Required {
  const parentKeys = parentKeyFields(through)
  const required: string[] = []
  const alternatives: (readonly string[])[] = []
  for (const name of model.required) {
    if (parentKeys.includes(name)) continue
    const keys = relations.filter(([, { foreignKey = {} }]) => Object.hasOwn(foreignKey, name)).map(([key]) => key)
    if (keys.length === 0) required.push(name)
    else alternatives.push([name, ...keys])
  }
  const requiredRelations = relations.filter(([name, { foreignKey = {} }]) => {
    return model.requiredRelations.has(name) && !Object.keys(foreignKey).some((field) => parentKeys.includes(field))
  })
  return { required: [...required, ...requiredRelations.map(([name]) => name)], anyOf: alternatives }
}
