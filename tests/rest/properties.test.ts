import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

import { formatId, type IdDefinition, parseId } from '../../runtime/rest/request/resource-id.js'
import { splitValues } from '../../runtime/rest/request/filter/parse-filter.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { document, garbledQuery, validQuery } from './support/arbitrary-requests.js'
import { type RestClient, restClient } from './support/client.js'

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'))
const awkward = fc.string({ unit: fc.constantFrom('_', '%', '5', 'F', '2', '.', '/', '\\', ',', 'a'), maxLength: 8 })

const single: IdDefinition = { criterion: 'key', compound: false, fields: [{ name: 'key', field: { type: 'String' } }] }
const compound: IdDefinition = {
  criterion: 'a_b_c',
  compound: true,
  fields: [
    { name: 'a', field: { type: 'String' } },
    { name: 'b', field: { type: 'BigInt' } },
    { name: 'c', field: { type: 'String' } },
  ],
}

describe('REST: ids', () => {
  it('parses any single value back from its id in a URL', () => {
    fc.assert(
      fc.property(fc.oneof(text, awkward), (value) => {
        const id = formatId(single, [value])
        expect(parseId(single, id)).toEqual({ key: value })
        const url = new URL(`https://blog.example/api/key/${encodeURIComponent(id)}/more`)
        expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(id)
      }),
    )
  })

  it('parses any compound value back from its unique id', () => {
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

  it('formats a parsed id to the same text', () => {
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

it('REST: splitValues returns values that were escaped and joined by commas', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(text, awkward), { minLength: 1 }), (values) => {
      expect(splitValues(values.map((value) => value.replaceAll(/[\\,]/g, '\\$&')).join(','))).toEqual(values)
    }),
  )
})

const RUNS = { numRuns: runs(30) }

describeDatabases('REST: generated requests', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db, { pageSize: 7 })
  })

  it('returns each row once, in order, over the next links', async () => {
    await fc.assert(
      fc.asyncProperty(validQuery, async (parameters) => {
        const retained = parameters.filter(([name]) => name !== 'page[limit]' && name !== 'include')
        const whole = await rest.get(`/post?${new URLSearchParams([...retained, ['page[limit]', '1000']])}`)
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

  it('responds with 200 to valid queries and repeats the response for the self link', async () => {
    await fc.assert(
      fc.asyncProperty(
        validQuery,
        fc.constantFrom('/post', '/user/2/posts', '/category/1/posts', '/tag'),
        async (parameters, path) => {
          const fitting = path === '/tag' ? parameters.filter(([name]) => name.startsWith('page')) : parameters
          const response = await rest.get(`${path}?${new URLSearchParams(fitting)}`)
          expect(response.status).toBe(200)
          expect((await rest.follow(response.body.links?.['self'])).text).toBe(response.text)
        },
      ),
      RUNS,
    )
  })

  it('rejects garbled parameter names with 400 and never responds with 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(garbledQuery, async ({ query, inName }) => {
        const response = await rest.get(`/post?${new URLSearchParams(query)}`)
        expect(response.status).toBeLessThan(500)
        // A garbled value can be valid search text. A garbled name cannot be valid.
        if (inName) expect(response.status).toBe(400)
      }),
      { numRuns: runs(100) },
    )
  })

  it('accepts any id in bodies, Location, links, linkage and filters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, awkward), fc.boolean(), async (name, isId) => {
        const existing = await db.orm.tag.findUnique({ where: { name } })
        const id = formatId(single, [name])
        const data = { type: 'tag', ...(isId ? { id } : { attributes: { name } }) }
        const created = await rest.post('/tag', { data })
        expect(created.status).toBe(existing ? 409 : 201)
        if (existing) return
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

  it('never responds with 5xx to arbitrary bodies', async () => {
    const path = fc.constantFrom('/post', '/post/1', '/post/1/relationships/tags', '/post/1/relationships/author')
    const before = await db.orm.post.count()
    await fc.assert(
      fc.asyncProperty(document, path, fc.constantFrom('post' as const, 'patch' as const), async (body, to, method) => {
        const response = await rest[method](to, body)
        expect(response.status).toBeLessThan(500)
      }),
      { numRuns: runs(100) },
    )
    expect(await db.orm.post.count()).toBe(before)
  })
})
