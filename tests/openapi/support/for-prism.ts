import type {
  HttpMethod,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
} from '../../../runtime/openapi/document-types.js'

/** Operations: paths and their methods. */
export type Chosen = Readonly<Record<string, readonly HttpMethod[]>>

/**
 * Reduces an RPC document for Prism. Prism inlines every reference, which does not end for the recursive schemas of
 * arguments, so these keep only the names of their members. Responses are unchanged.
 * @param chosen the operations in use
 */
export function forPrism(document: OpenApiDocument, chosen: Chosen): OpenApiDocument {
  const paths = Object.entries(chosen).map(([path, methods]) => {
    const of = methods.map((method) => [method, withShallowArguments(document.paths[path]?.[method], document)])
    return [path, Object.fromEntries(of)]
  })
  return withoutUnused({ ...document, paths: Object.fromEntries(paths) })
}

/**
 * Inlines every reference of a REST document, which has no recursive schemas. Prism 5.9 loses some references, and a schema
 * that it then cannot compile accepts every value.
 * @param chosen the operations in use
 */
export function writtenOut(document: OpenApiDocument, chosen: Chosen): OpenApiDocument {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    if (!('$ref' in value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]))
    const [, , kind = '', name = ''] = String(value.$ref).split('/')
    return resolve(Reflect.get(Reflect.get(document.components, kind), name))
  }
  const paths = Object.entries(chosen).map(([path, methods]) => {
    const { parameters, ...item } = document.paths[path] ?? {}
    const of = methods.map((method) => [method, resolve(item[method])])
    return [path, { ...(parameters && { parameters: resolve(parameters) }), ...Object.fromEntries(of) }]
  })
  return { ...document, paths: Object.fromEntries(paths), components: NONE }
}

const NONE = { schemas: {}, parameters: {}, responses: {}, requestBodies: {} }

function withShallowArguments(operation: OperationObject | undefined, document: OpenApiDocument): object {
  const { parameters = [], requestBody, ...others } = structuredClone(operation ?? { responses: {} }) as OperationObject
  const [media] = requestBody && 'content' in requestBody ? Object.entries(requestBody.content) : []
  return {
    ...others,
    // Prism loses some references in responses.
    responses: inlineReferences(others.responses, document),
    parameters: parameters.flatMap((one) => {
      const parameter = 'name' in one ? one : document.components.parameters[one.$ref.split('/').at(-1) ?? '']
      return parameter?.name === 'q' ? [{ ...parameter, schema: { type: 'string' } }] : []
    }),
    ...(media && {
      requestBody: { required: true, content: { [media[0]]: { schema: shallow(media[1].schema, document) } } },
    }),
  }
}

/** Inlines every reference except recursive ones. */
function inlineReferences(responses: OperationObject['responses'], { components }: OpenApiDocument): object {
  const resolve = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => resolve(one, within))
    if (typeof value !== 'object' || value === null) return value
    if (!('$ref' in value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, within)]))
    const reference = String(value.$ref)
    if (within.includes(reference)) return {}
    const [, , kind = '', name = ''] = reference.split('/')
    return resolve(Reflect.get(Reflect.get(components, kind), name), [...within, reference])
  }
  return Object.fromEntries(Object.entries(responses).map(([status, one]) => [status, resolve(one, [])]))
}

function shallow(schema: JsonSchema, { components }: OpenApiDocument): JsonSchema {
  const resolve = (one: JsonSchema): JsonSchema => components.schemas[one.$ref?.split('/').at(-1) ?? ''] ?? one
  const namesOf = (one: JsonSchema): readonly string[] => {
    const { properties = {}, allOf = [] } = resolve(one)
    return [...Object.keys(properties), ...allOf.flatMap(namesOf)]
  }
  const properties = Object.fromEntries(namesOf(schema).map((name) => [name, {}]))
  return { type: 'object', properties, required: resolve(schema).required ?? [], additionalProperties: false }
}

/** Removes unused components, which Prism would inline too. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const used = new Set<string>()
  const follow = (value: unknown) => {
    for (const [reference = ''] of JSON.stringify(value ?? {}).matchAll(/#\/components\/\w+\/[^"]+/g)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [, , kind = '', name = ''] = reference.split('/')
      follow(Reflect.get(Reflect.get(document.components, kind), name))
    }
  }
  follow(document.paths)
  const components = Object.entries(document.components).map(([kind, parts]: [string, object]) => {
    return [
      kind,
      Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
    ]
  })
  return { ...document, components: Object.fromEntries(components) }
}
