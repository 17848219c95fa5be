import { encode } from '../codec/encode.js'
import { jsonText } from './json.js'

/**
 * Converts a field's value to text for URLs and ids: dates in ISO 8601, bytes in Base64, Decimals with all digits.
 * @returns undefined if the value is an array or a plain object
 * @throws TypeError if the value cannot be sent, such as an invalid date or NaN
 */
export function valueToText(value: unknown): string | undefined {
  const { json } = encode(value)
  return typeof json === 'object' ? undefined : String(json)
}

/** Like {@link valueToText}, but also accepts values created by `json`. */
export function valueOrJsonToText(value: unknown): string | undefined {
  return jsonText(value) ?? valueToText(value)
}
