import { ormErrorMembers, prismaMeta } from '../errors/database/prisma-error.js'
import { httpError } from '../errors/http-error.js'
import { type ErrorDetail, mapErrors, RequestError } from '../errors/request-error.js'
import { rolledBackError } from '../errors/respond-to-write.js'
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
  const declaredErrors = new Map<unknown, InputPath | undefined>()
  const fail = (code: string, detail: string, field?: string | InputPath): Error => {
    const { errors = {} } = declaration
    const status = Object.hasOwn(errors, code) ? errors[code] : undefined
    if (status === undefined) return new Error(`The route ${label} does not declare the error "${code}".`)
    const error = httpError(status, detail, { code })
    declaredErrors.set(error, typeof field === 'string' ? [field] : field)
    return error
  }
  const context = await getContext()
  const client = await getOrm()
  const isNested = isTransaction(client)
  const orm = isNested ? withNestedLists(client) : client
  let result: unknown
  try {
    result = await implementation({ ...input, orm, context, fail })
  } catch (thrown) {
    const error = isNested ? toRolledBack(thrown) : thrown
    if (!(error instanceof RequestError)) throw error
    const part = declaration.body ? 'body' : 'query'
    const declaredPath = declaredErrors.get(thrown)
    const findLocation = declaredPath
      ? () => locate(part, declaredPath)
      : ({ field }: ErrorDetail) => locateField(field, input, locate)
    throw mapErrors(error, (detail) => relocate(detail, findLocation(detail)), { cause: error.cause ?? error })
  }
  // Without `result`, a function may still return a row: `() => orm.post.update(…)`. It must not be sent.
  if (declaration.result === undefined) return null
  assertRows(result, route)
  const schema = getResultSchema(route)
  return schema ? validateResult(schema, result, label) : result
}

/**
 * Corrects an error about an unreadable result, which states that a row was written. The function failed, so the transaction of the request is
 * rolled back. Otherwise, an idempotency key would store the response of an incomplete write.
 */
function toRolledBack(error: unknown): unknown {
  if (error instanceof RequestError) return mapErrors(error, rolledBackError, { cause: error.cause ?? error })
  const { reason } = prismaMeta(error)
  if (reason !== 'RESULT_NOT_READABLE') return error
  const detail: ErrorDetail = {
    code: 'forbidden',
    detail: '',
    reason,
    rejectedByPolicy: true,
    ...ormErrorMembers(error),
  }
  return new RequestError(rolledBackError(detail), {}, { cause: error })
}

/** The path of a value in the body or query: a property, and names and indices below it. */
export type InputPath = readonly [name: string, ...others: (string | number)[]]

/** Returns the location of a value of the body or query of a route in the request. */
export type LocateInput = (part: 'body' | 'query', path: InputPath) => Pick<ErrorDetail, 'path' | 'source'>

/** Returns the location of a field that an error names, if the validated input contains it. The field may belong to a row instead. */
function locateField(field: string | undefined, input: RouteInput, locate: LocateInput): ReturnType<LocateInput> {
  if (field === undefined) return {}
  const part = (['body', 'query'] as const).find((name) => Object.hasOwn(Object(input[name]), field))
  return part ? locate(part, [field]) : {}
}

/** Replaces the location of an error that the function of a route throws. It refers to calls inside the function. */
function relocate(
  { field: _field, path: _path, source: _source, ...detail }: ErrorDetail,
  location: ReturnType<LocateInput>,
): ErrorDetail {
  return { ...detail, ...location }
}

/** @throws Error if the declaration requires a row or rows, but the result is something else */
function assertRows(result: unknown, { declaration, label }: DeclaredRoute): void {
  const isRow = typeof result === 'object' && result !== null && !Array.isArray(result)
  if (typeof declaration.result === 'string' && !isRow) {
    const isEmpty = result === null || result === undefined
    if (isEmpty && declaration.nullable) return
    const problem = isEmpty ? ', and its declaration lacks "nullable: true"' : ', but something else'
    throw new Error(`The route ${label} returned no row${problem}.`)
  }
  if (Array.isArray(declaration.result) && !declaration.list && !Array.isArray(result))
    throw new Error(`The route ${label} must return a list of rows.`)
}

/** Whether a client is in a transaction, because the request has an idempotency key or contains several operations. */
function isTransaction(client: unknown): client is object {
  return typeof client === 'object' && client !== null && isInTransaction(client)
}

/**
 * Returns a client whose `$transaction` runs lists of queries in the transaction of the client. Prisma would run them in a separate
 * transaction.
 */
function withNestedLists(client: object): object {
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
