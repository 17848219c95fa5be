import type { Field, ScalarType } from '../resource.js'

/** A superjson annotation: what a value was before it became JSON. */
export type Annotation = readonly [string] | readonly [readonly [string, string]]

/** How values of a type become JSON (contract 2.5). */
export interface Encoding {
  /** Turns one value that is not null into JSON. */
  readonly encode: (value: unknown) => unknown
  /** What superjson notes of it in `meta.serialization.values`. */
  readonly annotation: Annotation
}

const BYTES_PER_CALL = 0x8000

const ENCODINGS: Partial<Record<ScalarType, Encoding>> = {
  DateTime: { encode: (value) => (value instanceof Date ? value.toISOString() : value), annotation: ['Date'] },
  BigInt: { encode: (value) => String(value), annotation: ['bigint'] },
  Decimal: { encode: decimalToJson, annotation: [['custom', 'Decimal']] },
  Bytes: {
    encode: (value) => (value instanceof Uint8Array ? toBase64(value) : value),
    annotation: [['custom', 'Bytes']],
  },
}

/** How a field's values become JSON; undefined where they are JSON already. */
export function encodingOf(field: Field): Encoding | undefined {
  return ENCODINGS[field.type]
}

/** All digits of a Decimal, without an exponent. */
export function decimalToJson(value: unknown): string {
  return isDecimal(value) ? value.toFixed() : String(value)
}

/** Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  // Ten times as fast, but not everywhere.
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  }
  let binary = ''
  for (let at = 0; at < bytes.length; at += BYTES_PER_CALL) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_CALL))
  }
  return btoa(binary)
}

function isDecimal(value: unknown): value is { toFixed(): string } {
  return typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function'
}
