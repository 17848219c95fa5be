/** Replaces what orval 7 does not support: ranges of statuses, object parameters, and lists among the values of an enum. */
function transformer(document) {
  const { schemas, parameters } = document.components
  schemas.RequestSerialization.properties.values = { type: 'object' }
  const nameOf = ({ $ref }) => $ref?.split('/').at(-1)
  const flatten = (reference) => {
    const { name, schema, style } = parameters[nameOf(reference)] ?? {}
    if (style !== 'deepObject') return [reference]
    const { properties } = schemas[nameOf(schema.anyOf?.[0] ?? schema)]
    return Object.entries(properties).map(([key, one]) => ({ name: `${name}[${key}]`, in: 'query', schema: one }))
  }
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    if (!operation.responses) continue
    const { '4XX': clientError, '5XX': _, ...responses } = operation.responses
    operation.responses = { ...responses, default: clientError }
    operation.parameters = operation.parameters?.flatMap(flatten)
  }
  return document
}

export default {
  blog: {
    input: {
      target: './.generated/blog.rest.json',
      override: { transformer },
    },
    output: {
      target: './.generated/orval/blog.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
}
