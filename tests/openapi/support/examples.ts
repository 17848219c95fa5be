import type { JsonSchema, MediaType, OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import { operationsOf } from './described.js'
import { validatorOf } from './validator.js'

/** The errors and the number of a document's examples. */
export interface Examined {
  readonly wrong: readonly string[]
  readonly count: number
}

/** Validates each example of a document: in bodies, responses and schemas. */
export function examineExamples(document: OpenApiDocument): Examined {
  const validate = validatorOf(document)
  const wrong: string[] = []
  let count = 0
  const examine = (location: string, schema: JsonSchema, example: unknown) => {
    count++
    const error = validate(schema, example)
    if (error !== '') wrong.push(`${location}: ${JSON.stringify(example)}: ${error}`)
  }
  const media = (location: string, content: Readonly<Record<string, MediaType>> = {}) => {
    for (const { schema, example } of Object.values(content)) {
      if (example !== undefined) examine(location, schema, example)
    }
  }
  const seen = new Set<unknown>()
  for (const { operation, requestBody, responses } of operationsOf(document)) {
    media(`${operation.operationId} body`, requestBody?.content)
    for (const [status, { content }] of responses) {
      if (seen.has(content)) continue
      seen.add(content)
      media(`${operation.operationId} ${status}`, content)
    }
  }
  const schemas = (where: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('examples' in value && Array.isArray(value.examples) && !('in' in value)) {
      for (const example of value.examples) examine(where, { ...value, examples: value.examples }, example)
    }
    for (const [name, part] of Object.entries(value)) {
      if (name !== 'example' && name !== 'examples') schemas(`${where}/${name}`, part)
    }
  }
  schemas('', document.components)
  schemas('', document.paths)
  return { wrong, count }
}
