import { convertToJsonSchema } from '../http/convert-to-json-schema.js'
import { decodeForm, queryPairs } from '../http/routing/mount-path.js'
import { applyInputSchema, type StandardSchema } from '../http/standard-schema.js'
import { isFamily, malformedParameter } from '../rest/request/query/parse-query.js'
import type { RestContext } from '../rest/rest-context.js'
import { memoize } from '../values/memoize.js'
import { DECIMAL } from '../values/parse-scalars.js'

/** The query parameters of a URL, divided into those of the declared route and those of JSON:API. */
export interface SplitQuery {
  /** The parameters that JSON:API does not define, by name. */
  readonly parameters: Readonly<Record<string, string>>
  /** The other parameters, still encoded. */
  readonly remaining: readonly string[]
}

/**
 * Separates the parameters that JSON:API does not define from the other parameters of a URL.
 * @param isList whether the route also accepts the parameters of a list. A name with brackets is then one of the other parameters, because
 *   ignoring a misspelled filter would return more rows.
 * @throws RequestError 400 if a parameter is repeated
 */
export function splitQuery(url: string, { settings }: RestContext, isList: boolean): SplitQuery {
  const parameters = new Map<string, string>()
  const remaining: string[] = []
  for (const [encodedName, encodedValue] of queryPairs(url)) {
    const name = decodeForm(encodedName)
    const value = decodeForm(encodedValue)
    const [family = ''] = (name ?? '').split('[', 1)
    // The parser of the other parameters rejects those with an invalid encoding.
    if (
      name === undefined ||
      value === undefined ||
      isFamily(family, settings.families) ||
      (isList && name.includes('['))
    ) {
      remaining.push(`${encodedName}=${encodedValue}`)
    } else {
      if (parameters.has(name)) throw malformedParameter({ name }, 'Must not be repeated.')
      parameters.set(name, value)
    }
  }
  return { parameters: Object.fromEntries(parameters), remaining }
}

/**
 * Validates the query parameters of a route.
 * @throws RequestError 400 that names the parameter of each issue
 */
export function applyQuerySchema(
  schema: StandardSchema,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  return applyInputSchema(schema, decodeParameters(schema, parameters), ([name]) => ({
    code: 'malformed-parameter',
    ...(name !== undefined && { source: { parameter: String(name) } }),
  }))
}

/**
 * Converts the texts of parameters to the booleans and numbers that a schema expects. Other texts stay as they are, so that the schema
 * reports them. Only schemas of zod, and of libraries that convert theirs to JSON Schema, have known types.
 */
function decodeParameters(
  schema: StandardSchema,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const types = parameterTypes(schema)
  return Object.fromEntries(
    Object.entries(parameters).map(([name, text]) => [name, decodeText(text, types.get(name) ?? [])]),
  )
}

function decodeText(text: string, types: readonly unknown[]): unknown {
  if (!types.every((type) => DECODED_TYPES.includes(type))) return text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = types.some((type) => type === 'number' || type === 'integer') && DECIMAL.test(text)
  const number = Number(text) + 0
  // The digits of a larger integer would be lost.
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isNumber && isExact ? number : text
}

/** The types that have no values that are text. */
const DECODED_TYPES: readonly unknown[] = ['boolean', 'number', 'integer', 'null', 'undefined', 'object', 'array']

/** Returns the types that a schema accepts for each parameter. Computed once per schema, at the first request. */
const parameterTypes = memoize((schema: StandardSchema): ReadonlyMap<string, readonly unknown[]> => {
  const types = new Map<string, readonly unknown[]>()
  const isOfZod = schema['~standard'].vendor === 'zod'
  for (const { properties = {} } of listParts(isOfZod ? schema : convertToJsonSchema(schema, 'input')))
    for (const [name, property] of Object.entries(properties))
      types.set(name, [...(types.get(name) ?? []), ...listParts(property).flatMap(typesOf)])
  return types
})

/** The keywords of a JSON Schema that determine the types of its values. */
interface InputSchema {
  readonly type?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly properties?: object | undefined
  readonly anyOf?: readonly unknown[] | undefined
  readonly oneOf?: readonly unknown[]
  readonly allOf?: readonly unknown[]
}

/** Returns the schema itself if it names its type, and otherwise the schemas of its union or intersection. Objects can have both. */
function listParts(schema: unknown): readonly InputSchema[] {
  const json: InputSchema & { readonly _zod?: ZodInternals } = Object(schema)
  const input = json._zod ? describeZod(json._zod) : json
  const parts = [input.anyOf, input.oneOf, input.allOf].flatMap((members) => members ?? []).flatMap(listParts)
  if (input.type === undefined && parts.length > 0) return parts
  return [input, ...parts.filter(({ properties }) => properties)]
}

/** Returns the types that a JSON Schema allows. Contains undefined if it does not name them. */
function typesOf(schema: InputSchema): readonly unknown[] {
  const values = 'const' in schema ? [schema.const] : schema.enum
  return values?.map((value) => typeof value) ?? [schema.type].flat()
}

/** The parts of a zod schema that determine the type of its input. */
interface ZodInternals {
  /** The values of an enum or a literal. */
  readonly values?: ReadonlySet<unknown>
  /** The schema that `z.lazy` returns. */
  readonly innerType?: unknown
  readonly def: {
    readonly type: string
    readonly shape?: object
    readonly options?: readonly unknown[]
    /** The schemas of an intersection. */
    readonly left?: unknown
    readonly right?: unknown
    /** The schema without `optional`, a default and so on. */
    readonly innerType?: unknown
    /** The first schema of a pipe. If it is a transformation (`z.preprocess`), its function expects the text. */
    readonly in?: unknown
  }
}

/**
 * Describes the schema that receives the input. zod/mini does not convert schemas to JSON Schema, and the conversion of `z.preprocess` omits
 * the function.
 */
function describeZod({ def, values, innerType }: ZodInternals): InputSchema {
  const inner = innerType ?? def.innerType ?? def.in
  const anyOf = inner ? [inner] : def.left ? [def.left, def.right] : def.options
  return { type: anyOf ? undefined : def.type, properties: def.shape, enum: values && [...values], anyOf }
}
