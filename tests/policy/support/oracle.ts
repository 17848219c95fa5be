import type { Model } from '../../../runtime/schema/model.js'
import { delegatesOf, isRow, type Row } from './tenants.js'

/**
 * Runs a query on a database after rows were deleted without foreign key checks. Foreign keys may dangle, and Prisma throws if
 * a required relation does. This function loads those relations one by one.
 */
export async function queryWithDanglingKeys(
  orm: unknown,
  model: Model,
  operation: string,
  args: Row,
): Promise<unknown> {
  const where = args['where'] === undefined ? {} : { where: danglingWhere(model, args['where']) }
  const input = { ...args, ...where }
  const { queryArgs, required, strip } = separate(model, input)
  const result = await delegatesOf(orm)[model.delegate]?.[operation]?.(queryArgs)
  for (const row of Array.isArray(result) ? result : [result]) if (isRow(row)) await complete(row, required, strip, orm)
  return result
}

interface Required {
  readonly name: string
  readonly target: Model
  readonly foreignKey: Readonly<Record<string, string>>
  readonly args: Row
}

interface Separated {
  readonly queryArgs: Row
  readonly required: readonly Required[]
  readonly strip: readonly string[]
  readonly below?: readonly { readonly name: string; readonly of: Separated }[]
}

const nested = new WeakMap<readonly Required[], NonNullable<Separated['below']>>()

function separate(model: Model, args: Row): Separated {
  const key = args['select'] === undefined ? 'include' : 'select'
  const chosen = args[key]
  const required: Required[] = []
  const below: { name: string; of: Separated }[] = []
  if (!isRow(chosen)) return { queryArgs: args, required, strip: [] }
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(chosen)) {
    const relation = model.relations.get(name)
    if (name === '_count' && isRow(value) && isRow(value['select'])) {
      members[name] = { select: countsOf(model, value['select']) }
    } else if (!relation) members[name] = value
    else if (relation.foreignKey && !relation.optional) {
      const { target, foreignKey } = relation
      required.push({ name, target, foreignKey, args: isRow(value) ? value : {} })
    } else if (!isRow(value)) members[name] = value
    else {
      const where = value['where'] === undefined ? {} : { where: danglingWhere(relation.target, value['where']) }
      const of = separate(relation.target, { ...value, ...where })
      members[name] = of.queryArgs
      below.push({ name, of })
    }
  }
  const fields = required.flatMap(({ foreignKey }) => Object.keys(foreignKey))
  const { omit, ...others } = args
  const omitted = isRow(omit) ? omit : {}
  const strip = key === 'select' ? fields.filter((name) => !chosen[name]) : fields.filter((name) => omitted[name])
  if (key === 'select') for (const name of fields) members[name] = true
  if (Object.keys(members).length === 0 && key === 'select') throw new Error('nothing is selected')
  const queryArgs: Record<string, unknown> = { ...others }
  if (Object.keys(members).length > 0) queryArgs[key] = members
  else delete queryArgs[key]
  if (omit !== undefined)
    queryArgs['omit'] = Object.fromEntries(Object.entries(omitted).filter(([name]) => !fields.includes(name)))
  nested.set(required, below)
  return { queryArgs, required, strip, below }
}

function countsOf(model: Model, select: Row): Row {
  return Object.fromEntries(
    Object.entries(select).map(([name, value]) => {
      const target = model.relations.get(name)?.target
      return [name, target && isRow(value) ? { where: danglingWhere(target, value['where'] ?? {}) } : value]
    }),
  )
}

async function complete(
  row: Record<string, unknown>,
  required: readonly Required[],
  strip: readonly string[],
  orm: unknown,
): Promise<void> {
  for (const { name, of } of nested.get(required) ?? []) {
    const related = row[name]
    for (const one of Array.isArray(related) ? related : [related]) {
      if (isRow(one)) await complete(one, of.required, of.strip, orm)
    }
  }
  for (const { name, target, foreignKey, args } of required) {
    const where = Object.fromEntries(
      Object.entries(foreignKey).map(([localField, targetField]) => [targetField, row[localField]]),
    )
    row[name] = await queryWithDanglingKeys(orm, target, 'findFirst', { ...args, where })
  }
  for (const name of strip) delete row[name]
}

/**
 * Rewrites a filter so that Prisma joins the related row. Otherwise Prisma treats a foreign key that is not null as an
 * existing row.
 */
function danglingWhere(model: Model, where: unknown): unknown {
  if (Array.isArray(where)) return where.map((one) => danglingWhere(model, one))
  if (!isRow(where)) return where
  return Object.fromEntries(
    Object.entries(where).map(([key, value]) => {
      if (key === 'AND' || key === 'OR' || key === 'NOT') return [key, danglingWhere(model, value)]
      const relation = model.relations.get(key)
      if (!relation) return [key, value]
      if (value === null) return [key, { isNot: {} }]
      if (!isRow(value)) return [key, value]
      const operators = ['is', 'isNot', 'some', 'every', 'none']
      if (!Object.keys(value).some((name) => operators.includes(name)))
        return [key, danglingWhere(relation.target, value)]
      return [
        key,
        Object.fromEntries(
          Object.entries(value).map(([operator, inner]) => {
            if (inner === null) return [operator === 'is' ? 'isNot' : 'is', {}]
            return [operator, danglingWhere(relation.target, inner)]
          }),
        ),
      ]
    }),
  )
}
