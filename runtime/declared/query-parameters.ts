import { decodeForm, queryPairs } from '../http/routing/mount-path.js'
import { applyInputSchema, type StandardSchema } from '../http/standard-schema.js'
import { isFamily, malformedParameter } from '../rest/request/query/parse-query.js'
import type { RestContext } from '../rest/rest-context.js'

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

/** @throws RequestError 400 that names the parameter of each issue */
export function applyQuerySchema(schema: StandardSchema, parameters: unknown): Promise<unknown> {
  return applyInputSchema(schema, parameters, ([name]) => ({
    code: 'malformed-parameter',
    ...(name !== undefined && { source: { parameter: String(name) } }),
  }))
}
