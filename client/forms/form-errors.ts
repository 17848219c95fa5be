import { ApiError } from '../http/api-error.js'
import type { JsonApiError } from '../rest/document.js'
import { RestError } from '../rest/error.js'
import { RpcError, type RpcIssue } from '../rpc/rpc-error.js'

/** A path in the values of a form: keys and list indices, outermost first. */
export type FormPath = readonly (string | number)[]

/**
 * Converts the path of an error in the written data to the path in the form.
 * @param path the path in the data: `['tags', 'create', 0, 'name']`
 * @param operation the index of the atomic operation or of the call in a transaction, or undefined for a single request
 * @returns undefined if the form does not have the field. The error is then an error of the form.
 */
export type ToFormPath = (path: FormPath, operation: number | undefined) => FormPath | undefined

/** An error to show next to a field of a form. */
export interface FormFieldError {
  /** The path of the field: `['address', 'street']`. */
  readonly path: FormPath
  /** The path as text: `address.street`, `tags.0.name`. */
  readonly name: string
  /** The message. It does not name the field, except for errors of the database and fields that cannot be written. */
  readonly message: string
  /** The code of the violated rule, such as `required`. Otherwise, the code of the error, such as `unique-violation`. */
  readonly code: string | undefined
  /** The parameters of the violated rule, for translated messages: `{ minimum: 3 }`. */
  readonly params: Readonly<Record<string, unknown>>
}

/** The errors of a failed write, as a form shows them. */
export interface FormErrors {
  /** The errors of fields. */
  readonly fields: readonly FormFieldError[]
  /** The messages that do not belong to a field. */
  readonly form: readonly string[]
}

/** An error of a response, with its position in the written data. */
interface LocatedError extends Omit<FormFieldError, 'path' | 'name'> {
  /** Undefined if the error has no position in the data. */
  readonly path: FormPath | undefined
  readonly operation?: number | undefined
  /** The message without a field next to it. */
  readonly sentence: string
}

/**
 * Converts an error of a client call to errors of a form.
 * @param error the error of a REST or RPC call
 * @param target converts paths if the form's values differ from the written data. If the form contains only one atomic operation, one call of
 * a transaction or one row of `createMany`, pass its index. Errors of the other operations or rows are then omitted, so both lists of the
 * result may be empty.
 * @throws the error itself if it is not from a client
 * @example
 * ```ts
 * import { createRpcClient, toFormErrors } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * const api = createRpcClient<Api>({ url: '/api/rpc' })
 * await api.tag.create({ data: { name: 'news' } }).catch((error: unknown) => {
 *   for (const { name, message } of toFormErrors(error).fields) console.log(name, message)
 * })
 * ```
 * @see [Forms](docs/forms.md)
 */
export function toFormErrors(error: unknown, target: ToFormPath | number = (path) => path): FormErrors {
  if (!(error instanceof ApiError)) throw error
  const fields: FormFieldError[] = []
  const form: string[] = []
  const errors = locateErrors(error)
  for (const { path: dataPath, operation, message, code, params, sentence } of errors) {
    const located = locateInForm(dataPath, operation, target)
    if (!located) continue
    const { path } = located
    if (path && path.length > 0) fields.push({ path, name: path.join('.'), message, code, params })
    else form.push(sentence)
  }
  return errors.length > 0 ? { fields, form } : { fields, form: [error.message] }
}

/** Returns the path of an error in the form, or undefined if the error belongs to a different operation or row. */
function locateInForm(
  path: FormPath | undefined,
  operation: number | undefined,
  target: ToFormPath | number,
): { readonly path: FormPath | undefined } | undefined {
  if (typeof target === 'function') return { path: path && target(path, operation) }
  if (operation !== undefined) return operation === target ? { path } : undefined
  const [row, ...inRow] = path ?? []
  if (typeof row !== 'number') return { path }
  return row === target ? { path: inRow } : undefined
}

function locateErrors(error: ApiError): LocatedError[] {
  if (error instanceof RestError) return error.errors.flatMap((each) => locateRestError(each, error.isCustomRoute))
  // A proxy may send issues of another format.
  const isIssue = (issue: unknown) => Array.isArray(Object(issue).path) && typeof Object(issue).message === 'string'
  if (error instanceof RpcError) return error.issues.filter(isIssue).map((issue) => locateIssue(issue, error))
  return []
}

function locateRestError(
  { source, detail, title, code, meta }: JsonApiError,
  isCustomRoute: true | undefined,
): LocatedError[] {
  const { message: text, rule, reason: _reason, fields, ...params } = meta ?? {}
  const sentence = detail ?? title ?? 'Error'
  const { path = parameterPath(source?.parameter), operation } = parsePointer(source?.pointer, isCustomRoute)
  const located = {
    message: typeof text === 'string' ? text : sentence,
    code: typeof rule === 'string' ? rule : code,
    params: rule === undefined ? {} : params,
    operation,
    sentence,
  }
  if (path || !Array.isArray(fields) || fields.length === 0) return [{ ...located, path }]
  // The fields of a violated constraint. Not all of them have to be in the request.
  return fields.map((field) => ({ ...located, path: [String(field)] }))
}

/** Returns the path of a parameter that a declared custom route defines. The parameters of JSON:API are not fields of a form. */
function parameterPath(parameter: string | undefined): FormPath | undefined {
  return parameter === undefined || /^(filter|sort|page|include|fields)$|\[/.test(parameter) ? undefined : [parameter]
}

/**
 * Parses a JSON pointer into a path in the resource, as the REST client writes it. In relationships, the members `data` and `id` are
 * omitted, because the client writes `author: 1` and `tags: [1, 2]`. `RestError` has a shorter parser, because apps without forms would
 * otherwise load this one.
 * @param isCustomRoute whether the request was to a declared custom route, whose body is not a JSON:API document
 */
function parsePointer(pointer = '', isCustomRoute: true | undefined): { path?: FormPath; operation?: number } {
  const keys = String(pointer)
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (isCustomRoute && keys.length > 0) return { path: keys.map(toKey) }
  const operation = keys[0] === 'atomic:operations' ? Number(keys[1]) : undefined
  const [data, kind = '', name, ...rest] = operation === undefined ? keys : keys.slice(2)
  const found = operation === undefined || Number.isNaN(operation) ? {} : { operation }
  // The body of a custom route that an operation calls.
  if (data === 'meta' && kind === 'body' && name !== undefined) return { ...found, path: [name, ...rest].map(toKey) }
  if (data !== 'data') return found
  if (kind === 'id') return { ...found, path: ['id'] }
  if (name === undefined || !(kind === 'attributes' || kind === 'relationships')) return found
  const inner = kind === 'attributes' ? rest : rest.filter((key) => INDEX.test(key))
  return { ...found, path: [name, ...inner.map(toKey)] }
}

const INDEX = /^\d+$/

/** Converts a part of a pointer to a key or an index. */
function toKey(part: string): string | number {
  return INDEX.test(part) ? Number(part) : part
}

/** The arguments with written data. An upsert has two of them. */
const DATA_ARGUMENTS: readonly unknown[] = ['data', 'create', 'update']

function locateIssue({ path, message, code, params = {} }: RpcIssue, error: RpcError): LocatedError {
  const [first] = path
  // The calls of a transaction: `[0, 'args', 'data', 'title']`.
  const operation = typeof first === 'number' ? first : undefined
  const args = operation === undefined ? path : path.slice(path[1] === 'args' ? 2 : 1)
  const [argument, ...dataPath] = args
  // The user cannot correct an outdated or missing version in a field.
  const isPrecondition = error.status === 412 || error.status === 428
  return {
    // The body of a declared custom route has no argument around it.
    path: error.isCustomRoute && !isPrecondition ? args : DATA_ARGUMENTS.includes(argument) ? dataPath : undefined,
    operation,
    message,
    code: code ?? error.code,
    params,
    // The message of a single issue names its argument. An issue about a whole operation has none.
    sentence: args.length === 0 ? message : error.issues.length === 1 ? error.message : `${path.join('.')}: ${message}`,
  }
}
