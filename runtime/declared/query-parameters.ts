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
const DECODED_TYPES: readonly unknown[] = ['boolean', 'number', 'integer', 'null']

/** Returns the types that a schema accepts for each parameter. Computed once per schema, at the first request. */
const parameterTypes = memoize((schema: StandardSchema): ReadonlyMap<string, readonly unknown[]> => {
  const isOfZod = schema['~standard'].vendor === 'zod'
  const properties = isOfZod ? zodInput(schema).shape : describeProperties(schema)
  const typesOf = isOfZod ? typesOfZod : typesOfJson
  return new Map(Object.entries(properties ?? {}).map(([name, property]) => [name, typesOf(property)]))
})

/** The parts of a zod schema's definition that determine the type of its input. */
interface ZodDefinition {
  readonly type?: string
  readonly shape?: object
  readonly options?: readonly unknown[]
  readonly values?: readonly unknown[]
  /** The schema without `optional`, a default and so on. */
  readonly innerType?: unknown
  /** The first schema of a pipe. If it is a transformation (`z.preprocess`), its function expects the text. */
  readonly in?: unknown
}

/** Returns the definition of the schema that receives the input. Also works for zod/mini, which does not convert schemas to JSON Schema. */
function zodInput(schema: unknown): ZodDefinition {
  const definition: ZodDefinition = Object(Object(Object(schema)._zod).def)
  const next = definition.innerType ?? definition.in
  return next === undefined ? definition : zodInput(next)
}

function typesOfZod(schema: unknown): readonly unknown[] {
  const { type, options, values } = zodInput(schema)
  return options?.flatMap(typesOfZod) ?? values?.map((value) => typeof value) ?? [type]
}

function describeProperties(schema: StandardSchema): object | undefined {
  const { properties }: { readonly properties?: object } = Object(convertToJsonSchema(schema, 'input'))
  return properties
}

/** Returns the types that a JSON Schema allows. Contains undefined if it does not name them. */
function typesOfJson(schema: unknown): readonly unknown[] {
  const json: { readonly type?: unknown; readonly anyOf?: unknown; readonly enum?: unknown } = Object(schema)
  if (Array.isArray(json.anyOf)) return json.anyOf.flatMap(typesOfJson)
  if (Array.isArray(json.enum)) return json.enum.map((value) => typeof value)
  return 'const' in json ? [typeof json.const] : [json.type].flat()
}
