import { deny } from '../../errors/policy-error.js'
import { RequestError } from '../../errors/request-error.js'
import { isBareToOneFilter } from '../../schema/keyword-named-fields.js'
import { referencedField } from '../../values/prisma-values.js'
import { isObject } from '../../values/is-object.js'
import { definedEntries, type Args, asArgs } from '../args.js'
import { type PolicyModel, type PolicyRelation, qualifiedName, ruleName } from '../policy-schema.js'
import { isEmpty, negate, restrict, type Condition } from '../rules/condition.js'
import { negateContext, type ReadContext, type UsedFields } from './read-context.js'

/**
 * Rewrites a filter so that it finds only readable rows, and only by readable fields, at every depth.
 * @param used other fields of these rows that the query uses, for example to order them
 * @returns the original object if the rules do not change it
 */
export function readableWhere(
  readContext: ReadContext,
  model: PolicyModel,
  where: unknown,
  used: UsedFields = new Set(),
): Args {
  const rewritten = where === undefined ? {} : rewrite(readContext, model, asArgs(where, 'A filter'), used)
  return restrict(model, rewritten, readableCondition(readContext, model, used))
}

function rewrite(readContext: ReadContext, model: PolicyModel, where: Args, used: UsedFields): Args {
  let result: Record<string, unknown> | undefined
  const more: Args[] = []
  for (const [key, value] of definedEntries(where)) {
    const changed = rewriteEntry(readContext, model, key, value, used, more)
    if (changed === value) continue
    result ??= { ...where }
    if (changed === undefined) delete result[key]
    else result[key] = changed
  }
  if (more.length === 0) return result ?? where
  result ??= { ...where }
  result['AND'] = [result['AND'] ?? [], more].flat()
  return result
}

/**
 * Rewrites one entry of a filter.
 * @returns the replacement, or undefined if the condition was added to `more`
 */
function rewriteEntry(
  readContext: ReadContext,
  model: PolicyModel,
  key: string,
  value: unknown,
  used: UsedFields,
  more: Args[],
): unknown {
  if (key === 'AND' || key === 'OR') return logical(readContext, model, value, used)
  if (key === 'NOT') return logical(negateContext(readContext), model, value, used)
  const relation = model.relations.get(key)
  if (relation) {
    used.add(key)
    return relation.many ? toMany(readContext, relation, value, more) : toOne(readContext, relation, value)
  }
  if (model.fields.has(key)) {
    used.add(key)
    addReferences(value, used)
    return value
  }
  const compound = model.compounds.get(key)
  if (!compound) return deny(`"${key}" of ${model.name} cannot be used in filters under access policies.`)
  for (const field of compound) used.add(field)
  return value
}

/** Collects fields that are referenced instead of a value, such as `prisma.post.fields.title`. */
function addReferences(value: unknown, used: UsedFields): void {
  const name = referencedField(value)
  if (name !== undefined) used.add(name)
  else if (isObject(value)) for (const member of Object.values(value)) addReferences(member, used)
}

function logical(readContext: ReadContext, model: PolicyModel, value: unknown, used: UsedFields): unknown {
  if (!Array.isArray(value)) return rewrite(readContext, model, asArgs(value, 'A filter'), used)
  const rewritten = value.map((where: unknown) => {
    return where === undefined ? where : rewrite(readContext, model, asArgs(where, 'A filter'), used)
  })
  return rewritten.some((where, index) => where !== value[index]) ? rewritten : value
}

function toMany(readContext: ReadContext, relation: PolicyRelation, value: unknown, more: Args[]): unknown {
  const { name, target } = relation
  let changed = false
  const rewritten: Record<string, unknown> = {}
  for (const [operator, where] of definedEntries(asArgs(value, `The filter on "${name}"`))) {
    if (operator === 'every') {
      // Every row matches an empty filter, readable or not.
      if (isEmpty(where)) {
        rewritten[operator] = where
        continue
      }
      const used = inverseFields(relation)
      const negatedFilter = rewrite({ ...readContext, polarity: 'negated' }, target, asArgs(where, 'A filter'), used)
      const conditions = readableCondition(readContext, target, used)
      if (negatedFilter === where && conditions.every((condition) => condition === true)) rewritten[operator] = where
      else {
        // Expresses `every` as `none`: no readable row may match the negated filter.
        more.push({ [name]: { none: restrict(target, negate(target, negatedFilter), conditions) } })
        changed = true
      }
    } else if (operator === 'some' || operator === 'none') {
      rewritten[operator] = readableWhere({ ...readContext, polarity: 'plain' }, target, where, inverseFields(relation))
      changed ||= rewritten[operator] !== where
    } else deny(`The filter "${operator}" on "${name}" cannot be verified. Use "some", "every" or "none".`)
  }
  if (!changed) return value
  return Object.keys(rewritten).length > 0 ? rewritten : undefined
}

function toOne(readContext: ReadContext, relation: PolicyRelation, value: unknown): unknown {
  const { name } = relation
  if (value === null)
    return isAlwaysReadable(readContext, relation) ? value : { isNot: related(readContext, relation, 'isNot') }
  const filter = asArgs(value, `The filter on "${name}"`)
  const hasOperator = 'is' in filter || 'isNot' in filter
  if (!hasOperator || isBareToOneFilter(relation, filter)) {
    // Prisma ignores `{}`, so it matches rows with and without a related row.
    if (isEmpty(filter)) return value
    const where = related(readContext, relation, 'is', filter)
    return where === filter && !hasOperator ? value : { is: where }
  }
  let changed = false
  const result: Record<string, unknown> = {}
  for (const [operator, where] of definedEntries(filter)) {
    if (operator !== 'is' && operator !== 'isNot') {
      return deny(`The filter "${operator}" on "${name}" cannot be verified.`)
    }
    if (where === null) {
      const other = operator === 'is' ? 'isNot' : 'is'
      if (isAlwaysReadable(readContext, relation)) result[operator] = null
      else addFilter(result, other, related(readContext, relation, other))
    } else addFilter(result, operator, related(readContext, relation, operator, where))
    changed ||= result[operator] !== where
  }
  return changed ? result : value
}

/**
 * Returns the filter inside `is` or `isNot`, including the rules on the related row. A related row that is not readable is treated as
 * missing.
 * @param where the caller's filter on the related row. Default: all readable rows
 */
function related(readContext: ReadContext, relation: PolicyRelation, operator: 'is' | 'isNot', where?: unknown): Args {
  const { target } = relation
  const used = inverseFields(relation)
  const isPlain = readContext.polarity === (operator === 'is' ? 'plain' : 'negated')
  const filter = readableWhere({ ...readContext, polarity: isPlain ? 'plain' : 'undetermined' }, target, where, used)
  if (!isPlain) assertExact(readContext, relation, used)
  return filter
}

function isAlwaysReadable({ rules }: ReadContext, relation: PolicyRelation): boolean {
  const { target } = relation
  return [undefined, ...inverseFields(relation)].every((field) => rules.condition('read', target, field) === true)
}

function addFilter(filter: Record<string, unknown>, operator: string, where: Args): void {
  if (operator in filter) deny('A filter with both "is" and "isNot" cannot be verified. Combine them with "AND".')
  filter[operator] = where
}

/**
 * Checks that the database never evaluates a negated condition to unknown. Without a negation, an unknown result matches no row, which is
 * correct: a row that is not readable is treated as missing. A negated unknown result matches no row either, so rows without a readable
 * related row would be missed.
 * @throws PolicyError if the condition may be unknown
 */
function assertExact({ rules }: ReadContext, { name, target }: PolicyRelation, used: UsedFields): void {
  if ([undefined, ...used].every((field) => rules.isExact('read', target, field))) return
  deny(
    `"${name}" cannot be used in a negated filter: the rule on ${target.name} depends on Json, a list or another column.`,
  )
}

/** Flattens a unique filter: `{ a_b: { a, b } }` → `{ a, b }`. */
export function flattenUniqueWhere(model: PolicyModel, where: unknown): Args {
  const flat: Record<string, unknown> = {}
  const compounds: Args[] = []
  for (const [key, value] of definedEntries(asArgs(where, 'A unique filter'))) {
    if (model.compounds.has(key) && isObject(value)) compounds.push(value)
    else flat[key] = value
  }
  return compounds.length === 0 ? flat : { AND: [flat, ...compounds] }
}

/**
 * Ensures that a cursor's row is readable, including the fields that rows are ordered by. Otherwise, the result would reveal how the values
 * of the cursor's row compare with those of other rows.
 * @param args a copy of the arguments with the rewritten filter. It is changed if the row is not readable
 * @param ordered the fields that rows are ordered by
 */
export function deferCursorCheck(
  readContext: ReadContext,
  model: PolicyModel,
  args: Record<string, unknown>,
  ordered: UsedFields,
): void {
  const { cursor } = args
  if (cursor === undefined) return
  const used: UsedFields = new Set(ordered)
  const flat = flattenUniqueWhere(model, cursor)
  const where = readableWhere(readContext, model, flat, used)
  if (where === flat) return
  readContext.cursors.push({
    model,
    where,
    drop() {
      delete args['cursor']
      args['where'] = restrict(model, isObject(args['where']) ? args['where'] : {}, [false])
    },
  })
}

/**
 * Returns the fields of the target model that a relation uses: the inverse relation, if there is one. Finding a row through a relation
 * reveals the value of its inverse.
 */
export function inverseFields({ inverseRelation }: PolicyRelation): UsedFields {
  return new Set(inverseRelation ? [inverseRelation.name] : [])
}

/**
 * Returns the conditions under which a row and its used fields are readable. A row is treated as missing if a used field is not readable.
 * @throws PolicyError if a used field is never readable
 * @throws RequestError 403 if a used field is masked
 */
export function readableCondition(
  { rules }: Pick<ReadContext, 'rules'>,
  model: PolicyModel,
  used: Iterable<string>,
): Condition[] {
  if (rules.isMasked) for (const field of used) if (rules.isMasked(model, field)) denyMasked(model, field)
  const conditions = [rules.condition('read', model)]
  if (conditions[0] === false || !rules.hasFieldRules('read', model)) return conditions
  for (const field of used) {
    const condition = rules.condition('read', model, field)
    if (condition === false) {
      const what = `${qualifiedName(model, field)} is not readable and cannot be used in filters, sort orders, aggregates or arithmetic`
      deny(`${what}: no rule ${ruleName('read', model, field)} applies.`)
    }
    conditions.push(condition)
  }
  return conditions
}

function denyMasked(model: PolicyModel, field: string): never {
  const detail = `${qualifiedName(model, field)} is masked and cannot be used in filters, sort orders, aggregates or arithmetic.`
  throw new RequestError({ code: 'forbidden', detail })
}
