import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

import { formatId, type IdSpec, parseId } from '../../runtime/rest/id.js'
import { splitValues } from '../../runtime/rest/filter.js'
import { seed } from '../../fixtures/blog/seed.js'
import { describeDatabases } from '../support/databases.js'
import { type RestClient, restClient } from './support/client.js'

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'))
const awkward = fc.string({ unit: fc.constantFrom('_', '%', '5', 'F', '2', '.', '/', '\\', ',', 'a'), maxLength: 8 })

const single: IdSpec = { criterion: 'key', compound: false, fields: [{ name: 'key', field: { type: 'String' } }] }
const compound: IdSpec = {
  criterion: 'a_b_c',
  compound: true,
  fields: [
    { name: 'a', field: { type: 'String' } },
    { name: 'b', field: { type: 'BigInt' } },
    { name: 'c', field: { type: 'String' } },
  ],
}

describe('REST: ids', () => {
  it('of any single value are read back, also out of a URL, and are never a dot segment', () => {
    fc.assert(
      fc.property(fc.oneof(text, awkward), (value) => {
        const id = formatId(single, [value])
        expect(parseId(single, id)).toEqual({ key: value })
        const url = new URL(`https://blog.example/api/key/${encodeURIComponent(id)}/more`)
        expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(id)
      }),
    )
  })

  it('of any compound value are read back, and no two are the same', () => {
    const values = fc.tuple(
      fc.oneof(text, awkward),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.oneof(text, awkward),
    )
    fc.assert(
      fc.property(values, values, ([a, b, c], other) => {
        const id = formatId(compound, [a, b, c])
        expect(parseId(compound, id)).toEqual({ a, b, c })
        const same = other.every((value, index) => value === [a, b, c][index])
        expect(formatId(compound, other) === id).toBe(same)
      }),
    )
  })

  it('have one spelling each', () => {
    fc.assert(
      fc.property(fc.oneof(text, awkward), (id) => {
        const values = parseId(single, id)
        if (values) expect(formatId(single, [values['key']])).toBe(id)
        const parts = parseId(compound, id)
        if (parts) expect(formatId(compound, [parts['a'], parts['b'], parts['c']])).toBe(id)
      }),
    )
  })
})

it('REST: any list of values goes through a filter with its commas and backslashes escaped', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(text, awkward), { minLength: 1 }), (values) => {
      expect(splitValues(values.map((value) => value.replaceAll(/[\\,]/g, '\\$&')).join(','))).toEqual(values)
    }),
  )
})

const RUNS = { numRuns: 40 }

describeDatabases('REST: properties', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.reset()
    await seed(db.orm)
    rest = restClient(db, { pageSize: 7 })
  })

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

  const validQuery = fc
    .record({
      filter: fc.uniqueArray(
        fc
          .constantFrom(...Object.keys(filters))
          .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(filters[name] ?? [])))),
        { maxLength: 3, selector: ([name]) => name },
      ),
      sort: fc.uniqueArray(fc.constantFrom(...sorts), { maxLength: 3, selector: (name) => name.replace('-', '') }),
      limit: fc.option(fc.integer({ min: 1, max: 20 })),
      include: fc.uniqueArray(
        fc.constantFrom('author', 'comments.author', 'tags', 'category.parent', 'author.profile'),
        { maxLength: 3 },
      ),
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

  it('walking next from the first page visits each row once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(validQuery, async (parameters) => {
        const kept = parameters.filter(([name]) => name !== 'page[limit]' && name !== 'include')
        const whole = await rest.get(`/post?${new URLSearchParams([...kept, ['page[limit]', '1000']])}`)
        expect(whole.status).toBe(200)
        const walked: string[] = []
        let page = await rest.get(`/post?${new URLSearchParams(parameters)}`)
        const first = page.body.links?.['first']
        expect((await rest.follow(first)).ids).toEqual(page.ids)
        for (;;) {
          expect(page.status).toBe(200)
          expect(page.body.meta?.total).toBe(whole.ids.length)
          walked.push(...page.ids)
          const last = page.body.links?.['last']
          const next = page.body.links?.['next']
          if (!next) {
            if (walked.length > 0) expect((await rest.follow(last)).ids).toEqual(page.ids)
            break
          }
          page = await rest.follow(next)
        }
        expect(walked).toEqual(whole.ids)
      }),
      RUNS,
    )
  })

  it('a valid query is answered, and self is the same answer again', async () => {
    await fc.assert(
      fc.asyncProperty(
        validQuery,
        fc.constantFrom('/post', '/user/2/posts', '/category/1/posts', '/tag'),
        async (parameters, path) => {
          const fitting = path === '/tag' ? parameters.filter(([name]) => name.startsWith('page')) : parameters
          const answer = await rest.get(`${path}?${new URLSearchParams(fitting)}`)
          expect(answer.status).toBe(200)
          expect((await rest.follow(answer.body.links?.['self'])).text).toBe(answer.text)
        },
      ),
      RUNS,
    )
  })

  it('a garbled query is never answered as if nothing were wrong with it', async () => {
    const junk = fc.string({
      unit: fc.constantFrom('[', ']', '$', '%', '=', ',', '.', '-', 'a', 'filter', 'id', '\0', 'ü', ' '),
      minLength: 1,
      maxLength: 6,
    })
    const garbled = fc.tuple(
      validQuery.filter((query) => query.length > 0),
      fc.nat(),
      fc.nat({ max: 30 }),
      junk,
      fc.boolean(),
    )
    await fc.assert(
      fc.asyncProperty(garbled, async ([parameters, which, at, piece, inName]) => {
        const index = which % parameters.length
        const changed = parameters.map(([name, value], i): [string, string] => {
          if (i !== index) return [name, value]
          const old = inName ? name : value
          const fresh = `${old.slice(0, at)}${piece}${old.slice(at)}`
          return inName ? [fresh, value] : [name, fresh]
        })
        const answer = await rest.get(`/post?${new URLSearchParams(changed)}`)
        expect(answer.status).toBeLessThan(500)
        // Only values can still mean something else: text to search for. A name cannot.
        if (inName) expect(answer.status).toBe(400)
      }),
      { numRuns: 150 },
    )
  })

  it('any id goes through body, Location, link, linkage and filter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, awkward), fc.boolean(), async (name, isId) => {
        const known = await db.orm.tag.findUnique({ where: { name } })
        const id = formatId(single, [name])
        const data = { type: 'tag', ...(isId ? { id } : { attributes: { name } }) }
        const created = await rest.post('/tag', { data })
        expect(created.status).toBe(known ? 409 : 201)
        if (known) return
        expect(created.one.id).toBe(id)
        expect((await rest.follow(created.headers.get('Location'))).one.id).toBe(id)
        const [linked] = (await rest.patch('/post/1/relationships/tags', { data: [{ type: 'tag', id }] })).many
        expect(linked).toEqual({ type: 'tag', id })
        const value = encodeURIComponent(id.replaceAll(/[\\,]/g, '\\$&'))
        expect((await rest.get(`/tag?filter[id]=${value}`)).ids).toEqual([id])
        expect((await rest.get(`/post?filter[tags]=${value}`)).ids).toEqual(['1'])
        expect((await rest.delete(`/tag/${encodeURIComponent(id)}`)).status).toBe(204)
      }),
      RUNS,
    )
  })

  it('any body is answered, and never with a failure of ours', async () => {
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
    const body = fc.oneof(json, fc.record({ data: fc.oneof(data, json), meta }, { requiredKeys: [] }))
    const path = fc.constantFrom('/post', '/post/1', '/post/1/relationships/tags', '/post/1/relationships/author')
    const before = await db.orm.post.count()
    await fc.assert(
      fc.asyncProperty(body, path, fc.constantFrom('post' as const, 'patch' as const), async (document, to, method) => {
        const answer = await rest[method](to, document)
        expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: 150 },
    )
    expect(await db.orm.post.count()).toBe(before)
  })
})
