import type { Field } from '../../../schema/resource.js'
import type { Model, ModelRelation } from '../../../schema/model.js'
import { isObject } from '../../../values/is-object.js'
import { isQuantified } from './filter-keywords.js'

/**
 * Which rows match a filter, determined without a query: `all`, `none`, or possibly only `some`. An `empty` filter has no condition: Prisma
 * ignores it in any position, and by itself it matches all rows. A `void` filter contains an `OR` without conditions. Depending on its
 * position, Prisma matches no rows or all rows, so the result is unknown.
 */
export type FilterSelectivity = 'all' | 'none' | 'some' | 'empty' | 'void'

/**
 * Determines which rows a filter matches. `{ AND: [] }`, `{ id: { notIn: [] } }` and `{ NOT: { OR: [] } }` look like conditions, but match
 * every row.
 * @param filter a validated filter
 */
export function filterSelectivity(model: Model, filter: unknown): FilterSelectivity {
  if (!isObject(filter)) return 'some'
  return allOf(Object.entries(filter).map(([key, member]) => entryVerdict(model, key, member)))
}

function entryVerdict(model: Model, key: string, member: unknown): FilterSelectivity {
  const parts = (): FilterSelectivity[] =>
    (Array.isArray(member) ? member : [member]).map((part) => filterSelectivity(model, part))
  if (key === 'AND') return allOf(parts())
  if (key === 'OR') return anyOf(parts())
  if (key === 'NOT') return allOf(parts().map(not))
  const relation = model.relations.get(key)
  if (relation) return relationVerdict(relation, member)
  const field = model.fields.get(key)
  return field ? scalarVerdict(field, member) : 'some'
}

/** Combines the selectivities of filters with AND. */
function allOf(verdicts: readonly FilterSelectivity[]): FilterSelectivity {
  if (verdicts.includes('void')) return 'void'
  const conditions = verdicts.filter((verdict) => verdict !== 'empty')
  if (conditions.length === 0) return 'empty'
  if (conditions.includes('none')) return 'none'
  return conditions.every((verdict) => verdict === 'all') ? 'all' : 'some'
}

function anyOf(verdicts: readonly FilterSelectivity[]): FilterSelectivity {
  const conditions = verdicts.filter((verdict) => verdict !== 'empty')
  if (conditions.length === 0 || conditions.includes('void')) return 'void'
  if (conditions.includes('all')) return 'all'
  return conditions.every((verdict) => verdict === 'none') ? 'none' : 'some'
}

function not(verdict: FilterSelectivity): FilterSelectivity {
  if (verdict === 'all') return 'none'
  return verdict === 'none' ? 'all' : verdict
}

function relationVerdict(relation: ModelRelation, filter: unknown): FilterSelectivity {
  if (!isObject(filter)) return 'some'
  const { target, optional } = relation
  if (!isQuantified(relation, filter)) {
    const inner = filterSelectivity(target, filter)
    return inner === 'all' && optional ? 'some' : inner
  }
  return allOf(
    Object.entries(filter).map(([quantifier, part]) => {
      const inner = part === null ? 'some' : filterSelectivity(target, part)
      const matches = inner === 'all' || inner === 'empty'
      if (inner === 'void') return 'void'
      switch (quantifier) {
        case 'some':
          return inner === 'none' ? 'none' : 'some'
        case 'every':
          return matches ? 'all' : 'some'
        case 'none':
          return inner === 'none' ? 'all' : 'some'
        case 'is':
          return inner === 'none' ? 'none' : matches && !optional ? 'all' : 'some'
        default:
          return inner === 'none' ? 'all' : matches && !optional ? 'none' : 'some'
      }
    }),
  )
}

/** Operators that only modify other conditions. */
const NO_CONDITION: ReadonlySet<string> = new Set(['mode', 'path'])

function scalarVerdict(field: Field, filter: unknown): FilterSelectivity {
  if (!isObject(filter)) return 'some'
  return allOf(Object.entries(filter).map(([operator, operand]) => operatorVerdict(field, operator, operand)))
}

function operatorVerdict(field: Field, operator: string, operand: unknown): FilterSelectivity {
  if (NO_CONDITION.has(operator)) return 'empty'
  const isEmptyList = Array.isArray(operand) && operand.length === 0
  switch (operator) {
    case 'in':
    case 'hasSome':
      return isEmptyList ? 'none' : 'some'
    case 'notIn':
    case 'hasEvery':
      return isEmptyList ? 'all' : 'some'
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return operand === '' && !field.optional ? 'all' : 'some'
    case 'not':
      if (field.type === 'Json' || !isObject(operand)) return 'some'
      return allOf(Object.entries(operand).map(([key, part]) => not(operatorVerdict(field, key, part))))
    default:
      return 'some'
  }
}
