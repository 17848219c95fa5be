/** For two features, orval 7 generates code that does not compile: `5XX` statuses, and lists among the values of an enum. */
function transformer(document) {
  const { RequestSerialization } = document.components.schemas
  RequestSerialization.properties.values = { type: 'object' }
  for (const { responses } of Object.values(document.paths).flatMap(Object.values)) {
    if (!responses?.['5XX']) continue
    responses['500'] = responses['5XX']
    delete responses['5XX']
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
