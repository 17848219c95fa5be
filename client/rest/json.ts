const JSON_TEXT = Symbol('json')

/** A value to compare a Json field with, created by {@link json}. */
export interface JsonFilter {
  readonly [JSON_TEXT]: string
}

/**
 * Creates a Json value for a filter: `filter: { settings: json({ theme: 'dark' }) }`. A plain object in a filter would be conditions.
 * @throws TypeError if the value has no JSON form
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
