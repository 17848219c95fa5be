/** Characters that JSON escapes, and surrogates, which it escapes if they are unpaired. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** Serializes a string as JSON. Most strings need no escaping, and the check takes half the time of `JSON.stringify`. */
export function quoteJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}
