import { classifyDatabaseError } from '../errors/database/classify-database-error.js'
import { RequestError } from '../errors/request-error.js'
import { toRequestError } from '../errors/to-request-error.js'
import { isAboutColumns, violatedFields, inferViolatedForeignKey } from '../errors/database/violated-fields.js'
import type { ClientCall, PreparedRoute } from '../http/routing/execute-prepared-route.js'
import type { Limits } from '../limits.js'
import { callClient } from '../prisma/call-client.js'
import { computedExtra, stripExtraFields } from '../prisma/computed-fields.js'
import type { Dialect } from '../prisma/dialect.js'
import { type LockableOf, type Owners, createOwnersLock, createOnlyWhere } from '../prisma/transactions/owner-locks.js'
import { policyCheckOf } from '../prisma/policy-check.js'
import { retryOnConflict, retryOnRace } from '../prisma/transactions/retry-on-conflict.js'
import { supportsRowLocks } from '../prisma/transactions/row-lock.js'
import { inTransaction } from '../prisma/transactions/transactions.js'
import type { Model, Schema } from '../schema/model.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/argument-helpers.js'
import { assertCost } from './guard/assert-cost.js'
import { countIncluded } from './guard/read/selection.js'
import { assertRelatedRows, type RunQuery } from './preflight/assert-loaded-rows.js'
import { rangePreflight } from './preflight/preflights.js'
import type { RouterContext } from './rpc-router.js'
import { checkArguments, type CheckedArgs, assertRowLimit, type RpcOperation } from './rpc-operations.js'

/** An exposed operation of a model. */
export interface ExposedOperation {
  readonly model: Model
  readonly name: string
  readonly operation: RpcOperation
  /** The emitted client call. */
  readonly call: ClientCall
  /** Whether the operation only reads. */
  readonly isRead: boolean
}

/** A call with validated arguments. */
export interface ValidatedCall {
  /** The validated arguments. */
  readonly args: Args
  /** Adds the position in the arguments to an error of the call. */
  explain(error: unknown): Promise<unknown>
  /** Runs the preflights of the call with the client that will make the call. */
  prepare(orm: unknown): Promise<PreparedCall>
}

/** A call that is ready to be made. */
export interface PreparedCall extends Omit<PreparedRoute, 'reply'> {
  /**
   * Returns the data of the response.
   * @throws RequestError 400 if the result exceeds a limit
   */
  toResponseData(result: unknown): unknown
}

/**
 * Validates the arguments of an operation.
 * @throws RequestError 400
 */
export function validateCall(
  { model, name, operation }: Omit<ExposedOperation, 'call'>,
  input: Args,
  {
    limits,
    dialect,
    schema,
    adjust,
    lockableOf,
    withSafeStrategy = (_model, args) => args,
    versionedWrites,
  }: RouterContext,
): ValidatedCall {
  const checked = checkArguments(operation, model, input, limits)
  assertCost(model, checked.args, limits)
  return {
    args: checked.args,
    explain: async (error) => locateConstraintError(error, schema, model, checked.args['data']),
    async prepare(orm) {
      const runQuery: RunQuery = async (queried, method, queryArgs) =>
        callClient(orm, queried, method, withSafeStrategy(queried, queryArgs))
      for (const preflight of rangePreflight(model, name, checked.args, dialect)) await preflight(runQuery)
      for (const preflight of checked.preflights ?? []) await preflight(runQuery)
      const { args, extra } = operation.rows
        ? adjust(orm, model, name.endsWith('AndReturn') ? checked.args : withSafeStrategy(model, checked.args))
        : { args: checked.args, extra: computedExtra(orm, model) }
      const prepared: PreparedCall = {
        orm,
        args,
        toResponseData(result) {
          assertBounds(result, checked, limits)
          return stripExtraFields(result, extra)
        },
      }
      const { owners } = checked
      const locked =
        owners && withOwnerLock({ orm, model, args, owners, isUpsert: name === 'upsert' }, dialect, lockableOf)
      const isRowWrite = name === 'update' || name === 'delete'
      const run =
        isRowWrite && versionedWrites
          ? versionedWrites.withVersionCheck({ orm, model, args }, locked, dialect, lockableOf)
          : locked
      return run ? { ...prepared, run } : prepared
    },
  }
}

function assertBounds(result: unknown, { maxRows, relations }: CheckedArgs, limits: Limits): void {
  if (maxRows !== undefined && Array.isArray(result)) assertRowLimit(result.length, maxRows)
  if (relations) assertRelatedRows(countIncluded(result, relations, limits.includedRows), limits)
}

/**
 * Adds a path in a write's data to a database error: a unique violation, a dangling foreign key or a missing value. Adds no path if the
 * affected fields are unknown or not in the data.
 * @param data the validated data of the write itself, without that of nested writes
 */
function locateConstraintError(error: unknown, schema: Schema, model: Model, data: unknown): unknown {
  const kind = classifyDatabaseError(error)
  const isKey = kind === 'foreign-key-violation'
  if (!isObject(data) || (!isKey && !isAboutColumns(kind))) return error
  const request = toRequestError(error, schema)
  const [original] = request.errors
  const fields = isKey
    ? inferViolatedForeignKey(model, (name) => data[name])
    : violatedFields(error, model, original.about)
  const written = fields?.filter((name) => Object.hasOwn(data, name)) ?? []
  // Hooks, policies or the database may have set the other fields. With nested writes, the fields may belong to a different model.
  const isAmbiguous = written.length !== fields?.length && [...model.relations.keys()].some((name) => data[name])
  const [first, ...others] = written.map((name) => ({ ...original, path: ['data', name] }))
  return first && !isAmbiguous ? new RequestError([first, ...others], request.headers) : request
}

/** A call that replaces the members of relations. */
interface Call {
  readonly orm: unknown
  readonly model: Model
  readonly args: Args
  readonly owners: Owners
  /** Whether the call creates the row if it does not exist. */
  readonly isUpsert: boolean
}

/**
 * Locks the parent rows whose members a call replaces with `set`, in the same transaction as the call. If two concurrent calls replace the
 * same members, each sees either all of the other's changes or no changes.
 * @returns undefined if no lock is needed: on SQLite, which has only one writer, or if policies or hooks lock the rows themselves
 */
function withOwnerLock(
  { orm, model, args, owners, isUpsert }: Call,
  dialect: Dialect,
  lockableOf: LockableOf,
): PreparedRoute['run'] {
  const { where } = args
  if (!supportsRowLocks(dialect) || policyCheckOf(orm) || !isObject(where)) return undefined
  return (call) => {
    const members = { owners, where, isUpsert }
    const write = async () => {
      const lock = await createOwnersLock(orm, members, lockableOf)
      // If a concurrent request creates the row first, this call fails and is retried.
      if (!lock) return call(orm, { ...args, where: createOnlyWhere(members, lockableOf) })
      return inTransaction(orm, async (tx) => {
        await lock(tx)
        return call(tx, args)
      })
    }
    return isUpsert ? retryOnRace(orm, model, { where }, write) : retryOnConflict(orm, write)
  }
}
