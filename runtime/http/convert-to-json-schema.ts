import type { StandardSchema } from './standard-schema.js'

/** The part of [Standard JSON Schema](https://standardschema.dev/json-schema) that some libraries implement. */
interface StandardJsonSchema {
  readonly jsonSchema?: Readonly<Record<'input' | 'output', (options: ConversionOptions) => unknown>>
}

interface ConversionOptions {
  readonly target: string
  readonly libraryOptions: Readonly<Record<string, unknown>>
}

/**
 * Converts a schema to JSON Schema 2020-12 with the library that created it. Dates and bigints are described by their JSON form.
 * @returns undefined if the library does not implement Standard JSON Schema, or cannot convert this schema
 */
export function convertToJsonSchema(schema: StandardSchema, io: 'input' | 'output'): unknown {
  const standard: StandardJsonSchema & object = schema['~standard']
  const libraryOptions = LIBRARY_OPTIONS[schema['~standard'].vendor] ?? {}
  try {
    return standard.jsonSchema?.[io]({ target: 'draft-2020-12', libraryOptions })
  } catch {
    // The schema has no JSON form.
    return undefined
  }
}

/** JSON Schemas of the types that JSON does not have, by the libraries' name of the type. */
export const JSON_FORMS: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: '^-?[0-9]+$' },
}

/** Conversion options by vendor. They describe dates and bigints by their JSON form, and let other types without one accept any value. */
const LIBRARY_OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  arktype: {
    fallback: {
      date: ({ base }: ArkTypeNode) => ({ ...base, ...JSON_FORMS['date'] }),
      domain: ({ base, domain = '' }: ArkTypeNode) => ({ ...base, ...JSON_FORMS[domain] }),
      default: ({ base }: ArkTypeNode) => base,
    },
  },
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: { type } }: ValibotNode) => JSON_FORMS[type],
  },
}

interface ArkTypeNode {
  readonly base: object
  readonly domain?: string
}

interface ValibotNode {
  readonly valibotSchema: { readonly type: string }
}
