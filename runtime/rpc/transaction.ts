import { didYouMean } from '../errors/did-you-mean.js'
import { rolledBackError } from '../errors/result-not-readable.js'
import { type LogOutage, createOutageLog } from '../errors/logging.js'
import { type ErrorDetail, RequestError, mapFaults } from '../errors/request-error.js'
import { toRequestError } from '../errors/to-request-error.js'
import { resolveError } from '../http/resolve-error.js'
import { countRows } from '../http/telemetry.js'
import { isRoute } from '../http/allowed-methods.js'
import { callAndSerialize } from '../http/execute-route.js'
import type { PostEndpoint, PostEndpointEnv } from '../http/post-endpoint.js'
import { type Limits, costLimitExceeded } from '../limits.js'
import { getPrimary } from '../orm/primary.js'
import { runInTransaction, type Step } from '../orm/steps.js'
import { isObject } from '../values/is-object.js'
import {
  type ModelRouter,
  type ExposedOperation,
  type RouterContext,
  successResponse,
  parseCall,
  type ParsedCall,
} from './build-router.js'
import { argumentsCost } from './guard/cost.js'
import { quoteText, invalidArguments, limitExceeded } from './guard/arguments.js'
import { rowLimitError } from './operations.js'
import { argumentsFromBody, readJsonBody } from './request.js'
import { TRANSACTION_PATH } from './transaction-path.js'

/** The members of one operation. */
const MEMBERS = ['model', 'op', 'args']

/**
 * Takes several operations that are done in order and in one transaction: all of them, or nothing. The body is a list of
 * `{ model, op, args }`, the answer a list of results in the same order. What one may not do alone, it may not do here.
 * @param models the routers of the models, by any spelling of a model's name
 * @throws Error where a router has middleware: it would be passed by
 */
export function transactionService(models: ReadonlyMap<string, ModelRouter>, context: RouterContext): PostEndpoint {
  for (const [name, { hono }] of models) {
    if (hono.routes.every(({ method }) => isRoute(method))) continue
    throw new Error(
      `The RPC routes of ${name} have middleware of your templates, which transactions would not run. Leave out "transactions".`,
    )
  }
  const logOutage = createOutageLog()
  return {
    path: TRANSACTION_PATH,
    operation: '$transaction',
    async answer(request, env) {
      const operations = understandAll(await readList(request, context.limits), models, context)
      const steps = operations.map((operation, index) => stepOf(operation, index, { env, context, logOutage }))
      return runInTransaction(getPrimary(await env.getOrm()), steps, (done) => {
        env.alive()
        if (env.seen) env.seen.rows = done.reduce((sum, { rows = 0 }) => sum + rows, 0)
        return successResponse(
          done.map(({ shown }) => shown),
          200,
          context,
        )
      })
    },
  }
}

/** One operation that was understood. */
interface Asked {
  readonly offered: ExposedOperation
  readonly understood: ParsedCall
}

/** What an operation gave. */
interface Done {
  readonly shown: unknown
  readonly rows: number | undefined
  /** How many rows there are in its list, and in those before it. */
  readonly held: number
}

interface Around {
  readonly env: PostEndpointEnv
  readonly context: RouterContext
  readonly logOutage: LogOutage
}

function stepOf({ offered, understood }: Asked, index: number, { env, context, logOutage }: Around): Step<Done> {
  return {
    async run(orm, before) {
      env.alive()
      const { shown, ...prepared } = await understood.prepare(orm)
      const result = await callAndSerialize(prepared, offered.call)
      const rows = Array.isArray(result) ? result.length : 0
      // All of them are held until the end.
      const held = rows + (before.at(-1)?.held ?? 0)
      rowLimitError(held, context.limits.rows)
      return { shown: shown(result), rows: countRows(result), held }
    },
    explain: (error) => resolveError(error, { ...env, explain: understood.explain }),
    locate: (error) => moved(toRequestError(error, context.schema, env, logOutage), [index, 'args'], { cause: error }),
  }
}

/** The operations in a body. Nothing of them is looked at but how many there are. */
async function readList(request: Request, limits: Limits): Promise<readonly unknown[]> {
  // The list and the operation that arguments stand in are no levels of theirs.
  const body = await readJsonBody(request, { ...limits, depth: limits.depth + 1 })
  if (!Array.isArray(body)) {
    return invalidArguments('invalid-arguments', 'The body must be a list of operations: [{ "model", "op", "args" }].')
  }
  const { operations } = limits
  if (body.length <= operations) return body
  return limitExceeded('operations', `A transaction may have at most ${operations} operations.`)
}

function understandAll(
  list: readonly unknown[],
  models: ReadonlyMap<string, ModelRouter>,
  context: RouterContext,
): readonly Asked[] {
  const { limits } = context
  const operations = list.map((given, index): Asked => {
    const { offered, args } = located([index], () => readOne(given, models))
    const understood = located([index, 'args'], () =>
      parseCall(offered, argumentsFromBody(offered.model, args, limits), context),
    )
    return { offered, understood }
  })
  const cost = operations.reduce((sum, { offered, understood }) => {
    return sum + argumentsCost(offered.model, understood.args)
  }, 0)
  if (cost > limits.filterCost) limitExceeded('filterCost', costLimitExceeded(cost, limits))
  return operations
}

/** Which operation is meant. Nothing of its arguments is looked at. */
function readOne(
  given: unknown,
  models: ReadonlyMap<string, ModelRouter>,
): { readonly offered: ExposedOperation; readonly args: unknown } {
  if (!isObject(given)) return invalidArguments('invalid-arguments', 'An operation must be an object.', '')
  for (const name of Object.keys(given)) {
    if (!MEMBERS.includes(name)) invalidArguments('invalid-arguments', `An operation has no ${quoteText(name)}.`, name)
  }
  const { model, op, args = {} } = given
  if (typeof model !== 'string')
    return invalidArguments('invalid-arguments', 'model must be the name of a model.', 'model')
  if (typeof op !== 'string') return invalidArguments('invalid-arguments', 'op must be the name of an operation.', 'op')
  const router = models.get(model)
  if (!router) {
    const detail = `There is no model ${quoteText(model)} here.${didYouMean(model, models.keys())}`
    return invalidArguments('unsupported-model', detail, 'model')
  }
  const offered = router.offered.get(op)
  if (!offered) {
    const known = [...router.offered.keys()].join(', ')
    return invalidArguments('unknown-path', `There is no operation ${quoteText(op)}. There are: ${known}.`, 'op')
  }
  return { offered, args }
}

/** Where in the list something is: the index of an operation, and a member of it. */
type Place = readonly [index: number, ...members: string[]]

/** Does some work, and says of its faults which operation they are of, and where in it. */
function located<R>(place: Place, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw error instanceof RequestError ? moved(error, place) : error
  }
}

/** @param options what the database failed with, which those are told of who want to know */
function moved(error: RequestError, place: Place, options?: ErrorOptions): RequestError {
  const operation = `Operation ${place[0]}`
  const move = (fault: ErrorDetail): ErrorDetail => ({
    ...rolledBackError(fault),
    operation,
    path: [...place, ...pathOf(fault)],
  })
  return mapFaults(error, move, options)
}

/** Where in the arguments: what an app says of a field is about the data. */
function pathOf({ path, field }: ErrorDetail): readonly (string | number)[] {
  return path ?? (field === undefined ? [] : ['data', field])
}
