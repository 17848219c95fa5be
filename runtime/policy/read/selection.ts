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

/** A selection that loads only readable fields, and the plan for the loaded rows. */
export interface ReadableSelection {
  /** The given object if the rules change nothing. */
  readonly args: Args
  /** Undefined if there is nothing to redact. */
  readonly plan: RedactionPlan | undefined
}

/** The state while one level of a selection is rewritten. */
interface Draft {
  readonly reading: ReadContext
  readonly model: PolicyModel
  /** Replacements for members of `select` or `include`; undefined removes a member. */
  readonly changes: Map<string, unknown>
  readonly conditional: Map<Args, string[]>
  readonly required: RedactionPlan['required'][number][]
  readonly below: RedactionPlan['below'][number][]
  /** Whether the ids of the rows are needed, because another query checks the rows. */
  needsId: boolean
}

/**
 * Rewrites `select`, `include` and `omit` so that only readable fields and rows are loaded, at every depth.
 * @param input arguments of a query, or of a relation inside them
 * @param withId loads the id in any case, because the caller of this function needs it
 */
export function readableSelection(
  reading: ReadContext,
  model: PolicyModel,
  input: Args,
  withId = false,
): ReadableSelection {
  const args = stripUnknownOmit(reading, model, input)
  const select = args['select'] ?? undefined
  const chosen = select ?? args['include'] ?? undefined
  if (chosen === undefined && !withId && !reading.rules.hasFieldRules('read', model)) return { args, plan: undefined }
  const draft: Draft = {
    reading,
    model,
    changes: new Map(),
    conditional: new Map(),
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
  if (name === '_count') return change(draft, name, value, rewriteCount(draft, value))
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
    change(
      draft,
      name,
      value,
      relation.many ? rewriteToMany(draft, relation, value) : rewriteToOne(draft, relation, value),
    )
}

/**
 * Replaces a computed field by the readable fields that it needs. The caller's client computes the field if all of them are loaded, and
 * removes those that were not selected.
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
  const names = draft.conditional.get(condition) ?? []
  names.push(name)
  draft.conditional.set(condition, names)
  draft.needsId = true
}

/** Returns the condition under which a field is readable on a readable row. */
function fieldCondition({ rules }: ReadContext, model: PolicyModel, name: string): Condition {
  if (!rules.hasFieldRules('read', model)) return true
  const condition = rules.condition('read', model, name)
  return condition === rules.condition('read', model) ? true : condition
}

/** Whether no row may be found through a relation, because its inverse is never readable. */
function isBackClosed(reading: ReadContext, relation: PolicyRelation): boolean {
  return [...inverseFields(relation)].some((name) => fieldCondition(reading, relation.target, name) === false)
}

/** Handles a selection without `select`, which loads all scalars. Returns the fields to omit from every row. */
function chooseAll(draft: Draft, omit: Args): string[] {
  const { reading, model } = draft
  if (!reading.rules.hasFieldRules('read', model)) return []
  const never: string[] = []
  for (const name of model.fields.keys()) {
    const condition = fieldCondition(reading, model, name)
    // Computed fields load the fields that they need even if the caller omits them.
    if (condition === false || (omit[name] === true && condition !== true)) never.push(name)
    else if (condition !== true) show(draft, name, condition)
  }
  return never
}

/** Rewrites `_count` so that it counts readable related rows only, on rows whose relation is readable. */
function rewriteCount(draft: Draft, value: unknown): unknown {
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

function rewriteToMany(draft: Draft, relation: PolicyRelation, value: unknown): unknown {
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

function rewriteToOne(draft: Draft, relation: PolicyRelation, value: unknown): unknown {
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
  const { model, changes, conditional, required, below, needsId } = draft
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
    // Prisma rejects queries that load no fields.
    const isNothing = omitted?.length && [...model.fields.keys()].every((name) => omit[name] === true)
    if (needsId || isNothing) {
      strip = model.idFields.filter((field) => omit[field] === true)
      for (const field of model.idFields) omit[field] = false
    }
    // Prisma loads omitted fields that computed fields need, and would then compute them.
    strip = [...new Set([...strip, ...(omitted ?? [])])]
    if (Object.keys(omit).some((name) => omit[name] !== before[name])) result = { ...(result ?? args), omit }
  }
  const plan: RedactionPlan = {
    model,
    strip,
    conditional: [...conditional].map(([condition, names]) => ({ names, condition })),
    required,
    below,
  }
  const isIdle = strip.length === 0 && conditional.size === 0 && required.length === 0 && below.length === 0
  return { args: result ?? args, plan: isIdle ? undefined : plan }
}
