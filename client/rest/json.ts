const JSON_TEXT = Symbol('json')

/** A value to compare a Json field with, created by {@link json}. */
export interface JsonFilter {
  readonly [JSON_TEXT]: string
}

/**
 * Creates a Json value for a filter. Without it, a plain object in a filter would be read as conditions.
 * @throws TypeError if the value has no JSON form
 * @example
 * ```ts
 * import { createRestClient, json } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * const rest = createRestClient<Api>({ url: '/api/rest' })
 * const dark = await rest.profile.list({ filter: { settings: json({ theme: 'dark' }) } })
 * ```
 * @see [Filters of the REST client](docs/rest-client.md#filters)
 */
export function json(value: unknown): JsonFilter {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('A filter value must be representable as JSON.')
  return { [JSON_TEXT]: text }
}

/** Returns the JSON text of a {@link JsonFilter}, or undefined for other values. */
export function jsonText(value: unknown): string | undefined {
  return Object(value)[JSON_TEXT]
}
