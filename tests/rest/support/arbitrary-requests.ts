import fc from 'fast-check'

const filters: Readonly<Record<string, readonly string[]>> = {
  'filter[status]': ['PUBLISHED', 'DRAFT,ARCHIVED', 'PUBLISHED,DRAFT'],
  'filter[viewCount$gt]': ['0', '50', '100000'],
  'filter[viewCount][lte]': ['100', '1,1000'],
  'filter[title$icontains]': ['e', 'the', 'a,o', '\\,'],
  'filter[title$startsWith]': ['A', 'T,H'],
  'filter[author]': ['1', '2,3'],
  'filter[author][role]': ['EDITOR', 'AUTHOR,EDITOR'],
  'filter[author][email$endsWith]': ['example.com'],
  'filter[category][parent][name$contains]': ['e'],
  'filter[comments][body$contains]': ['e', 'I'],
  'filter[publishedAt$gte]': ['2025-03-01', '2025-06-01T00:00:00Z'],
  'filter[id$lte]': ['30'],
}
const sorts = [
  'title',
  '-title',
  'viewCount',
  '-viewCount',
  'publishedAt',
  '-author.name',
  'category.name',
  'status',
  '-id',
]

/** Valid parameters of a list of posts, as names and values. */
export const validQuery = fc
  .record({
    filter: fc.uniqueArray(
      fc
        .constantFrom(...Object.keys(filters))
        .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(filters[name] ?? [])))),
      { maxLength: 3, selector: ([name]) => name },
    ),
    sort: fc.uniqueArray(fc.constantFrom(...sorts), { maxLength: 3, selector: (name) => name.replace('-', '') }),
    limit: fc.option(fc.integer({ min: 1, max: 20 })),
    include: fc.uniqueArray(fc.constantFrom('author', 'comments.author', 'tags', 'category.parent', 'author.profile'), {
      maxLength: 3,
    }),
    fields: fc.option(
      fc.uniqueArray(fc.constantFrom('title', 'author', 'tags', 'status', 'comments'), { maxLength: 3 }),
    ),
  })
  .map(({ filter, sort, limit, include, fields }): [string, string][] => [
    ...filter,
    ...(sort.length > 0 ? [['sort', sort.join(',')] as [string, string]] : []),
    ...(limit === null ? [] : [['page[limit]', String(limit)] as [string, string]]),
    ...(include.length > 0 ? [['include', include.join(',')] as [string, string]] : []),
    ...(fields === null ? [] : [['fields[post]', fields.join(',')] as [string, string]]),
  ])

const junk = fc.string({
  unit: fc.constantFrom('[', ']', '$', '%', '=', ',', '.', '-', 'a', 'filter', 'id', '\0', 'ü', ' '),
  minLength: 1,
  maxLength: 6,
})

/** A query with extra text in the name or value of a parameter. */
export const garbledQuery = fc
  .tuple(
    validQuery.filter((query) => query.length > 0),
    fc.nat(),
    fc.nat({ max: 30 }),
    junk,
    fc.boolean(),
  )
  .map(([parameters, which, at, piece, inName]) => {
    const index = which % parameters.length
    const query = parameters.map(([name, value], i): [string, string] => {
      if (i !== index) return [name, value]
      const old = inName ? name : value
      const fresh = `${old.slice(0, at)}${piece}${old.slice(at)}`
      return inName ? [fresh, value] : [name, fresh]
    })
    return { query, inName }
  })

const json = fc.jsonValue({ maxDepth: 3 })
const attributes = fc.dictionary(
  fc.constantFrom('slug', 'title', 'viewCount', 'status', 'publishedAt', 'authorId', 'nope', '__proto__'),
  json,
)
const relationships = fc.dictionary(
  fc.constantFrom('author', 'tags', 'comments', 'nope'),
  fc.oneof(json, fc.record({ data: json })),
)
const data = fc.record(
  {
    type: fc.constantFrom('post', 'user', 1),
    id: json,
    attributes: fc.oneof(attributes, json),
    relationships: fc.oneof(relationships, json),
  },
  { requiredKeys: [] },
)
const meta = fc.oneof(
  json,
  fc.record(
    { operation: fc.constantFrom('upsert', 'x', null), matchFields: json, serialization: json },
    { requiredKeys: [] },
  ),
)
/** A request document, from nearly valid to any JSON. */
export const document = fc.oneof(json, fc.record({ data: fc.oneof(data, json), meta }, { requiredKeys: [] }))
