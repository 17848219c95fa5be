import { HTTP_ERROR_STATUSES } from '../errors/http-error.js'
import type { RouteDeclaration } from '../http/routing/declaration-types.js'
import { convertToJsonSchema } from '../http/convert-to-json-schema.js'
import type { StandardSchema } from '../http/standard-schema.js'
import { isObject } from '../values/is-object.js'

/**
 * Checks a declaration, because apps without TypeScript can combine its properties in any way.
 * @param label the name of the route, for messages
 * @throws Error that names the invalid property
 */
export function checkDeclaration(declaration: RouteDeclaration, label: string): void {
  const { method, path, errors } = declaration
  assertMethod(method, label)
  assertList(declaration, label)
  assertProperties(declaration, label)
  if (!String(path).startsWith('/')) throw new Error(`The path "${path}" of the route ${label} must start with "/".`)
  if (path !== '/') for (const segment of path.split('/').slice(1)) assertSegment(segment, path, label)
  for (const [code, status] of Object.entries(errors ?? {})) {
    if (Object.hasOwn(HTTP_ERROR_STATUSES, status)) continue
    const allowed = Object.keys(HTTP_ERROR_STATUSES).join(', ')
    throw new Error(`The status of the error "${code}" of the route ${label} is ${status}. Allowed: ${allowed}.`)
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Checks the method, which apps without TypeScript may write in lower case. */
function assertMethod(method: string, label: string): void {
  if (METHODS.includes(method)) return
  throw new Error(`The method of the route ${label} is ${JSON.stringify(method)}. Allowed: ${METHODS.join(', ')}.`)
}

/** The properties that `list` depends on, with the types that they may have without TypeScript. */
interface ListDeclaration {
  readonly list?: unknown
  readonly method: string
  readonly result?: unknown
}

function assertList({ list, method, result }: ListDeclaration, label: string): void {
  if (!list || (method === 'GET' && Array.isArray(result))) return
  throw new Error(`The route ${label} has "list", so its method must be GET and its result a list such as ['Post'].`)
}

function assertProperties(declaration: RouteDeclaration, label: string): void {
  const { method } = declaration
  const input = method === 'GET' || method === 'DELETE' ? 'query' : 'body'
  const option = method === 'GET' ? 'list' : 'transaction'
  const allowed = ['method', 'path', 'summary', 'description', 'result', 'nullable', 'writes', 'errors', input, option]
  for (const [name, value] of Object.entries(declaration)) {
    if (value === undefined) continue
    if (!allowed.includes(name))
      throw new Error(`The route ${label} must not have "${name}". A ${method} route can have: ${allowed.join(', ')}.`)
    if ((name === 'summary' || name === 'description') && typeof value !== 'string')
      throw new Error(`The property "${name}" of the route ${label} must be a string.`)
    if (name === 'nullable' && typeof declaration.result !== 'string')
      throw new Error(`The route ${label} has "nullable", so its result must be the name of a model.`)
    const isSchema = name === input || (name === 'result' && typeof value !== 'string' && !Array.isArray(value))
    if (isSchema && !Object(value)['~standard'])
      throw new Error(`The ${name} of the route ${label} must be a schema, such as z.object({ … }).`)
    if (name === input && !mayBeObject(value))
      throw new Error(`The ${name} of the route ${label} must be the schema of an object, such as z.object({ … }).`)
    if (name === 'result' && isSchema && keepsUndeclared(value))
      throw new Error(
        `The result of the route ${label} keeps undeclared properties, which could leak data. Add '+': 'delete' to its objects, ` +
          "or call configure({ onUndeclaredKey: 'delete' }) from arktype/config before you create the types.",
      )
    // Only the rows of a model are checked before they are sent.
    if (name === 'result' && Array.isArray(value) && (value.length !== 1 || typeof value[0] !== 'string'))
      throw new Error(`The result of the route ${label} must be a list with the name of one model, such as ['Post'].`)
  }
}

/**
 * Whether a schema returns properties that it does not declare. By default, types of ArkType do, unlike objects of other libraries. Schemas
 * that cannot be converted to JSON Schema are not checked.
 */
function keepsUndeclared(schema: StandardSchema): boolean {
  return schema['~standard'].vendor === 'arktype' && hasOpenObject(convertToJsonSchema(schema, 'output'))
}

function hasOpenObject(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false
  if ('type' in json && json.type === 'object' && !('additionalProperties' in json)) return true
  return Object.values(json).some(hasOpenObject)
}

/** Whether a schema may accept objects. Schemas that cannot be converted to JSON Schema are not checked. */
function mayBeObject(schema: StandardSchema): boolean {
  const { type = 'object' } = describeInput(schema)
  return [type].flat().includes('object')
}

/** Returns the type and the properties of a schema's input, if they are known. */
function describeInput(schema: StandardSchema): { readonly type?: unknown; readonly properties?: unknown } {
  // Object schemas of zod and valibot list their properties. Converting them would take longer than all other checks.
  const { shape, entries }: { readonly shape?: unknown; readonly entries?: unknown } = Object(schema)
  const properties = shape ?? entries
  return properties ? { type: 'object', properties } : Object(convertToJsonSchema(schema, 'input'))
}

function assertSegment(segment: string, path: string, label: string): void {
  // Browsers and proxies resolve segments that consist of dots.
  if (segment === ':id' || (/^[\w.~-]+$/.test(segment) && !/^\.\.?$/.test(segment))) return
  const problem = segment.startsWith(':')
    ? `has an unknown parameter "${segment}". The only parameter is ":id".`
    : 'must consist of ":id" and segments of letters, digits, "-", "_", "." and "~", other than "." and "..".'
  throw new Error(`The path "${path}" of the route ${label} ${problem}`)
}

/**
 * Checks that requests can contain the properties of the body or query. A schema is only checked if it lists its properties, as object schemas
 * of zod and valibot do, or if its library converts it to JSON Schema, as ArkType does.
 * @param findReservedUse returns what requests of this style use a name for in this part, or undefined if the name is available
 * @throws Error if the schema has a property with a name that is not available
 */
export function assertNotReserved(
  { label, declaration: { body, query } }: { readonly label: string; readonly declaration: RouteDeclaration },
  style: 'REST' | 'RPC',
  findReservedUse: (name: string, part: 'body' | 'query') => string | undefined,
): void {
  const part = body ? 'body' : 'query'
  const schema = body ?? query
  const { properties } = schema ? describeInput(schema) : {}
  for (const name of isObject(properties) ? Object.keys(properties) : []) {
    const use = findReservedUse(name, part)
    if (use === undefined) continue
    throw new Error(
      `The ${part} of the route ${label} must not have the property "${name}", because ${style} requests use this name for ${use}.`,
    )
  }
}
