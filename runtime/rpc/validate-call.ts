import type { ClientCall, PreparedRoute } from '../http/execute-prepared-route.js'
import { stripExtraFields } from '../prisma/adjust-computed-args.js'
import type { Limits } from '../limits.js'
import type { Model } from '../schema/model.js'
import { assertCost } from './guard/assert-cost.js'
import type { Args } from './guard/argument-helpers.js'
import { countIncluded } from './guard/read/selection.js'
import { assertRelatedRows } from './preflight/assert-loaded-rows.js'
import { runPreflight, rangePreflight } from './preflight/run-preflight.js'
import { type CheckedArgs, assertRowLimit, type RpcOperation } from './rpc-operations.js'
import { withSafeLoadStrategy } from './with-safe-load-strategy.js'
import { locateConstraintError } from './locate-constraint-error.js'
import { withOwnerLock } from './with-owner-lock.js'
import { withVersionCheck } from './with-version-check.js'
import type { RouterContext } from './router-context.js'

const NO_RUN: Pick<PreparedRoute, 'run'> = {}

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
  { limits, dialect, schema, adjust, lockableOf }: RouterContext,
): ValidatedCall {
  const checked = operation.check(model, input, limits)
  assertCost(model, checked.args, limits)
  return {
    args: checked.args,
    explain: async (error) => locateConstraintError(error, schema, model, checked.args['data']),
    async prepare(orm) {
      for (const preflight of rangePreflight(model, name, checked.args, dialect))
        await runPreflight(orm, model, preflight, limits)
      if (checked.preflights)
        for (const preflight of checked.preflights) await runPreflight(orm, model, preflight, limits)
      const { args, extra } = operation.rows
        ? adjust(
            orm,
            model,
            name.endsWith('AndReturn') ? checked.args : withSafeLoadStrategy(model, checked.args, dialect),
          )
        : { args: checked.args, extra: undefined }
      const prepared: PreparedCall = {
        orm,
        args,
        toResponseData(result) {
          assertBounds(result, checked, limits)
          return stripExtraFields(result, extra)
        },
      }
      const { owners } = checked
      const { run } = owners
        ? withOwnerLock({ orm, model, args, owners, isUpsert: name === 'upsert' }, dialect, lockableOf)
        : NO_RUN
      if (name !== 'update' && name !== 'delete') return run ? { ...prepared, run } : prepared
      return { ...prepared, ...withVersionCheck({ orm, model, args }, run, dialect, lockableOf) }
    },
  }
}

function assertBounds(result: unknown, { maxRows, relations }: CheckedArgs, limits: Limits): void {
  if (maxRows !== undefined && Array.isArray(result)) assertRowLimit(result.length, maxRows)
  if (relations) assertRelatedRows(countIncluded(result, relations, limits.includedRows), limits)
}
