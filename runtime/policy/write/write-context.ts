import { MissingRowError, PolicyError } from '../../errors/policy-error.js'
import { isObject } from '../../values/is-object.js'
import { callClient } from '../../orm/client-port.js'
import { allOf, type Condition, toFilter, restrict } from '../rules/condition.js'
import { rowMatcher } from '../read/run-query.js'
import { idFilter, rowKey } from '../read/redaction.js'
import { type ReadContext, createReadContext } from '../read/context.js'
import type { Action, Rules } from '../rules/rules.js'
import { isOneToOneKey, qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../schema.js'
import { deny, type Args } from '../args.js'
import { readableWhere } from '../read/where.js'
import type { RowHooks } from './row-hooks.js'

/** One write, with everything that is nested in it: a series of flat writes in one transaction, and what must hold in the end. */
export interface WriteContext {
  readonly rules: Rules
  /** As of {@link Reading}: for what is answered. */
  readonly computed?: ReadContext['computed']
  /** Sees every row; inside the write's transaction. */
  readonly client: object
  /** What must hold when everything is written. See {@link settle}. */
  readonly expectations: Expectation[]
  /** Flat writes of one row, with what is nested in them: nested writes are made of them again. */
  readonly rows: RowWriter
  /** What rows were found by, beside their ids: it has to hold still when they are written. */
  readonly foundBy: WeakMap<Args, Args>
  /** The rows that this transaction has locked, and read under the lock. */
  readonly locked: WeakSet<Args>
  /** The rows that it deletes: rows may go with each other in a circle. */
  readonly removals: Map<string, DeletionState>
  /** What the app does around each flat write. */
  readonly hooks: RowHooks
  /** Where in the arguments this part of the write stands: relations, operations and list indices. */
  readonly path: readonly (string | number)[]
}

/** How far the removal of a row is; `circled` where rows that go with it take it with them. */
export type DeletionState = 'begun' | 'circled' | 'done'

/** The key of a row in {@link WriteContext.removals}. */
export function removalKey(model: PolicyModel, row: Args): string {
  return `${model.name} ${rowKey(model, row)}`
}

/** The part of a write that stands at a place below. */
export function nestedContext(writing: WriteContext, ...path: readonly (string | number)[]): WriteContext {
  return { ...writing, path: [...writing.path, ...path] }
}

/** See `row-writer.ts`. */
export interface RowWriter {
  create(writing: WriteContext, model: PolicyModel, data: unknown, link?: ParentLink): Promise<Args>
  change(writing: WriteContext, model: PolicyModel, row: Args, data: unknown, link?: ParentLink): Promise<Args>
  remove(writing: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** Writes the rows that the database would change or delete with a row that is deleted, where an app is told of them. */
  cascade(writing: WriteContext, model: PolicyModel, row: Args): Promise<void>
}

/** Values that a row gets because of the row that it is nested in. */
export interface ParentLink {
  readonly values: Args
  /** The relation that it thereby gets. */
  readonly written: string
}

interface Expectation {
  readonly model: PolicyModel
  readonly id: Args
  readonly condition: Args
  readonly failure: () => Error
}

/** What is done with a row, as messages say it. */
export const ACTION_VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  'post-update': 'changed so',
  delete: 'deleted',
}

/**
 * When a row may be written, and those fields and relations of it.
 * @throws PolicyError where it may never be
 */
export function writeCondition(
  rules: Rules,
  action: Action,
  model: PolicyModel,
  written: readonly string[],
): Condition {
  const row = rules.condition(action, model)
  if (row === false)
    return deny(`No row of ${model.name} may be ${ACTION_VERBS[action]}: no rule ${ruleName(action, model)} applies.`)
  if (written.length === 0 || !rules.hasFieldRules(action, model)) return row
  return allOf(
    written.map((name) => {
      const condition = rules.condition(action, model, name)
      if (condition !== false) return condition
      const what = `${qualifiedName(model, name)} may not be written when a row is ${ACTION_VERBS[action]}`
      return deny(`${what}: no rule ${ruleName(action, model, name)} applies.`)
    }),
  )
}

/** `select` of what a write has to know of a row: its keys, and all of it where an app is told of it. */
export function writeSelect({ hooks }: WriteContext, model: PolicyModel): Args {
  const isTold = KINDS.some((kind) => hooks.hearsRow(model, kind))
  return Object.fromEntries([...(isTold ? model.fields.keys() : model.keys)].map((name) => [name, true]))
}

/** The names of what an app set or changed in data. */
export function changedKeys(before: Args, after: Args): string[] {
  return after === before ? [] : Object.keys(after).filter((name) => after[name] !== before[name])
}

const KINDS = ['create', 'update', 'delete'] as const

/** The unique filter of a row, as Prisma's `update` and `delete` take it. */
export function uniqueWhere(model: PolicyModel, row: Args): Args {
  const id = idFilter(model, row)
  return model.idFields.length === 1 ? id : { [model.id]: id }
}

/** Finds a row that may be read: the keys of it. */
export async function findReadableRow(
  writing: WriteContext,
  model: PolicyModel,
  where: Args,
  more: Condition = true,
): Promise<Args | null> {
  const readable = readableWhere(createReadContext(writing), model, where)
  const found = restrict(model, readable, [more])
  const row = await callClient(writing.client, model, 'findFirst', {
    where: found,
    select: writeSelect(writing, model),
  })
  if (row && !Object.keys(found).every((name) => model.idFields.includes(name))) writing.foundBy.set(row, found)
  return row
}

/**
 * As {@link findRow}, for a row that must be there.
 * @throws MissingRowError as Prisma does where there is none
 */
export async function findReadableRowOrThrow(
  writing: WriteContext,
  model: PolicyModel,
  where: Args,
  more: Condition = true,
): Promise<Args> {
  const row = await findReadableRow(writing, model, where, more)
  if (!row) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  return row
}

/**
 * Denies unless a row meets a condition now.
 * @throws PolicyError
 */
export async function assertConditionMet(
  writing: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  if (condition === true) return
  const where = restrict(model, idFilter(model, row), [condition])
  if ((await callClient(writing.client, model, 'count', { where })) === 0) {
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

/** Notes what a row must be when everything is written. */
export function deferRowCheck(
  writing: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): void {
  if (condition === true) return
  writing.expectations.push({
    model,
    id: idFilter(model, row),
    condition: toFilter(model, condition),
    failure: () =>
      new PolicyError(
        `A row of ${model.name} may not be ${ACTION_VERBS[action]} so that it is what it would become: ` +
          `${ruleName(action, model)} does not match it.`,
      ),
  })
}

/**
 * Notes what a changed row must be when everything is written.
 * @param written what of it was changed
 * @param condition when it might be changed; that it has to meet then as well, where no rule says otherwise
 * @throws PolicyError where it may never be changed so
 */
export function deferUpdateCheck(
  writing: WriteContext,
  model: PolicyModel,
  row: Args,
  written: readonly string[],
  condition: Condition,
): void {
  deferRowCheck(writing, 'update', model, row, postUpdateCondition(writing.rules, model, written, condition))
}

/** What a row must be after a change: see {@link expectUpdated}. */
export function postUpdateCondition(
  rules: Rules,
  model: PolicyModel,
  written: readonly string[],
  condition: Condition,
): Condition {
  const action = rules.outcome(model)
  return action === 'update' ? condition : writeCondition(rules, action, model, written)
}

/**
 * Requires that foreign keys which were written as they are refer to rows that may be read: others do not exist. Looked at as
 * soon as the database itself has looked at them, so that the answer is the same in both cases.
 * @param rows the keys of the rows that hold them
 * @throws MissingRowError as for a foreign key that refers to nothing
 */
export async function assertTargetsReadable(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  relations: Iterable<PolicyRelation>,
): Promise<void> {
  for (const { name, target, foreignKey = {} } of relations) {
    const condition = writing.rules.condition('read', target)
    if (condition === true) continue
    const referring = rows.filter((row) => Object.keys(foreignKey).every((field) => row[field] !== null))
    const ids = referring.map((row) => idFilter(model, row))
    if (ids.length === 0) continue
    const met = await rowMatcher(() => writing.client)(model, ids, { [name]: { is: toFilter(target, condition) } })
    if (ids.every((id) => met.has(rowKey(model, id)))) continue
    throw missingTargetError(name, model)
  }
}

/**
 * Checks that the foreign keys of one-to-one relations refer to readable rows before they are written. Otherwise, the database would first
 * report that another row has the same key.
 * @param row the row as it is; undefined if it is new
 * @throws MissingRowError as {@link assertTargetsReadable}
 */
export async function assertExclusiveTargetsReadable(
  writing: WriteContext,
  model: PolicyModel,
  data: Args,
  row?: Args,
): Promise<void> {
  for (const relation of relationsUsingFields(model, new Set(Object.keys(data)))) {
    if (!isOneToOneKey(model, relation)) continue
    const { name, target, foreignKey = {} } = relation
    const condition = writing.rules.condition('read', target)
    if (condition === true) continue
    const key = Object.keys(foreignKey).map((field) => writtenValue(data[field]) ?? row?.[field])
    const isKept = Object.keys(foreignKey).every((field, index) => key[index] === row?.[field])
    if (isKept || key.some((value) => value === null || value === undefined)) continue
    const values = Object.fromEntries(Object.values(foreignKey).map((other, index) => [other, key[index]]))
    const where = restrict(target, values, [condition])
    if ((await callClient(writing.client, target, 'count', { where })) === 0) throw missingTargetError(name, model)
  }
}

function writtenValue(value: unknown): unknown {
  return isObject(value) ? value['set'] : value
}

function missingTargetError(name: string, model: PolicyModel): MissingRowError {
  return new MissingRowError('P2003', `"${name}" of ${model.name} refers to a row that does not exist.`)
}

/** The relations whose foreign keys are among some fields. */
export function relationsUsingFields(model: PolicyModel, fields: ReadonlySet<string>): PolicyRelation[] {
  return [...model.relations.values()].filter(({ foreignKey }) => {
    return foreignKey !== undefined && Object.keys(foreignKey).some((field) => fields.has(field))
  })
}

/**
 * Checks everything that was noted: the last step of a write, before its transaction ends.
 * @throws PolicyError
 */
export async function runDeferredChecks(writing: WriteContext): Promise<void> {
  const groups = new Map<string, Expectation[]>()
  for (const expectation of writing.expectations) {
    const key = `${expectation.model.name} ${conditionKey(expectation.condition)}`
    const group = groups.get(key) ?? []
    group.push(expectation)
    groups.set(key, group)
  }
  const meet = rowMatcher(() => writing.client)
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const met = await meet(
      first.model,
      group.map(({ id }) => id),
      first.condition,
    )
    const failed = group.find(({ model, id }) => !met.has(rowKey(model, id)))
    if (failed) throw failed.failure()
  }
}

const conditionKeys = new WeakMap<Args, number>()
let lastKey = 0

/** Conditions are few and kept with their ability, so they are compared by identity. */
function conditionKey(condition: Args): number {
  const known = conditionKeys.get(condition)
  if (known !== undefined) return known
  lastKey += 1
  conditionKeys.set(condition, lastKey)
  return lastKey
}
