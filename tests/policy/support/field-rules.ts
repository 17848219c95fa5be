import fc from 'fast-check'

import type { Model } from '../../../runtime/schema/model.js'
import { abilityBuilder, type AppAbility } from '../../../fixtures/tenants/expected/policy.js'
import { type Row, TENANTS } from './tenants.js'

/** The rows on which something is readable: all, none, or those whose first id field is in the list. */
export type Rows = 'all' | 'none' | readonly number[]

/** Random rules for reads of a model's rows and fields, including relations. */
export interface ModelRules {
  /** Whether the rules allow single fields, or all fields except some. */
  readonly spelling: 'can' | 'cannot'
  readonly rows: Exclude<Rows, 'none'>
  readonly fields: ReadonlyMap<string, Rows>
}

/** By model. */
export type FieldRules = ReadonlyMap<string, ModelRules>

const some = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 })

export const arbitraryFieldRules: fc.Arbitrary<FieldRules> = fc
  .tuple(...[...TENANTS.values()].map((model) => rulesOn(model).map((rules) => [model.name, rules] as const)))
  .map((entries) => new Map(entries))

function rulesOn(model: Model): fc.Arbitrary<ModelRules> {
  const names = [...model.fields.keys(), ...model.relations.keys()]
  const rest: fc.Arbitrary<Rows> = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Rows>('all') },
    { weight: 1, arbitrary: fc.constant<Rows>('none') },
    { weight: 2, arbitrary: some },
  )
  return fc.record({
    spelling: fc.constantFrom('can', 'cannot'),
    rows: fc.oneof({ weight: 2, arbitrary: fc.constant<'all'>('all') }, { weight: 1, arbitrary: some }),
    fields: fc.tuple(...names.map((name) => rest.map((rows) => [name, rows] as const))).map((all) => new Map(all)),
  })
}

/** Converts rules to a CASL ability. */
export function abilityOf(rules: FieldRules): AppAbility {
  const { can, cannot, build } = abilityBuilder()
  for (const [name, { spelling, rows, fields }] of rules) {
    const subject = name as 'Member'
    const on = (of: readonly number[]) => ({ [idOf(name)]: { in: [...of] } })
    const not = (of: readonly number[]) => ({ [idOf(name)]: { notIn: [...of] } })
    const named = (wanted: Rows) => [...fields].filter(([, of]) => of === wanted).map(([field]) => field as 'id')
    if (spelling === 'can') {
      const always = named('all')
      if (always.length > 0) can('read', subject, always, rows === 'all' ? {} : on(rows))
      for (const [field, of] of fields) if (typeof of !== 'string') can('read', subject, [field as 'id'], on(of))
      continue
    }
    can('read', subject, rows === 'all' ? {} : on(rows))
    const never = named('none')
    if (never.length > 0) cannot('read', subject, never)
    for (const [field, of] of fields) if (typeof of !== 'string') cannot('read', subject, [field as 'id'], not(of))
  }
  return build()
}

/** Returns a field with the relation or foreign key that belongs to it, because a rule on one applies to both. */
function namesOf({ relations }: Model, field: string): string[] {
  const columns = Object.keys(relations.get(field)?.foreignKey ?? {})
  const owners = [...relations].filter(([, { foreignKey }]) => foreignKey && field in foreignKey)
  return [field, ...columns, ...owners.map(([name]) => name)]
}

/** Whether a field of a row may be read. */
export function isReadable(rules: FieldRules, model: Model, field: string, row: Row): boolean {
  const isNamed = (name: string) => isFieldReadable(rules, model, name, row)
  const names = namesOf(model, field)
  return rulesOf(rules, model).spelling === 'can' ? names.some(isNamed) : names.every(isNamed)
}

function isFieldReadable(rules: FieldRules, model: Model, field: string, row: Row): boolean {
  const { spelling, rows, fields } = rulesOf(rules, model)
  const of = fields.get(field) ?? 'none'
  if (of === 'all') return isAmong(model, rows, row)
  return isAmong(model, of, row) && (spelling === 'can' || isAmong(model, rows, row))
}

/** Whether no row shows a field, although rows are readable. */
export function isNever(rules: FieldRules, model: Model, field: string): boolean {
  const { spelling, fields } = rulesOf(rules, model)
  if (spelling === 'can' && [...fields.values()].every((rows) => rows === 'none')) return false
  const isNone = (name: string) => fields.get(name) === 'none'
  return spelling === 'can' ? namesOf(model, field).every(isNone) : namesOf(model, field).some(isNone)
}

/** Returns a filter for the readable rows that show all of the given fields. */
export function showing(rules: FieldRules, model: Model, used: Iterable<string>): Row {
  const { spelling, rows, fields } = rulesOf(rules, model)
  const row = (id: number) => ({ [idOf(model.name)]: id })
  const ids = [1, 2, 3, 4, 5].filter((id) => {
    const isThere =
      spelling === 'cannot'
        ? isAmong(model, rows, row(id))
        : [...fields.keys()].some((field) => isReadable(rules, model, field, row(id)))
    return isThere && [...used].every((field) => isReadable(rules, model, field, row(id)))
  })
  return { [idOf(model.name)]: { in: ids } }
}

function rulesOf(rules: FieldRules, model: Model): ModelRules {
  const found = rules.get(model.name)
  if (!found) throw new Error(`There are no rules on ${model.name}.`)
  return found
}

function isAmong(model: Model, rows: Rows, row: Row): boolean {
  return rows === 'all' || (rows !== 'none' && rows.includes(Number(row[idOf(model.name)])))
}

function idOf(name: string): string {
  const model = TENANTS.get(name)
  return model?.uniques.get(model.id)?.[0] ?? 'id'
}
