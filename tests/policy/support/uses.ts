import type { Model, ModelRelation } from '../../../runtime/schema/model.js'
import { isRow, type Row } from './tenants.js'

/** A part of a read that finds rows of a model, and the fields that it uses. */
export interface Use {
  readonly model: Model
  readonly fields: ReadonlySet<string>
}

/** Returns every part that finds rows: the query itself, its cursor, included relations, and the relations in its filters. */
export function usesOf(model: Model, operation: string, args: Row): Use[] {
  const fields = new Set<string>()
  const uses: Use[] = [{ model, fields }]
  useWhere(model, args['where'], fields, uses)
  useOrders(model, args['orderBy'], fields)
  for (const key of ['distinct', 'by', '_count', '_sum', '_avg', '_min', '_max', 'having']) {
    useNames(model, args[key], fields)
  }
  if (operation === 'count') useNames(model, args['select'], fields)
  if (args['cursor'] !== undefined) {
    const cursor = new Set<string>()
    uses.push({ model, fields: cursor })
    useWhere(model, args['cursor'], cursor, uses)
    useOrders(model, args['orderBy'], cursor)
  }
  for (const key of ['select', 'include']) {
    const chosen = args[key]
    if (!isRow(chosen)) continue
    for (const [name, value] of Object.entries(chosen)) {
      const relation = model.relations.get(name)
      if (relation) uses.push(...usesOfRelated(relation, value))
      else if (name === '_count' && isRow(value)) uses.push(...countsOf(model, value['select']))
    }
  }
  return uses
}

function countsOf(model: Model, select: unknown): Use[] {
  if (!isRow(select)) return []
  return Object.entries(select).flatMap(([name, value]) => {
    const relation = model.relations.get(name)
    return relation ? usesOfRelated(relation, value) : []
  })
}

/** Returns the fields that find related rows: the other end of the relation, unless this end has the foreign key. */
function backOf({ inverse }: ModelRelation): Set<string> {
  return new Set(inverse === undefined ? [] : [inverse])
}

function usesOfRelated(relation: ModelRelation, value: unknown): Use[] {
  const [first, ...others] = usesOf(relation.target, 'findMany', isRow(value) ? value : {})
  return first ? [{ ...first, fields: new Set([...first.fields, ...backOf(relation)]) }, ...others] : []
}

function useWhere(model: Model, where: unknown, fields: Set<string>, uses: Use[]): void {
  if (Array.isArray(where)) for (const one of where) useWhere(model, one, fields, uses)
  if (!isRow(where)) return
  for (const [key, value] of Object.entries(where)) {
    const relation = model.relations.get(key)
    if (['AND', 'OR', 'NOT'].includes(key)) useWhere(model, value, fields, uses)
    else if (!relation) for (const field of model.uniques.get(key) ?? [key]) fields.add(field)
    else {
      fields.add(key)
      const { target } = relation
      const inside =
        isRow(value) && Object.keys(value).every((name) => OPERATORS.has(name))
          ? Object.entries(value)
          : [['is', value]]
      for (const [operator, inner] of inside) {
        // An empty filter matches every row, even if it does not exist, and `{}` of a to-one relation does not require a
        // row.
        if (isEmpty(inner) && (operator === 'every' || inner === value)) continue
        const used = backOf(relation)
        uses.push({ model: target, fields: used })
        useWhere(target, inner, used, uses)
      }
    }
  }
}

const OPERATORS: ReadonlySet<string> = new Set(['is', 'isNot', 'some', 'every', 'none'])

/** Adds the fields that rows are ordered by. Ordering by related rows is possible only if all of them are readable. */
function useOrders(model: Model, orderBy: unknown, fields: Set<string>): void {
  for (const order of Array.isArray(orderBy) ? orderBy : [orderBy]) {
    if (isRow(order)) for (const name of Object.keys(order)) fields.add(name)
  }
}

function useNames(model: Model, names: unknown, fields: Set<string>): void {
  if (typeof names === 'string') fields.add(names)
  else if (Array.isArray(names)) for (const name of names) useNames(model, name, fields)
  else if (isRow(names)) for (const name of Object.keys(names)) if (model.fields.has(name)) fields.add(name)
}

function isEmpty(value: unknown): boolean {
  return isRow(value) && Object.keys(value).length === 0
}
