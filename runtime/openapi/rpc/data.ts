import { requireWritable, writableField } from '../../rpc/guard/permissions.js'
import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { capitalized } from '../names.js'
import { explained, withDefault } from '../schemas/field-schema.js'
import { ruledSchema } from '../schemas/rule-schema.js'
import { anyOf, apart, closed } from '../schemas/shapes.js'
import {
  each,
  elementOf,
  type Fields,
  once,
  partOf,
  permits,
  type Relations,
  type RpcDescription,
  valueOf,
} from './describe.js'
import { fieldUpdateSchema } from './field-update.js'
import { nestedWritesSchema, type Rows, type Through } from './nested-writes.js'

/** The data of a new row, relations included. */
export function createSchema(described: RpcDescription, model: Model, through?: Through): Reference {
  return partOf(described, model, `Create${placeOf(through)}`, () => {
    const fields = writableFields(model, through)
    const relations = writableRelations(model, through)
    const members = {
      ...each(fields, (field, name) => fieldCreateSchema(described, model, name, field)),
      ...each(relations, (relation, name) =>
        nestedWritesSchema(described, { model, name, relation, rows: ROWS }, 'create'),
      ),
    }
    const { required, either } = requiredOf(model, relations, through)
    return { ...closed(members, required), ...both(either), ...oneSpelling(fields, relations) }
  })
}

/** The changes of a row, relations included. */
export function updateSchema(described: RpcDescription, model: Model, through?: Through): Reference {
  return partOf(described, model, `Update${placeOf(through)}`, () => {
    const fields = writableFields(model, through)
    const relations = writableRelations(model, through)
    return {
      ...closed({
        ...each(fields, (field, name) => fieldUpdateSchema(described, model, name, field, through !== undefined)),
        ...each(relations, (relation, name) =>
          nestedWritesSchema(described, { model, name, relation, rows: ROWS }, 'update'),
        ),
      }),
      ...oneSpelling(fields, relations),
    }
  })
}

/** The data of one of many new rows: scalars only. */
export function createManySchema(described: RpcDescription, model: Model, through?: Through): Reference {
  return partOf(described, model, `CreateMany${placeOf(through)}`, () => {
    const members = each(writableFields(model, through), (field, name) =>
      fieldCreateSchema(described, model, name, field),
    )
    return closed(members, requiredOf(model, [], through).required)
  })
}

/** The changes of many rows: scalars only. */
export function updateManySchema(described: RpcDescription, model: Model, through?: Through): Reference {
  return partOf(described, model, `UpdateMany${placeOf(through)}`, () =>
    closed(
      each(writableFields(model, through), (field, name) =>
        fieldUpdateSchema(described, model, name, field, through !== undefined),
      ),
    ),
  )
}

const ROWS: Rows = {
  create: createSchema,
  update: updateSchema,
  createMany: createManySchema,
  updateMany: updateManySchema,
}

function placeOf(through: Through | undefined): string {
  return through ? `In${through.model.name}${capitalized(through.name)}` : ''
}

function fieldCreateSchema(described: RpcDescription, model: Model, name: string, field: Field): JsonSchema {
  const { rule, list, writeOnly } = field
  const value = rule
    ? ruledSchema(field, described.ruleSchema)
    : valueOf(field, elementOf(described, model, name, field))
  const taken = list ? anyOf(value, closed({ set: value }, ['set'])) : value
  const description = withDefault(field, model.descriptions[name])
  return { ...explained(taken, description), ...(writeOnly && { writeOnly }) }
}

function writableFields(model: Model, through?: Through): Fields {
  const taken = placeFields(through)
  return allWritableFields(model).filter(([name]) => !taken.includes(name))
}

const allWritableFields = once((model): Fields =>
  [...model.fields].filter(([name]) => permits(() => writableField(model, name, ''))),
)

function writableRelations(model: Model, through?: Through): Relations {
  const back = through && backName(through)
  return allWritableRelations(model).filter(([name]) => name !== back)
}

const allWritableRelations = once((model): Relations =>
  [...model.relations].filter(([name, relation]) => permits(() => requireWritable(model, name, relation, ''))),
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

interface Required {
  readonly required: readonly string[]
  /** Where one of several names is enough. */
  readonly either: readonly JsonSchema[]
}

function requiredOf(model: Model, relations: Relations, through?: Through): Required {
  const taken = placeFields(through)
  const required: string[] = []
  const either: JsonSchema[] = []
  for (const name of model.required) {
    if (taken.includes(name)) continue
    const keys = relations.filter(([, { foreignKey = {} }]) => Object.hasOwn(foreignKey, name)).map(([key]) => key)
    if (keys.length === 0) required.push(name)
    else either.push({ anyOf: [name, ...keys].map((one) => ({ required: [one] })) })
  }
  const held = relations.filter(([name, { foreignKey = {} }]) => {
    return model.requiredRelations.has(name) && !Object.keys(foreignKey).some((field) => taken.includes(field))
  })
  return { required: [...required, ...held.map(([name]) => name)], either }
}

function both(conditions: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = conditions
  return only && others.length === 0 ? only : conditions.length > 0 ? { allOf: conditions } : {}
}

/** A foreign key stands either as fields or as relations. */
function oneSpelling(fields: Fields, relations: Relations): JsonSchema {
  const held = relations.filter(([, { foreignKey }]) => foreignKey)
  const keys = new Set(held.flatMap(([, { foreignKey = {} }]) => Object.keys(foreignKey)))
  const names = fields.map(([name]) => name).filter((name) => keys.has(name))
  if (names.length === 0) return {}
  return apart(
    held.map(([name]) => name),
    names,
  )
}
