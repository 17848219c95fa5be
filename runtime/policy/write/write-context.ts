import { MissingRowError, PolicyError } from '../../errors/policy-error.js'
import { isObject } from '../../values/is-object.js'
import { callClient } from '../../orm/call-client.js'
import { allOf, type Condition, toFilter, restrict } from '../rules/condition.js'
import { rowMatcher } from '../read/run-readable-query.js'
import { idFilter, rowKey } from '../read/redact.js'
import { type ReadContext, createReadContext } from '../read/read-context.js'
import type { Action, Rules } from '../rules/rules.js'
import { isOneToOneKey, qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { deny, type Args } from '../args.js'
import { readableWhere } from '../read/readable-where.js'
import type { RowHooks } from './row-hooks.js'

/**
 * The context of one write, including its nested writes. A write runs as a series of flat writes in one transaction, followed by deferred
 * checks: see {@link runDeferredChecks}.
 */
export interface WriteContext {
  readonly rules: Rules
  /** See {@link ReadContext}. Used to render the result. */
  readonly computed?: ReadContext['computed']
  /** The client inside the write's transaction, without policies: it can access every row. */
  readonly client: object
  /** Checks that run after all rows are written. See {@link runDeferredChecks}. */
  readonly checks: DeferredCheck[]
  /** Writes single rows and, recursively, their nested writes. */
  readonly rows: RowWriter
  /** The filter that found each row, if it was more than the id. It must still match when the row is written. */
  readonly foundBy: WeakMap<Args, Args>
  /** Rows that this transaction has locked, and read after that. */
  readonly locked: WeakSet<Args>
  /** The state of each row that this write deletes, by key. Cascading deletes can be circular. */
  readonly deletions: Map<string, DeletionState>
  /** The app's hooks around each flat write. */
  readonly hooks: RowHooks
  /** The position of this part of the write in the arguments: relation names, operations and list indices. */
  readonly path: readonly (string | number)[]
}

/** The progress of a row's deletion. `circled` means that a cascade reached the row again while it was being deleted. */
export type DeletionState = 'begun' | 'circled' | 'done'

/** Returns the key of a row in {@link WriteContext.deletions}. */
export function deletionKey(model: PolicyModel, row: Args): string {
  return `${model.name} ${rowKey(model, row)}`
}

/** Returns the context for a nested part of the write. */
export function nestedContext(writeContext: WriteContext, ...path: readonly (string | number)[]): WriteContext {
  return { ...writeContext, path: [...writeContext.path, ...path] }
}

/** Writes a single row with its nested writes. Implemented in `row-writer.ts`. */
export interface RowWriter {
  create(writeContext: WriteContext, model: PolicyModel, data: unknown, link?: ParentLink): Promise<Args>
  update(writeContext: WriteContext, model: PolicyModel, row: Args, data: unknown, link?: ParentLink): Promise<Args>
  remove(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** Writes the rows with hooks that the database would change or delete when `row` is deleted. */
  cascade(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void>
}

/** Foreign key values that link a nested row to its parent. */
export interface ParentLink {
  readonly values: Args
  /** The name of the relation that these values set. */
  readonly relation: string
}

interface DeferredCheck {
  readonly model: PolicyModel
  readonly id: Args
  readonly condition: Args
  readonly failure: () => Error
}

/** The past participle of each action, for error messages. */
export const ACTION_VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  'post-update': 'changed',
  delete: 'deleted',
}

/**
 * Returns the condition under which a row of a model, including the given fields and relations, may be written.
 * @throws PolicyError if no row may be written
 */
export function writeCondition(rules: Rules, action: Action, model: PolicyModel, names: readonly string[]): Condition {
  const row = rules.condition(action, model)
  if (row === false)
    return deny(`No row of ${model.name} may be ${ACTION_VERBS[action]}: no rule ${ruleName(action, model)} applies.`)
  if (names.length === 0 || !rules.hasFieldRules(action, model)) return row
  return allOf(
    names.map((name) => {
      const condition = rules.condition(action, model, name)
      if (condition !== false) return condition
      const what = `${qualifiedName(model, name)} may not be written when a row is ${ACTION_VERBS[action]}`
      return deny(`${what}: no rule ${ruleName(action, model, name)} applies.`)
    }),
  )
}

/** Returns the `select` that a write needs: the row's keys, or all fields if the row has hooks. */
export function writeSelect({ hooks }: WriteContext, model: PolicyModel): Args {
  const isHooked = KINDS.some((kind) => hooks.hasRowHooks(model, kind))
  return Object.fromEntries([...(isHooked ? model.fields.keys() : model.keys)].map((name) => [name, true]))
}

/** Returns the names of the fields that a hook added to or changed in the data. */
export function changedKeys(before: Args, after: Args): string[] {
  return after === before ? [] : Object.keys(after).filter((name) => after[name] !== before[name])
}

const KINDS = ['create', 'update', 'delete'] as const

/** Returns the unique `where` of a row, for Prisma's `update` and `delete`. */
export function uniqueWhere(model: PolicyModel, row: Args): Args {
  const id = idFilter(model, row)
  return model.idFields.length === 1 ? id : { [model.id]: id }
}

/**
 * Finds a row that the caller may read.
 * @returns the fields of {@link writeSelect}, or null
 */
export async function findReadableRow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  guard: Condition = true,
): Promise<Args | null> {
  const readable = readableWhere(createReadContext(writeContext), model, where)
  const found = restrict(model, readable, [guard])
  const row = await callClient(writeContext.client, model, 'findFirst', {
    where: found,
    select: writeSelect(writeContext, model),
  })
  if (row && !Object.keys(found).every((name) => model.idFields.includes(name))) writeContext.foundBy.set(row, found)
  return row
}

/**
 * Like {@link findReadableRow}, but throws if there is no such row.
 * @throws MissingRowError with the same code that Prisma uses
 */
export async function findReadableRowOrThrow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  guard: Condition = true,
): Promise<Args> {
  const row = await findReadableRow(writeContext, model, where, guard)
  if (!row) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  return row
}

/**
 * Checks that a row meets a condition at this point in the transaction.
 * @throws PolicyError if it does not
 */
export async function assertConditionMet(
  writeContext: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  if (condition === true) return
  const where = restrict(model, idFilter(model, row), [condition])
  if ((await callClient(writeContext.client, model, 'count', { where })) === 0) {
    denyRow(action, model)
  }
}

/**
 * Denies an action on one row.
 * @throws PolicyError that names the rule whose condition the row does not meet
 */
export function denyRow(action: Action, model: PolicyModel, row = 'This row'): never {
  const verb = ACTION_VERBS[action]
  return deny(`${row} of ${model.name} may not be ${verb}: ${ruleName(action, model)} does not match it.`)
}

/** Defers the check that a row meets a condition until all rows are written. */
export function deferRowCheck(
  writeContext: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): void {
  if (condition === true) return
  writeContext.checks.push({
    model,
    id: idFilter(model, row),
    condition: toFilter(model, condition),
    failure: () =>
      new PolicyError(
        `A row of ${model.name} may not be ${ACTION_VERBS[action]} with these values: ` +
          `${ruleName(action, model)} does not match it.`,
      ),
  })
}

/**
 * Defers the check that an updated row is allowed in its final state.
 * @param names the fields and relations that were updated
 * @param condition the condition under which the row could be updated; it also applies to the final state if there is no `post-update` rule
 * @throws PolicyError if no final state is allowed
 */
export function deferUpdateCheck(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  names: readonly string[],
  condition: Condition,
): void {
  deferRowCheck(writeContext, 'update', model, row, postUpdateCondition(writeContext.rules, model, names, condition))
}

/** Returns the condition that a row must meet after an update. See {@link deferUpdateCheck}. */
export function postUpdateCondition(
  rules: Rules,
  model: PolicyModel,
  names: readonly string[],
  condition: Condition,
): Condition {
  const action = rules.outcome(model)
  return action === 'update' ? condition : writeCondition(rules, action, model, names)
}

/**
 * Checks that foreign keys which the caller wrote directly refer to rows that the caller may read. An unreadable target is reported like a
 * missing one. Must run right after the database has checked the foreign key, so that both cases fail at the same point.
 * @param rows the keys of the rows with the foreign keys
 * @throws MissingRowError with the same code as for a dangling foreign key
 */
export async function assertTargetsReadable(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  relations: Iterable<PolicyRelation>,
): Promise<void> {
  for (const { name, target, foreignKey = {} } of relations) {
    const condition = writeContext.rules.condition('read', target)
    if (condition === true) continue
    const referring = rows.filter((row) => Object.keys(foreignKey).every((field) => row[field] !== null))
    const ids = referring.map((row) => idFilter(model, row))
    if (ids.length === 0) continue
    const matching = await rowMatcher(() => writeContext.client)(model, ids, {
      [name]: { is: toFilter(target, condition) },
    })
    if (ids.every((id) => matching.has(rowKey(model, id)))) continue
    throw missingTargetError(name, model)
  }
}

/**
 * Checks that the foreign keys of one-to-one relations refer to readable rows before they are written. Otherwise, the database would first
 * report that another row has the same key.
 * @param row the current row; undefined if it is new
 * @throws MissingRowError with the same code as {@link assertTargetsReadable}
 */
export async function assertExclusiveTargetsReadable(
  writeContext: WriteContext,
  model: PolicyModel,
  data: Args,
  row?: Args,
): Promise<void> {
  for (const relation of relationsUsingFields(model, new Set(Object.keys(data)))) {
    if (!isOneToOneKey(model, relation)) continue
    const { name, target, foreignKey = {} } = relation
    const condition = writeContext.rules.condition('read', target)
    if (condition === true) continue
    const key = Object.keys(foreignKey).map((field) => writtenValue(data[field]) ?? row?.[field])
    const isUnchanged = Object.keys(foreignKey).every((field, index) => key[index] === row?.[field])
    if (isUnchanged || key.some((value) => value === null || value === undefined)) continue
    const values = Object.fromEntries(Object.values(foreignKey).map((other, index) => [other, key[index]]))
    const where = restrict(target, values, [condition])
    if ((await callClient(writeContext.client, target, 'count', { where })) === 0) throw missingTargetError(name, model)
  }
}

function writtenValue(value: unknown): unknown {
  return isObject(value) ? value['set'] : value
}

function missingTargetError(name: string, model: PolicyModel): MissingRowError {
  return new MissingRowError('P2003', `"${name}" of ${model.name} refers to a row that does not exist.`)
}

/** Returns the relations whose foreign keys include any of the given fields. */
export function relationsUsingFields(model: PolicyModel, fields: ReadonlySet<string>): PolicyRelation[] {
  return [...model.relations.values()].filter(({ foreignKey }) => {
    return foreignKey !== undefined && Object.keys(foreignKey).some((field) => fields.has(field))
  })
}

/**
 * Runs all deferred checks, with one query per model and condition. This is the last step of a write before its transaction commits.
 * @throws PolicyError if a row fails its check
 */
export async function runDeferredChecks(writeContext: WriteContext): Promise<void> {
  const groups = new Map<string, DeferredCheck[]>()
  for (const expectation of writeContext.checks) {
    const key = `${expectation.model.name} ${conditionKey(expectation.condition)}`
    const group = groups.get(key) ?? []
    group.push(expectation)
    groups.set(key, group)
  }
  const matchRows = rowMatcher(() => writeContext.client)
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const matching = await matchRows(
      first.model,
      group.map(({ id }) => id),
      first.condition,
    )
    const failed = group.find(({ model, id }) => !matching.has(rowKey(model, id)))
    if (failed) throw failed.failure()
  }
}

const conditionKeys = new WeakMap<Args, number>()
let lastKey = 0

/** Conditions are few and cached with their ability, so they are compared by identity. */
function conditionKey(condition: Args): number {
  const cached = conditionKeys.get(condition)
  if (cached !== undefined) return cached
  lastKey += 1
  conditionKeys.set(condition, lastKey)
  return lastKey
}
