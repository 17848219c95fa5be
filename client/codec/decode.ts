import { fromBase64 } from './base64.js'
import { parsePath } from './path.js'

/** Converts the string form of a Decimal to a value. */
export type ReadDecimal = (text: string) => unknown

/**
 * Restores the Dates, BigInts, Decimals and Bytes that `meta.serialization` annotates. Values with other annotations, which only computed
 * fields can have, stay as they are in JSON.
 * @param json modified in place
 * @param meta the value of `meta.serialization`
 * @param decimal converts Decimals. Default: returns the string.
 */
export function decode(json: unknown, meta: unknown, decimal: ReadDecimal = (text) => text): unknown {
  const values = isObject(meta) ? meta['values'] : undefined
  if (!isObject(values)) return json
  const root: Record<string, unknown> = { json }
  if (Array.isArray(values)) decodeAt(root, 'json', values[0], decimal)
  else {
    for (const [path, annotation] of Object.entries(values)) {
      const keys = ['json', ...parsePath(path)]
      const last = keys.pop() ?? ''
      let current: unknown = root
      for (const key of keys) current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined
      if (isObject(current) && Object.hasOwn(current, last)) decodeAt(current, last, first(annotation), decimal)
    }
  }
  return root['json']
}

function first(annotation: unknown): unknown {
  return Array.isArray(annotation) ? annotation[0] : undefined
}

function decodeAt(parent: Record<string, unknown>, key: string, tag: unknown, decimal: ReadDecimal): void {
  const value = parent[key]
  if (tag === 'undefined') parent[key] = undefined
  else if (typeof value === 'string') parent[key] = fromText(String(tag), value, decimal)
}

function fromText(tag: string, text: string, decimal: ReadDecimal): unknown {
  switch (tag) {
    case 'Date':
      return new Date(text)
    case 'bigint':
      return BigInt(text)
    case 'number':
      return Number(text)
    case 'custom,Decimal':
      return decimal(text)
    case 'custom,Bytes':
      return fromBase64(text)
    default:
      return text
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
