import { serializeKey } from '../../orm/keys.js'
import type { Condition } from '../rules/condition.js'
import type { PolicyModel } from '../schema.js'
import { deny, type Args } from '../args.js'

/** What is to be done with the rows of a result that the query itself could not leave out. */
export interface RedactionPlan {
  readonly model: PolicyModel
  /** What was loaded for us only. */
  readonly strip: readonly string[]
  /** Members that are shown only on rows that meet a condition. */
  readonly shown: readonly { readonly names: readonly string[]; readonly condition: Args }[]
  /** Related rows that are null where they do not meet a condition: of relations that cannot be filtered in the query. */
  readonly required: readonly { readonly name: string; readonly target: PolicyModel; readonly condition: Condition }[]
  /** Of related rows. */
  readonly below: readonly { readonly name: string; readonly plan: RedactionPlan }[]
}

/** Which of some rows meet a filter: the keys of those that do, as {@link keyOf} makes them. */
export type MatchRows = (model: PolicyModel, ids: readonly Args[], where: Args) => Promise<ReadonlySet<string>>

/** Begins the name of a member of `_count`. */
export const COUNT = '_count.'

type Row = Record<string, unknown>

interface Question {
  readonly model: PolicyModel
  readonly condition: Args
  readonly rows: Row[]
}

/**
 * Takes out of a result what may not be shown.
 * @param rows one row, a list of rows, or null; changed in place
 * @param meeting asks the database, once for each model and condition
 */
export async function redact(rows: unknown, plan: RedactionPlan, meeting: MatchRows): Promise<void> {
  const questions = new Map<PolicyModel, Map<Args, Question>>()
  const ask = (model: PolicyModel, condition: Args, row: Row) => {
    const ofModel = questions.get(model) ?? new Map<Args, Question>()
    questions.set(model, ofModel)
    const question = ofModel.get(condition) ?? { model, condition, rows: [] }
    ofModel.set(condition, question)
    question.rows.push(row)
  }
  walk(rows, plan, (row, { model, shown, required }) => {
    for (const { condition } of shown) ask(model, condition, row)
    for (const { name, target, condition } of required) {
      const related = row[name]
      if (typeof condition !== 'boolean' && isRow(related)) ask(target, condition, related)
    }
  })
  const answers = new Map<PolicyModel, Map<Args, ReadonlySet<string>>>()
  for (const ofModel of questions.values()) {
    for (const { model, condition, rows: asked } of ofModel.values()) {
      const ids = new Map(asked.map((row) => [rowKey(model, row), idFilter(model, row)]))
      const answer = answers.get(model) ?? new Map<Args, ReadonlySet<string>>()
      answers.set(model, answer)
      answer.set(condition, await meeting(model, [...ids.values()], condition))
    }
  }
  const meets = (model: PolicyModel, condition: Args, row: Row) =>
    answers.get(model)?.get(condition)?.has(rowKey(model, row)) === true
  const removals: (() => void)[] = []
  walk(rows, plan, (row, { model, shown, required, strip }) => {
    for (const { name, target, condition } of required) {
      const related = row[name]
      if (isRow(related) && condition !== true && !(condition && meets(target, condition, related))) row[name] = null
    }
    const names = shown.flatMap((part) => (meets(model, part.condition, row) ? [] : part.names))
    // Ids are needed until every row was looked at.
    removals.push(() => {
      for (const name of names) remove(row, name)
      for (const name of strip) delete row[name]
    })
  })
  for (const removal of removals) removal()
}

function remove(row: Row, name: string): void {
  const counts = row['_count']
  if (!name.startsWith(COUNT)) delete row[name]
  else if (isRow(counts)) delete counts[name.slice(COUNT.length)]
}

function walk(rows: unknown, plan: RedactionPlan, visit: (row: Row, plan: RedactionPlan) => void): void {
  for (const row of Array.isArray(rows) ? rows : [rows]) {
    if (!isRow(row)) continue
    visit(row, plan)
    for (const { name, plan: inner } of plan.below) walk(row[name], inner, visit)
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/**
 * The id of a row, as a filter.
 * @throws PolicyError where it has none: what holds of another row without an id would be taken to hold of this one
 */
export function idFilter(model: PolicyModel, row: Args): Args {
  if (model.idFields.some((field) => row[field] === null || row[field] === undefined)) {
    deny(`A row of ${model.name} without an id cannot be verified.`)
  }
  return Object.fromEntries(model.idFields.map((field) => [field, row[field]]))
}

/** The id of a row, as a key to compare by. */
export function rowKey(model: PolicyModel, row: Args): string {
  return serializeKey(model.idFields, row)
}
