import { encode } from '../codec/encode.js'
import { jsonText } from './json.js'

/**
 * A value of a field as text, as it stands in URLs and ids: dates in ISO 8601, bytes in base64, decimals with all their digits.
 * @returns undefined for what is not one value
 * @throws TypeError for what cannot be sent: an invalid date, NaN
 */
export function valueToText(value: unknown): string | undefined {
  const { json } = encode(value)
  return typeof json === 'object' ? undefined : String(json)
}

/** The same of what may be a value of type Json, too. */
export function valueOrJsonToText(value: unknown): string | undefined {
  return jsonText(value) ?? valueToText(value)
}
