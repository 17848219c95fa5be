import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document-types.js'

/** Validates a value against a schema of a document. Returns the errors, or an empty string. */
export type Validate = (schema: JsonSchema, value: unknown) => string

/** Creates a strict validator for JSON Schema 2020-12: unknown keywords and formats are errors. */
export function validatorOf(document: OpenApiDocument): Validate {
  const ajv = new Ajv2020({
    strict: true,
    ownProperties: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: false,
    validateFormats: true,
  })
  addFormats.default(ajv)
  ajv.addFormat('decimal', true)
  ajv.addKeyword('x-serialization')
  ajv.addSchema(
    JSON.parse(JSON.stringify({ $id: 'doc', $defs: document.components.schemas }).replaceAll(REFERENCE, '"#/$$defs/')),
  )
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll(REFERENCE, '"doc#/$defs/')
    let validate = compiled.get(text)
    if (!validate) compiled.set(text, (validate = ajv.compile(JSON.parse(text))))
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
}

const REFERENCE = '"#/components/schemas/'
