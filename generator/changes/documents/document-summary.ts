import { entries, getMember, resolveReference } from './document-members.js'

/** An operation of an OpenAPI document. */
export interface DocumentOperation {
  /** The operation id, such as `listPosts`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly model: string | undefined
  /** The operation in the document. */
  readonly source: unknown
}

/** Returns the same operation of another document, which may have a different path there. */
export function findSameOperation(
  { name, method, model }: DocumentOperation,
  others: readonly DocumentOperation[],
): DocumentOperation | undefined {
  return others.find((each) => each.name === name && each.method === method && each.model === model)
}

/** The parts of an OpenAPI document that depend on handler options. */
export interface DocumentSummary {
  readonly document: unknown
  readonly operations: readonly DocumentOperation[]
  /** The maximum values, by parameter name. */
  readonly limits: ReadonlyMap<string, number>
  /** The default values of query parameters, by parameter name. */
  readonly defaults: ReadonlyMap<string, string>
  /** The type of each model's id filter, such as `IntFilter`. It changes if a handler identifies rows by a different field. */
  readonly ids: ReadonlyMap<string, string>
  /** Whether each property of a schema is a computed field. The schema of a model's rows has the name of the model. */
  readonly properties: ReadonlyMap<string, ReadonlyMap<string, boolean>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Summarizes an OpenAPI document from any source. Missing parts are ignored. */
export function summarizeDocument(document: unknown): DocumentSummary {
  const operations: DocumentOperation[] = []
  const ids = new Map<string, string>()
  for (const [path, item] of entries(getMember(document, 'paths'))) {
    for (const [method, operation] of entries(item)) {
      const name = getMember(operation, 'operationId')
      if (!METHODS.includes(method) || typeof name !== 'string') continue
      const tag = getMember(getMember(operation, 'tags'), '0')
      const model = typeof tag === 'string' ? tag : undefined
      operations.push({ name, method: method.toUpperCase(), path, model, source: operation })
      const filter = findIdFilter(document, operation)
      if (model !== undefined && filter !== undefined && /^\/[^/]+$/.test(path)) ids.set(model, filter)
    }
  }
  return {
    document,
    operations,
    limits: collectLimits(document),
    defaults: collectDefaults(document),
    ids,
    properties: collectProperties(document),
  }
}

/** Returns the maximum values of parameters and arguments. If there is no maximum, the value is Infinity. */
function collectLimits(document: unknown): ReadonlyMap<string, number> {
  const limits = new Map<string, number>()
  const addLimits = (name: string, schema: unknown) => {
    const maximum = getMember(schema, 'maximum')
    limits.set(name, typeof maximum === 'number' ? maximum : Infinity)
  }
  const components = getMember(document, 'components')
  for (const [name, schema] of sharedParameters(document)) {
    if (name === 'page[limit]' || name === 'page[size]') addLimits(name, schema)
  }
  const take = getMember(getMember(components, 'schemas'), 'Take')
  if (take !== undefined) addLimits('take', take)
  // Error responses contained the limits before they were described once, in a schema.
  for (const [, described] of ['responses', 'schemas'].flatMap((kind) => entries(getMember(components, kind)))) {
    const words = getMember(described, 'description')
    for (const [name, number] of parseLimits(typeof words === 'string' ? words : '')) limits.set(name, number)
  }
  return limits
}

/** Returns the default values of the parameters that select a page. A page size without a default is unlimited. */
function collectDefaults(document: unknown): ReadonlyMap<string, string> {
  const described = sharedParameters(document).flatMap(([name, schema]): [string, string][] => {
    const value = getMember(schema, 'default')
    if (name === 'page[limit]') return [[name, typeof value === 'number' ? String(value) : 'unlimited']]
    return name === 'page[total]' && typeof value === 'string' ? [[name, value]] : []
  })
  return new Map(described)
}

/** Returns the properties of schemas. Finds computed fields by the description that the runtime writes. */
function collectProperties(document: unknown): DocumentSummary['properties'] {
  return new Map(
    entries(getMember(document, 'components', 'schemas')).map(([model, schema]) => {
      const properties = getMember(schema, 'properties')
      const fields = entries(getMember(properties, 'attributes', 'properties') ?? properties)
      const isComputed = (field: unknown) => getMember(field, 'description') === 'Computed on every read.'
      return [model, new Map(fields.map(([name, field]) => [name, isComputed(field)]))]
    }),
  )
}

/** Returns the parameters that operations share, by name. */
function sharedParameters(document: unknown): (readonly [name: unknown, schema: unknown])[] {
  return entries(getMember(getMember(document, 'components'), 'parameters')).map(
    ([, parameter]) => [getMember(parameter, 'name'), getMember(parameter, 'schema')] as const,
  )
}

/** Parses the limits listed in a description, such as `- at most 12 levels of nesting`. */
function parseLimits(description: string): (readonly [name: string, number: number])[] {
  return [...description.matchAll(/^- at most (\d+) (.+)$/gm)].map(
    ([, number, name = '']) => [name, Number(number)] as const,
  )
}

/** Returns the name of the schema that a collection's id filter refers to. Older documents have a separate parameter for it. */
function findIdFilter(document: unknown, operation: unknown): string | undefined {
  const parameters = entries(getMember(operation, 'parameters')).map(([, parameter]) =>
    resolveReference(document, parameter),
  )
  const schemaOf = (wanted: string) =>
    getMember(
      parameters.find((parameter) => getMember(parameter, 'name') === wanted),
      'schema',
    )
  const filter = schemaOf('filter')
  const fields = resolveReference(document, getMember(getMember(filter, 'anyOf'), '0') ?? filter)
  const reference = getMember(getMember(getMember(fields, 'properties'), 'id') ?? schemaOf('filter[id]'), '$ref')
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}
