import type { ComputedField } from '../../orm/computed.js'
import { isObject } from '../../values/is-object.js'
import { computedField, stripUnknownOmit } from './computed-fields.js'
import { type Condition, restrict } from '../rules/condition.js'
import { checkCursorReadable } from './cursor.js'
import { trackFieldNames, trackOrderBy } from './order-by.js'
import { COUNT, type RedactionPlan } from './redaction.js'
import { inverseFields, readableCondition, type ReadContext, type UsedFields } from './context.js'
import { qualifiedName, type PolicyModel, type PolicyRelation } from '../schema.js'
import { deny, definedMembers, type Args, asArgs } from '../args.js'
import { readableWhere } from './where.js'

/** The arguments that say what is shown of rows, and what is to be done with the rows. */
export interface ReadableSelection {
  /** The same object as was given, where rules change nothing. */
  readonly args: Args
  /** Undefined where there is nothing to do. */
  readonly plan: RedactionPlan | undefined
}

/** What is being made of one level of a selection. */
interface Draft {
  readonly reading: ReadContext
  readonly model: PolicyModel
  /** What replaces members of `select` or `include`; undefined where they are left out. */
  readonly changes: Map<string, unknown>
  readonly shown: Map<Args, string[]>
  readonly required: RedactionPlan['required'][number][]
  readonly below: RedactionPlan['below'][number][]
  /** Related rows are asked for later: their ids are needed. */
  needsId: boolean
}

/**
 * Rewrites `select`, `include` and `omit` so that only what may be read is loaded, at every depth.
 * @param asked arguments of a query, or of a relation inside them
 * @param withId load the id in any case, because the caller of this function needs it
 */
export function readableSelection(
  reading: ReadContext,
  model: PolicyModel,
  asked: Args,
  withId = false,
): ReadableSelection {
  const args = stripUnknownOmit(reading, model, asked)
  const select = args['select'] ?? undefined
  const chosen = select ?? args['include'] ?? undefined
  if (chosen === undefined && !withId && !reading.rules.hasFieldRules('read', model)) return { args, plan: undefined }
  const draft: Draft = {
    reading,
    model,
    changes: new Map(),
    shown: new Map(),
    required: [],
    below: [],
    needsId: withId,
  }
  if (chosen !== undefined) {
    for (const [name, value] of definedMembers(asArgs(chosen, '"select"'))) {
      if (value === false || value === null) continue
      const computed = select === undefined ? undefined : computedField(draft.reading, draft.model, name)
      if (computed) chooseNeeds(draft, computed, asArgs(chosen, '"select"'))
      else choose(draft, name, value)
    }
  }
  const omitted = select === undefined ? chooseAll(draft, isObject(args['omit']) ? args['omit'] : {}) : undefined
  return finish(draft, args, select !== undefined, omitted)
}

function choose(draft: Draft, name: string, value: unknown): void {
  const { reading, model } = draft
  if (value !== true && !isObject(value))
    return deny(`"${name}" of ${model.name} must be selected by true or by an object.`)
  if (name === '_count') return change(draft, name, value, countOf(draft, value))
  const relation = model.relations.get(name)
  if (!relation && !model.fields.has(name)) {
    return deny(`"${name}" of ${model.name} cannot be read under access policies.`)
  }
  const condition = fieldCondition(reading, model, name)
  if (condition === false || (relation && isBackClosed(reading, relation))) {
    draft.changes.set(name, undefined)
    return
  }
  if (condition !== true) show(draft, name, condition)
  if (relation)
    change(draft, name, value, relation.many ? manyOf(draft, relation, value) : oneOf(draft, relation, value))
}

/**
 * What a computed field needs is loaded in its place, as far as it may be read. The client that the caller holds computes it, where it
 * finds all of that, and shows nothing of it that was not selected itself.
 */
function chooseNeeds(draft: Draft, { name, needs }: ComputedField, chosen: Args): void {
  draft.changes.set(name, undefined)
  for (const need of needs) {
    if (chosen[need] === true || draft.changes.has(need)) continue
    draft.changes.set(need, true)
    choose(draft, need, true)
  }
}

function change(draft: Draft, name: string, before: unknown, after: unknown): void {
  if (after !== before) draft.changes.set(name, after)
}

function show(draft: Draft, name: string, condition: Args): void {
  const names = draft.shown.get(condition) ?? []
  names.push(name)
  draft.shown.set(condition, names)
  draft.needsId = true
}

/** When a field is shown of a row that may be read. */
function fieldCondition({ rules }: ReadContext, model: PolicyModel, name: string): Condition {
  if (!rules.hasFieldRules('read', model)) return true
  const condition = rules.condition('read', model, name)
  return condition === rules.condition('read', model) ? true : condition
}

/** Whether no row may be found through a relation, because its other end may never be read. */
function isBackClosed(reading: ReadContext, relation: PolicyRelation): boolean {
  return [...inverseFields(relation)].some((name) => fieldCondition(reading, relation.target, name) === false)
}

/** Where nothing is selected, all scalars are; gives those to leave out of every row. */
function chooseAll(draft: Draft, omit: Args): string[] {
  const { reading, model } = draft
  if (!reading.rules.hasFieldRules('read', model)) return []
  const never: string[] = []
  for (const name of model.fields.keys()) {
    const condition = fieldCondition(reading, model, name)
    // What the caller omits is loaded all the same, where computed fields need it.
    if (condition === false || (omit[name] === true && condition !== true)) never.push(name)
    else if (condition !== true) show(draft, name, condition)
  }
  return never
}

/** The number of related rows, of those that may be read; only on rows of which the relation may be. */
function countOf(draft: Draft, value: unknown): unknown {
  const { reading, model } = draft
  const toMany = [...model.relations.values()].filter(({ many }) => many)
  const chosen = isObject(value) ? asArgs(value['select'] ?? {}, '"_count"') : undefined
  const select: Record<string, unknown> = {}
  let changed = !chosen && model.hasUnknown
  for (const [name, count] of chosen
    ? definedMembers(chosen)
    : toMany.map((relation) => [relation.name, true] as const)) {
    if (count === false) continue
    const relation = model.relations.get(name)
    if (!relation?.many) return deny(`"${name}" of ${model.name} cannot be counted under access policies.`)
    const condition = fieldCondition(reading, model, name)
    if (condition === false) {
      if (chosen) deny(`${qualifiedName(model, name)} cannot be counted: it may not be read.`)
      changed = true
      continue
    }
    if (!chosen && isBackClosed(reading, relation)) {
      changed = true
      continue
    }
    if (condition !== true) show(draft, `${COUNT}${name}`, condition)
    const before = isObject(count) ? count['where'] : undefined
    const where = readableWhere(reading, relation.target, before, inverseFields(relation))
    const isSame = before === undefined ? Object.keys(where).length === 0 : where === before
    select[name] = isSame ? count : { ...(isObject(count) ? count : {}), where }
    changed ||= !isSame
  }
  if (!changed) return value
  return Object.keys(select).length > 0 ? { select } : undefined
}

function manyOf(draft: Draft, relation: PolicyRelation, value: unknown): unknown {
  const args = isObject(value) ? value : {}
  const { reading } = draft
  const ordered: UsedFields = new Set()
  trackOrderBy(reading, relation.target, args['orderBy'], ordered)
  const used: UsedFields = new Set([...ordered, ...inverseFields(relation)])
  trackFieldNames(relation.target, args['distinct'], used)
  const selected = inner(draft, relation, args)
  const where = readableWhere(reading, relation.target, args['where'], used)
  const isSame = args['where'] === undefined ? Object.keys(where).length === 0 : where === args['where']
  const cursor = args['cursor']
  if (isSame && selected === args && cursor === undefined) return value
  const result: Record<string, unknown> = isSame ? { ...selected } : { ...selected, where }
  checkCursorReadable(reading, relation.target, result, ordered)
  return result
}

function oneOf(draft: Draft, relation: PolicyRelation, value: unknown): unknown {
  const { reading } = draft
  const { name, target } = relation
  const args = isObject(value) ? value : {}
  const conditions = readableCondition(reading, target, inverseFields(relation))
  const isOpen = conditions.every((condition) => condition === true)
  if (relation.optional) {
    const selected = inner(draft, relation, args)
    const where = args['where'] === undefined ? {} : asArgs(args['where'], 'A filter')
    const filtered =
      args['where'] === undefined
        ? restrict(target, where, conditions)
        : readableWhere(reading, target, where, inverseFields(relation))
    if (filtered === where) return selected === args ? value : selected
    return { ...selected, where: filtered }
  }
  if (isOpen) {
    const selected = inner(draft, relation, args)
    return selected === args ? value : selected
  }
  const [condition = false] = conditions
  draft.required.push({ name, target, condition })
  return inner(draft, relation, args, true)
}

function inner(draft: Draft, relation: PolicyRelation, args: Args, withId = false): Args {
  const selected = readableSelection(draft.reading, relation.target, args, withId)
  if (selected.plan) draft.below.push({ name: relation.name, plan: selected.plan })
  return selected.args
}

function finish(
  draft: Draft,
  args: Args,
  isSelect: boolean,
  omitted: readonly string[] | undefined,
): ReadableSelection {
  const { model, changes, shown, required, below, needsId } = draft
  const key = isSelect ? 'select' : 'include'
  let result: Record<string, unknown> | undefined
  let strip: string[] = []
  if (changes.size > 0) {
    const members: Record<string, unknown> = { ...(isObject(args[key]) ? args[key] : {}) }
    for (const [name, value] of changes) {
      if (value === undefined) delete members[name]
      else members[name] = value
    }
    result = { ...args, [key]: members }
    if (!isSelect && Object.keys(members).length === 0) delete result[key]
  }
  if (isSelect) {
    const members = asArgs((result ?? args)[key], '"select"')
    const isNothing = !Object.values(members).some((value) => value !== undefined && value !== false)
    if (needsId || (isNothing && changes.size > 0)) {
      strip = model.idFields.filter((field) => members[field] !== true)
      if (strip.length > 0) {
        result ??= { ...args }
        result[key] = { ...members, ...Object.fromEntries(strip.map((field) => [field, true])) }
      }
    }
  } else {
    const before = isObject(args['omit']) ? args['omit'] : {}
    const omit: Record<string, unknown> = { ...before }
    for (const name of omitted ?? []) omit[name] = true
    // Prisma takes no query that loads nothing at all.
    const isNothing = omitted?.length && [...model.fields.keys()].every((name) => omit[name] === true)
    if (needsId || isNothing) {
      strip = model.idFields.filter((field) => omit[field] === true)
      for (const field of model.idFields) omit[field] = false
    }
    // Computed fields that need them make Prisma load them in any case, and would then be computed.
    strip = [...new Set([...strip, ...(omitted ?? [])])]
    if (Object.keys(omit).some((name) => omit[name] !== before[name])) result = { ...(result ?? args), omit }
  }
  const plan: RedactionPlan = {
    model,
    strip,
    shown: [...shown].map(([condition, names]) => ({ names, condition })),
    required,
    below,
  }
  const isIdle = strip.length === 0 && shown.size === 0 && required.length === 0 && below.length === 0
  return { args: result ?? args, plan: isIdle ? undefined : plan }
}
