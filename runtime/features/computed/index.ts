import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { createClientCheck, parseComputed } from './parse-computed.js'
import type { SerializationNotes } from '../../serialization/annotations.js'
import { type OtherValue, writeJson } from '../../serialization/write-json.js'
import type { AttributeWriter } from '../../rest/document/attribute-writer.js'

/**
 * Enables the handler option `computed`, which exposes computed fields of the client.
 * Called by the emitted `index.ts`.
 */
export function computed(): Feature<'computed'> {
  return restFeature('computed', {
    parse: parseComputed,
    createClientCheck,
    createWriter: computedAttributeWriter,
  })
}

/** Returns the writer for a computed field. The schema does not contain its type, so each value is written according to its own type. */
function computedAttributeWriter(name: string): AttributeWriter {
  const attributePath = `.attributes.${name}`
  return {
    name,
    wire: name,
    key: `"${name}":`,
    isComputed: true,
    write: (value, path, notes) => valueText(value, path + attributePath, notes) ?? 'null',
  }
}

const NAMES: ReadonlySet<string> = new Set()

/** Converts a value like `JSON.stringify`, but annotates types that JSON does not have. Returns undefined for values that JSON omits. */
function valueText(value: unknown, path: string, notes: SerializationNotes): string | undefined {
  return writeJson(value, path, '', { notes, names: NAMES, limit: undefined, writeOther: writeLikeJson })
}

function writeLikeJson(value: unknown, write: (replacement: unknown) => string | undefined): OtherValue {
  if (typeof value !== 'object' || value === null || value instanceof Date) return { json: JSON.stringify(value) }
  if ('toJSON' in value && typeof value.toJSON === 'function') return { json: write(value.toJSON()) }
  return { json: write({ ...value }) }
}
