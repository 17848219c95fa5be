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
 * reports them. Requires a library that converts the schema to JSON Schema, as zod and ArkType do.
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
  if (types.some((type) => typeof type !== 'string' || TEXT_TYPES.includes(type))) return text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = (types.includes('number') || types.includes('integer')) && DECIMAL.test(text)
  const number = Number(text) + 0
  // The digits of a larger integer would be lost.
  return isNumber && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text
}

/** The types of JSON Schema whose values may be texts. */
const TEXT_TYPES: readonly string[] = ['string', 'object', 'array']

/** Returns the types that a schema accepts for each parameter. Computed once per schema, at the first request. */
const parameterTypes = memoize((schema: StandardSchema): ReadonlyMap<string, readonly unknown[]> => {
  const { shape }: { shape?: Readonly<Record<string, StandardSchema>> } = Object(schema)
  // Each property of zod's objects is a schema. If it is converted on its own, it contains no references to definitions.
  const properties: object = shape
    ? Object.fromEntries(
        Object.entries(shape).map(([name, property]) => [name, convertToJsonSchema(property, 'input')]),
      )
    : Object(Object(convertToJsonSchema(schema, 'input')).properties)
  return new Map(Object.entries(properties).map(([name, property]) => [name, typesOf(property)]))
})

/** Returns the types that a JSON Schema allows. Contains undefined if it does not name them. */
function typesOf(schema: unknown): readonly unknown[] {
  const { type, anyOf }: { type?: unknown; anyOf?: unknown } = Object(schema)
  return Array.isArray(anyOf) ? anyOf.flatMap(typesOf) : [type].flat()
}
