import { assertWritable, writableField } from '../../../rpc/guard/permissions.js'
import type { Model } from '../../../schema/schema.js'
import { memoize } from '../../memoize.js'
import { type Fields, isAccepted, type Relations } from '../context.js'
import type { Through } from './nested-writes.js'

/** The fields of a model that data may hold. */
export function writableFields(model: Model, through?: Through): Fields {
  const taken = placeFields(through)
  return allWritableFields(model).filter(([name]) => !taken.includes(name))
}

const allWritableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([name]) => isAccepted(() => writableField(model, name, ''))),
)

/** The relations that it may hold. */
export function writableRelations(model: Model, through?: Through): Relations {
  const back = through && backName(through)
  return allWritableRelations(model).filter(([name]) => name !== back)
}

const allWritableRelations = memoize((model: Model): Relations =>
  [...model.relations].filter(([name, relation]) => isAccepted(() => assertWritable(model, name, relation, ''))),
)

/** The fields that are told by the place: those of the foreign key that leads to the row that others are written through. */
function placeFields(through: Through | undefined): readonly string[] {
  if (!through || through.relation.foreignKey) return []
  return Object.keys(through.relation.back?.foreignKey ?? {})
}

/** The relation at the other end, which either side may name. */
function backName({ model, name, relation }: Through): string | undefined {
  const { target, inverse } = relation
  if (inverse !== undefined) return inverse
  return [...target.relations].find(([, other]) => other.target === model && other.inverse === name)?.[0]
}

/** What data has to hold. */
export interface Required {
  readonly required: readonly string[]
  /** Where one of several names is enough: a field, or a relation. */
  readonly either: readonly (readonly string[])[]
}

/** See {@link Required}. */
export function requiredMembers(model: Model, relations: Relations, through?: Through): Required {
  const taken = placeFields(through)
  const required: string[] = []
  const either: (readonly string[])[] = []
  for (const name of model.required) {
    if (taken.includes(name)) continue
    const keys = relations.filter(([, { foreignKey = {} }]) => Object.hasOwn(foreignKey, name)).map(([key]) => key)
    if (keys.length === 0) required.push(name)
    else either.push([name, ...keys])
  }
  const held = relations.filter(([name, { foreignKey = {} }]) => {
    return model.requiredRelations.has(name) && !Object.keys(foreignKey).some((field) => taken.includes(field))
  })
  return { required: [...required, ...held.map(([name]) => name)], either }
}
