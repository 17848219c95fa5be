import { httpError } from '../errors/http-error.js'
import { type ErrorDetail, mapErrors, RequestError } from '../errors/request-error.js'
import type { ClientAccessors } from '../http/client-accessors.js'
import { applySchema, type StandardSchema } from '../http/standard-schema.js'
import { isInTransaction } from '../prisma/transactions/transactions.js'
import { type DeclaredRoute, getResultSchema } from './list-routes.js'

/** The validated parts of a request to a route. */
export interface RouteInput {
  readonly where?: object
  readonly args?: object
  readonly body?: unknown
  readonly query?: unknown
}

/**
 * Calls the function that implements a route.
 * @param accessors provide the client and the context of the request
 * @param locate returns the location of a member of the body or query in the request, for errors that name a field
 * @returns the result, validated if the declaration has a schema, or null if the declaration has no result
 * @throws Error if the result does not match the declaration, which is a bug in the route
 */
export async function callRoute(
  { getContext, getOrm }: Pick<ClientAccessors, 'getContext' | 'getOrm'>,
  route: DeclaredRoute,
  input: RouteInput,
  locate: LocateInput,
): Promise<unknown> {
  const { declaration, label, implementation } = route
  const fail = (code: string, detail: string): Error => {
    const { errors = {} } = declaration
    const status = Object.hasOwn(errors, code) ? errors[code] : undefined
    return status === undefined
      ? new Error(`The route ${label} does not declare the error "${code}".`)
      : httpError(status, detail, { code })
  }
  const result = await locateErrors(input, locate, async () => {
    const context = await getContext()
    const orm = withNestedLists(await getOrm())
    return implementation({ ...input, orm, context, fail })
  })
  // Without `result`, a function may still return a row: `() => orm.post.update(…)`. It must not be sent.
  if (declaration.result === undefined) return null
  if (typeof declaration.result === 'string' && !declaration.nullable && (result ?? null) === null)
    throw new Error(`The route ${label} returned no row, and its declaration lacks "nullable: true".`)
  const schema = getResultSchema(route)
  return schema ? validateResult(schema, result, label) : result
}

/** Returns the location of a member of the body or query of a route in the request. */
export type LocateInput = (part: 'body' | 'query', name: string) => Pick<ErrorDetail, 'path' | 'source'>

/**
 * Calls the function of a route and corrects the locations of its errors. Errors that name a field point to it if the validated input contains
 * it. Other locations are removed, because they refer to calls inside the function.
 */
async function locateErrors(
  { body, query }: RouteInput,
  locate: LocateInput,
  call: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const relocateError = ({ field, path: _path, source: _source, ...detail }: ErrorDetail): ErrorDetail => {
      const isIn = (input: unknown) => field !== undefined && Object.hasOwn(Object(input), field)
      if (isIn(body)) return { ...detail, ...locate('body', `${field}`) }
      return isIn(query) ? { ...detail, ...locate('query', `${field}`) } : detail
    }
    throw mapErrors(error, relocateError, { cause: error.cause ?? error })
  }
}

/**
 * Returns a client whose `$transaction` runs lists of queries in its transaction, if it is in one because the request has an idempotency
 * key or contains several operations. Prisma would run them in a separate transaction.
 */
function withNestedLists(client: unknown): unknown {
  if (typeof client !== 'object' || client === null || !isInTransaction(client)) return client
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== '$transaction' || typeof member !== 'function') return member
      return (work: unknown, options?: unknown): unknown =>
        member.call(target, Array.isArray(work) ? () => runInOrder(work) : work, options)
    },
  })
}

async function runInOrder(queries: readonly unknown[]): Promise<unknown[]> {
  const results: unknown[] = []
  for (const query of queries) results.push(await query)
  return results
}

/** @throws Error if the app returned an invalid result */
async function validateResult(schema: StandardSchema, result: unknown, label: string): Promise<unknown> {
  try {
    return await applySchema(schema, result, () => ({ code: 'internal-error' }))
  } catch (cause) {
    throw new Error(`The route ${label} returned an invalid result.`, { cause })
  }
}

/** The rows that a list route returned, and the number of rows on all pages, if the route returned it. */
interface ListResult {
  readonly rows: readonly unknown[]
  readonly total?: number
}

/**
 * Returns the rows of a list route and their total.
 * @param result the result of the route's function: rows or `{ rows, total }`
 * @throws Error if it is neither
 */
export function toListResult(result: unknown, label: string): ListResult {
  const { rows, total }: { rows?: unknown; total?: unknown } = Array.isArray(result) ? { rows: result } : Object(result)
  if (!Array.isArray(rows)) throw new Error(`The route ${label} must return rows or { rows, total }.`)
  if (total === undefined) return { rows }
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0) return { rows, total }
  throw new Error(`The total that the route ${label} returned must be a non-negative integer.`)
}
