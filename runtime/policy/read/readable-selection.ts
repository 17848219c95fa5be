import { deny } from '../../errors/policy-error.js'
import type { ComputedField } from '../../prisma/internals.js'
import { isObject } from '../../values/is-object.js'
import { definedEntries, type Args, asArgs } from '../args.js'
import { qualifiedName, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { type Condition, restrict } from '../rules/condition.js'
import { deferCursorCheck, readableWhere, inverseFields, readableCondition } from './readable-where.js'
import type { ReadContext, UsedFields } from './read-context.js'
import { COUNT, type RedactionPlan } from './redact.js'
import { trackFieldNames, trackOrderBy } from './track-used-fields.js'

/** A selection that loads only readable fields, and the redaction plan for the loaded rows. */
export interface ReadableSelection {
  /** The original object if the rules do not change it. */
  readonly args: Args
  /** Undefined if there is nothing to redact. */
  readonly plan: RedactionPlan | undefined
}

/** The state while one level of a selection is rewritten. */
interface Draft {
  readonly reading: ReadContext
  readonly model: PolicyModel
  /** Replacements for entries of `select` or `include`; undefined removes an entry. */
  readonly changes: Map<string, unknown>
  readonly conditional: Map<Args, string[]>
  readonly required: RedactionPlan['required'][number][]
  readonly nested: RedactionPlan['nested'][number][]
  /** Whether the ids of the rows are needed, because a second query checks the rows. */
  needsId: boolean
}

/**
 * Rewrites `select`, `include` and `omit` so that only readable fields and rows are loaded, at every depth.
 * @param input arguments of a query, or of a relation inside them
 * @param withId whether to load the id even if it is not selected, because the caller of this function needs it
 */
export function readableSelection(
  readContext: ReadContext,
  model: PolicyModel,
  input: Args,
  withId = false,
): ReadableSelection {
  const args = stripUnknownOmit(readContext, model, input)
  const select = args['select'] ?? undefined
  const members = select ?? args['include'] ?? undefined
  if (members === undefined && !withId && !readContext.rules.hasFieldRules('read', model))
    return { args, plan: undefined }
  const draft: Draft = {
    reading: readContext,
    model,
    changes: new Map(),
    conditional: new Map(),
    required: [],
    nested: [],
    needsId: withId,
  }
  if (members !== undefined) {
    for (const [name, value] of definedEntries(asArgs(members, '"select"'))) {
      if (value === false || value === null) continue
      const computed = select === undefined ? undefined : computedField(draft.reading, draft.model, name)
      if (computed) selectNeeds(draft, computed, asArgs(members, '"select"'))
      else selectMember(draft, name, value)
    }
  }
  const omitted = select === undefined ? selectScalars(draft, isObject(args['omit']) ? args['omit'] : {}) : undefined
  return createSelection(draft, args, select !== undefined, omitted)
}

function selectMember(draft: Draft, name: string, value: unknown): void {
  const { reading, model } = draft
  if (value !== true && !isObject(value)) return deny(`"${name}" of ${model.name} must be true or an object.`)
  if (name === '_count') return setChange(draft, name, value, rewriteCount(draft, value))
  const relation = model.relations.get(name)
  if (!relation && !model.fields.has(name)) {
    return deny(`"${name}" of ${model.name} cannot be read under access policies.`)
  }
  const condition = fieldCondition(reading, model, name)
  if (condition === false || (relation && isInverseHidden(reading, relation))) {
    draft.changes.set(name, undefined)
    return
  }
  if (condition !== true) addCondition(draft, name, condition)
  if (relation)
    setChange(
      draft,
      name,
      value,
      relation.many ? rewriteToMany(draft, relation, value) : rewriteToOne(draft, relation, value),
    )
}

/**
 * Replaces a computed field with the readable fields that it needs. The caller's client computes the field if all of them are loaded, and
 * removes those that were not selected.
 */
function selectNeeds(draft: Draft, { name, needs }: ComputedField, selected: Args): void {
  draft.changes.set(name, undefined)
  for (const need of needs) {
    if (selected[need] === true || draft.changes.has(need)) continue
    draft.changes.set(need, true)
    selectMember(draft, need, true)
  }
}

function setChange(draft: Draft, name: string, current: unknown, rewritten: unknown): void {
  if (rewritten !== current) draft.changes.set(name, rewritten)
}

function addCondition(draft: Draft, name: string, condition: Args): void {
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

/** Whether rows must not be found through a relation, because its inverse is never readable. */
function isInverseHidden(readContext: ReadContext, relation: PolicyRelation): boolean {
  return [...inverseFields(relation)].some((name) => fieldCondition(readContext, relation.target, name) === false)
}

/** Handles a selection without `select`, which loads all scalars. Returns the fields to omit from every row. */
function selectScalars(draft: Draft, omit: Args): string[] {
  const { reading, model } = draft
  if (!reading.rules.hasFieldRules('read', model)) return []
  const omitted: string[] = []
  for (const name of model.fields.keys()) {
    const condition = fieldCondition(reading, model, name)
    // Computed fields load the fields that they need even if the caller omits them.
    if (condition === false || (omit[name] === true && condition !== true)) omitted.push(name)
    else if (condition !== true) addCondition(draft, name, condition)
  }
  return omitted
}

/** Rewrites `_count` so that it counts only readable related rows, and only on rows whose relation is readable. */
function rewriteCount(draft: Draft, value: unknown): unknown {
  const { reading, model } = draft
  const toMany = [...model.relations.values()].filter(({ many }) => many)
  const selected = isObject(value) ? asArgs(value['select'] ?? {}, '"_count"') : undefined
  const select: Record<string, unknown> = {}
  let changed = !selected && model.hasUnexposedToMany
  for (const [name, count] of selected
    ? definedEntries(selected)
    : toMany.map((relation) => [relation.name, true] as const)) {
    if (count === false) continue
    const relation = model.relations.get(name)
    if (!relation?.many) return deny(`"${name}" of ${model.name} cannot be counted under access policies.`)
    const condition = fieldCondition(reading, model, name)
    if (condition === false) {
      if (selected) deny(`${qualifiedName(model, name)} cannot be counted: it is not readable.`)
      changed = true
      continue
    }
    if (!selected && isInverseHidden(reading, relation)) {
      changed = true
      continue
    }
    if (condition !== true) addCondition(draft, `${COUNT}${name}`, condition)
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
  const selected = rewriteRelated(draft, relation, args)
  const where = readableWhere(reading, relation.target, args['where'], used)
  const isSame = args['where'] === undefined ? Object.keys(where).length === 0 : where === args['where']
  const cursor = args['cursor']
  if (isSame && selected === args && cursor === undefined) return value
  const result: Record<string, unknown> = isSame ? { ...selected } : { ...selected, where }
  deferCursorCheck(reading, relation.target, result, ordered)
  return result
}

function rewriteToOne(draft: Draft, relation: PolicyRelation, value: unknown): unknown {
  const { reading } = draft
  const { name, target } = relation
  const args = isObject(value) ? value : {}
  const conditions = readableCondition(reading, target, inverseFields(relation))
  const isOpen = conditions.every((condition) => condition === true)
  if (relation.optional) {
    const selected = rewriteRelated(draft, relation, args)
    const where = args['where'] === undefined ? {} : asArgs(args['where'], 'A filter')
    const filtered =
      args['where'] === undefined
        ? restrict(target, where, conditions)
        : readableWhere(reading, target, where, inverseFields(relation))
    if (filtered === where) return selected === args ? value : selected
    return { ...selected, where: filtered }
  }
  if (isOpen) {
    const selected = rewriteRelated(draft, relation, args)
    return selected === args ? value : selected
  }
  const [condition = false] = conditions
  draft.required.push({ name, target, condition })
  return rewriteRelated(draft, relation, args, true)
}

function rewriteRelated(draft: Draft, relation: PolicyRelation, args: Args, withId = false): Args {
  const selected = readableSelection(draft.reading, relation.target, args, withId)
  if (selected.plan) draft.nested.push({ name: relation.name, plan: selected.plan })
  return selected.args
}

function createSelection(
  draft: Draft,
  args: Args,
  isSelect: boolean,
  omitted: readonly string[] | undefined,
): ReadableSelection {
  const { model, changes, conditional, required, nested, needsId } = draft
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
    const selectsNothing = !Object.values(members).some((value) => value !== undefined && value !== false)
    if (needsId || (selectsNothing && changes.size > 0)) {
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
    const selectsNothing = omitted?.length && [...model.fields.keys()].every((name) => omit[name] === true)
    if (needsId || selectsNothing) {
      strip = model.idFields.filter((field) => omit[field] === true)
      for (const field of model.idFields) omit[field] = false
    }
    // Prisma loads omitted fields if computed fields need them. If they were kept, the computed fields would reveal them.
    strip = [...new Set([...strip, ...(omitted ?? [])])]
    if (Object.keys(omit).some((name) => omit[name] !== before[name])) result = { ...(result ?? args), omit }
  }
  const plan: RedactionPlan = {
    model,
    strip,
    conditional: [...conditional].map(([condition, names]) => ({ names, condition })),
    required,
    nested,
  }
  const isIdle = strip.length === 0 && conditional.size === 0 && required.length === 0 && nested.length === 0
  return { args: result ?? args, plan: isIdle ? undefined : plan }
}

/**
 * Finds a computed field of the client that policies extend.
 * @returns undefined if the schema has a field with this name, or the client does not compute it
 */
function computedField(
  { computed }: Pick<ReadContext, 'computed'>,
  model: PolicyModel,
  name: string,
): ComputedField | undefined {
  const fields = model.fields.has(name) || model.relations.has(name) ? undefined : computed?.(model.delegate)
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/**
 * Removes computed fields from `omit` if the client that policies extend does not have them, because their extensions were added later.
 * Returns the same object if there are none.
 */
function stripUnknownOmit(reading: Pick<ReadContext, 'computed'>, model: PolicyModel, args: Args): Args {
  const omit = args['omit']
  if (!isObject(omit)) return args
  const isAvailable = (name: string) => model.fields.has(name) || computedField(reading, model, name) !== undefined
  const available = Object.entries(omit).filter(([name]) => isAvailable(name))
  return available.length === Object.keys(omit).length ? args : { ...args, omit: Object.fromEntries(available) }
}
