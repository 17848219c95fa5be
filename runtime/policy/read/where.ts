import { isBareToOneFilter } from '../../schema/filter-ambiguity.js'
import { referencedField } from '../../values/field-reference.js'
import { isObject } from '../../values/is-object.js'
import { isEmpty, negate, restrict } from '../rules/condition.js'
import { inverseFields, negated, readableCondition, type ReadContext, type UsedFields } from './context.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import { deny, definedMembers, type Args, asArgs } from '../args.js'

/**
 * A filter that finds only what may be read, and finds it only by what may be read, at every depth.
 * @param used what else of these rows is used, as what they are ordered by
 * @returns the same object where rules change nothing
 */
export function readableWhere(
  reading: ReadContext,
  model: PolicyModel,
  where: unknown,
  used: UsedFields = new Set(),
): Args {
  const rewritten = where === undefined ? {} : rewrite(reading, model, asArgs(where, 'A filter'), used)
  return restrict(model, rewritten, readableCondition(reading, model, used))
}

function rewrite(reading: ReadContext, model: PolicyModel, where: Args, used: UsedFields): Args {
  let result: Record<string, unknown> | undefined
  const more: Args[] = []
  for (const [key, value] of definedMembers(where)) {
    const changed = member(reading, model, key, value, used, more)
    if (changed === value) continue
    result ??= { ...where }
    if (changed === undefined) delete result[key]
    else result[key] = changed
  }
  if (more.length === 0) return result ?? where
  result ??= { ...where }
  const before = result['AND']
  result['AND'] = [...(before === undefined ? [] : Array.isArray(before) ? before : [before]), ...more]
  return result
}

/** One member of a filter; undefined where what replaces it was added to `more`. */
function member(
  reading: ReadContext,
  model: PolicyModel,
  key: string,
  value: unknown,
  used: UsedFields,
  more: Args[],
): unknown {
  if (key === 'AND' || key === 'OR') return logical(reading, model, value, used)
  if (key === 'NOT') return logical(negated(reading), model, value, used)
  const relation = model.relations.get(key)
  if (relation) {
    used.add(key)
    return relation.many ? toMany(reading, relation, value, more) : toOne(reading, relation, value)
  }
  if (model.fields.has(key)) {
    used.add(key)
    addReferences(value, used)
    return value
  }
  const compound = model.compounds.get(key)
  if (!compound) return deny(`"${key}" of ${model.name} cannot be filtered by under access policies.`)
  for (const field of compound) used.add(field)
  return value
}

/** Another column in place of a value, as `prisma.post.fields.title`, is used as well. */
function addReferences(value: unknown, used: UsedFields): void {
  const name = referencedField(value)
  if (name !== undefined) used.add(name)
  else if (isObject(value)) for (const member of Object.values(value)) addReferences(member, used)
}

function logical(reading: ReadContext, model: PolicyModel, value: unknown, used: UsedFields): unknown {
  if (!Array.isArray(value)) return rewrite(reading, model, asArgs(value, 'A filter'), used)
  const rewritten = value.map((where: unknown) => {
    return where === undefined ? where : rewrite(reading, model, asArgs(where, 'A filter'), used)
  })
  return rewritten.some((where, index) => where !== value[index]) ? rewritten : value
}

function toMany(reading: ReadContext, relation: PolicyRelation, value: unknown, more: Args[]): unknown {
  const { name, target } = relation
  let changed = false
  const kept: Record<string, unknown> = {}
  for (const [operator, where] of definedMembers(asArgs(value, `The filter on "${name}"`))) {
    if (operator === 'every') {
      // Every row meets it, whether or not it may be read.
      if (isEmpty(where)) {
        kept[operator] = where
        continue
      }
      const used = inverseFields(relation)
      const inner = rewrite({ ...reading, sense: 'negated' }, target, asArgs(where, 'A filter'), used)
      const conditions = readableCondition(reading, target, used)
      if (inner === where && conditions.every((condition) => condition === true)) kept[operator] = where
      else {
        // Every row that may be read meets it: none that may be read does not.
        more.push({ [name]: { none: restrict(target, negate(target, inner), conditions) } })
        changed = true
      }
    } else if (operator === 'some' || operator === 'none') {
      kept[operator] = readableWhere({ ...reading, sense: 'plain' }, target, where, inverseFields(relation))
      changed ||= kept[operator] !== where
    } else deny(`The filter "${operator}" on "${name}" cannot be verified. There are some, every and none.`)
  }
  if (!changed) return value
  return Object.keys(kept).length > 0 ? kept : undefined
}

function toOne(reading: ReadContext, relation: PolicyRelation, value: unknown): unknown {
  const { name } = relation
  if (value === null) return isThere(reading, relation) ? value : { isNot: related(reading, relation, 'isNot') }
  const filter = asArgs(value, `The filter on "${name}"`)
  const named = 'is' in filter || 'isNot' in filter
  if (!named || isBareToOneFilter(relation, filter)) {
    // Prisma takes `{}` as nothing said, with or without a related row.
    if (isEmpty(filter)) return value
    const where = related(reading, relation, 'is', filter)
    return where === filter && !named ? value : { is: where }
  }
  let changed = false
  const result: Record<string, unknown> = {}
  for (const [operator, where] of definedMembers(filter)) {
    if (operator !== 'is' && operator !== 'isNot') {
      return deny(`The filter "${operator}" on "${name}" cannot be verified.`)
    }
    if (where === null) {
      const other = operator === 'is' ? 'isNot' : 'is'
      if (isThere(reading, relation)) result[operator] = null
      else add(result, other, related(reading, relation, other))
    } else add(result, operator, related(reading, relation, operator, where))
    changed ||= result[operator] !== where
  }
  return changed ? result : value
}

/**
 * The filter inside `is` or `isNot`, with the rules on the related row: a relation to a row that may not be read is one without a
 * row.
 * @param where what the request says of the related row; without it, any that may be read
 */
function related(reading: ReadContext, relation: PolicyRelation, operator: 'is' | 'isNot', where?: unknown): Args {
  const { target } = relation
  const used = inverseFields(relation)
  const isPlain = reading.sense === (operator === 'is' ? 'plain' : 'negated')
  const filter = readableWhere({ ...reading, sense: isPlain ? 'plain' : 'open' }, target, where, used)
  if (!isPlain) requireExact(reading, relation, used)
  return filter
}

function isThere({ rules }: ReadContext, relation: PolicyRelation): boolean {
  const { target } = relation
  return [undefined, ...inverseFields(relation)].every((field) => rules.condition('read', target, field) === true)
}

function add(filter: Record<string, unknown>, operator: string, where: Args): void {
  if (operator in filter)
    deny('A filter with both "is" and "isNot" cannot be verified. Put each into a member of "AND".')
  filter[operator] = where
}

/**
 * What is unknown to the database finds nothing, as it should: what may not be read is not there. But "not unknown" finds nothing
 * either, and would miss the rows that have no readable relation.
 */
function requireExact({ rules }: ReadContext, { name, target }: PolicyRelation, used: UsedFields): void {
  if ([undefined, ...used].every((field) => rules.isExact('read', target, field))) return
  deny(
    `"${name}" cannot be filtered by under a negation: what may be read of ${target.name} depends on Json, a list or another column.`,
  )
}

/** A unique filter as a plain one: `{ a_b: { a, b } }` → `{ a, b }`. */
export function plainWhere(model: PolicyModel, where: unknown): Args {
  const plain: Record<string, unknown> = {}
  const more: Args[] = []
  for (const [key, value] of definedMembers(asArgs(where, 'A unique filter'))) {
    if (model.compounds.has(key) && isObject(value)) more.push(value)
    else plain[key] = value
  }
  return more.length === 0 ? plain : { AND: [plain, ...more] }
}
