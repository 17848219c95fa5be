const JSON_TEXT = Symbol('json')

/** What a field of type Json is compared with. Made by {@link json}. */
export interface JsonFilter {
  readonly [JSON_TEXT]: string
}

/**
 * A Json value to filter by: `filter: { settings: json({ theme: 'dark' }) }`. Without it, an object in a filter holds conditions.
 * @throws TypeError for what JSON has nothing for
 */
export function json(value: unknown): JsonFilter {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('A filter cannot hold this value: there is no JSON for it.')
  return { [JSON_TEXT]: text }
}

/** The text of such a value; undefined where it is none. */
export function jsonText(value: unknown): string | undefined {
  return Object(value)[JSON_TEXT]
}
