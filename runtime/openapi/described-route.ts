import type { DeclaringRoutes, RouteDeclaration } from '../http/routing/declaration-types.js'
import { convertToJsonSchema, JSON_FORMS } from '../http/convert-to-json-schema.js'
import type { StandardSchema } from '../http/standard-schema.js'
import type { HttpMethod, JsonSchema, ResponseObject } from './document-types.js'
import { errorHeaders } from './operation-errors.js'
import { describeDefaults } from './schemas/describe-defaults.js'
import { FORMATS } from './schemas/field-schema.js'

/** A declared route with the JSON Schemas of its input and result. */
export interface DescribedRoute {
  /** The delegate name of the model, or the name of a group without a model. */
  readonly group: string
  readonly name: string
  readonly method: HttpMethod
  readonly declaration: RouteDeclaration
  /** The path below the model or group in REST. Empty for the path of the group. */
  readonly path: string
  /** The schema of the body or query. Undefined if the route has neither. */
  readonly input: JsonSchema | undefined
  /** The model of the rows that the route returns. Undefined if it returns none. */
  readonly rows: { readonly model: string; readonly many: boolean } | undefined
  /** The schema of the value that the route returns. Undefined if it returns rows or nothing. */
  readonly value: JsonSchema | undefined
}

/** The function of zod that converts its schemas. */
export type ConvertZod = typeof import('zod/v4/core').toJSONSchema

/** Converts the schemas of declared routes to JSON Schema. */
export function describeRoutes(
  { declarations = {} }: DeclaringRoutes = {},
  convertZod: ConvertZod | undefined,
): readonly DescribedRoute[] {
  return Object.entries(declarations).flatMap(([group, routes = {}]) =>
    Object.entries(routes).map(([name, declaration]): DescribedRoute => {
      const { method, path, body, query, result } = declaration
      const input = body ?? query
      return {
        group,
        name,
        declaration,
        path: path === '/' ? '' : path,
        method: METHODS[method],
        input: input && toJsonSchema(input, 'input', convertZod),
        rows:
          typeof result === 'string'
            ? { model: result, many: false }
            : isList(result)
              ? { model: result[0], many: true }
              : undefined,
        value: typeof result === 'string' || isList(result) ? undefined : describeResult(result, convertZod),
      }
    }),
  )
}

function isList(result: RouteDeclaration['result']): result is readonly [string] {
  return Array.isArray(result)
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const

/** Describes the value that a route returns. Responses contain null instead of undefined. */
function describeResult(
  schema: StandardSchema | undefined,
  convertZod: ConvertZod | undefined,
): JsonSchema | undefined {
  if (!schema) return undefined
  const json = toJsonSchema(schema, 'output', convertZod)
  // A schema without keywords already accepts null.
  const isOpen = Object.keys(json).every((keyword) => keyword === 'description')
  return isOpen || !acceptsUndefined(schema) ? json : { anyOf: [json, { type: 'null' }] }
}

/** Whether the value that a schema returns for undefined is undefined too. False if the schema is asynchronous. */
function acceptsUndefined(schema: StandardSchema): boolean {
  try {
    const result = schema['~standard'].validate(undefined)
    if (!(result instanceof Promise)) return !result.issues && result.value === undefined
    // zod runs a schema again asynchronously if it throws an error.
    result.catch(() => undefined)
  } catch {
    // A transformation of the app does not accept undefined.
  }
  return false
}

/**
 * Converts a schema. If its library does not support JSON Schema, the result accepts all values and states this. `routewright changes`
 * recognizes the description.
 */
function toJsonSchema(schema: StandardSchema, io: 'input' | 'output', convertZod: ConvertZod | undefined): JsonSchema {
  try {
    const converted: unknown =
      convertZod && isZod(schema)
        ? convertZod(schema, { io, unrepresentable: 'any', cycles: 'throw', override: describeValue })
        : convertToJsonSchema(schema, io)
    const described = describeDefaults(JSON.parse(JSON.stringify(converted ?? null)))
    const { $schema: _, ...json }: JsonSchema & { $schema?: string } = described
    // References to definitions inside the schema would be resolved in the whole document.
    if (converted !== undefined && !('$defs' in json)) return json
  } catch {
    // The schema has no JSON form. The document is still useful without it.
  }
  return { description: 'The API description does not contain the schema of this value.' }
}

function isZod(schema: StandardSchema): schema is StandardSchema & import('zod/v4/core').$ZodType {
  return '_zod' in schema
}

/** Describes values that JSON does not have by their JSON form, and omits formats that only zod has. */
function describeValue({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: import('zod/v4/core').$ZodTypes
  jsonSchema: { type?: unknown; format?: string }
}): void {
  Object.assign(jsonSchema, JSON_FORMS[zodSchema._zod.def.type])
  if (jsonSchema.format !== undefined && !FORMATS.has(jsonSchema.format)) delete jsonSchema.format
}

/**
 * Returns the responses with the error codes that routes declare, by status. In OpenAPI, they take precedence over `4XX` and `5XX`.
 * `routewright changes` reads the codes from the descriptions.
 */
export function declaredErrors(
  declarations: readonly RouteDeclaration[],
  mediaType: string,
  schema: () => JsonSchema,
): Readonly<Record<string, ResponseObject>> {
  const codes = new Map<number, Set<string>>()
  for (const [code, status] of declarations.flatMap(({ errors = {} }) => Object.entries(errors))) {
    codes.set(status, (codes.get(status) ?? new Set<string>()).add(code))
  }
  const source = declarations.length > 1 ? 'custom routes' : 'the route'
  return Object.fromEntries(
    [...codes].map(([status, all]) => [
      status,
      {
        description:
          `Codes of ${source}: ${[...all].map((code) => `\`${code}\``).join(', ')}. ` +
          `\`${status < 500 ? '4XX' : '5XX'}\` describes the other errors with this status.`,
        ...errorHeaders([String(status)]),
        content: { [mediaType]: { schema: schema() } },
      },
    ]),
  )
}

/** Converts the name of a group for the id of an operation: `sales-reports` → `salesReports`. */
export function camelCase(group: string): string {
  return group.replace(/[-_]+(.?)/g, (_, letter: string) => letter.toUpperCase())
}

/** Whether a path contains the model's id. */
export function hasId(path: string): boolean {
  return path.split('/').includes(':id')
}
