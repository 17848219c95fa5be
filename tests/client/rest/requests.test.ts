import { describe, expect, it } from 'vitest'

import { createRestClient, type Fetch, json, RestError } from '../../../client/index.js'
import { type Blog, blogClient, blogGraph, URL } from './apis.js'
import { recorded } from './serve.js'

const HEADERS = { 'Content-Type': 'application/vnd.api+json' }

/** Creates a `fetch` that always returns the same response. */
const answering = (body: unknown, init: ResponseInit = {}) =>
  recorded(() => new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers: HEADERS, ...init }))

const empty = () => answering({ data: [], meta: { total: 0 }, links: {} })

/** Returns the decoded query of a request. */
async function queryOf(send: (rest: ReturnType<typeof blogClient>) => Promise<unknown>): Promise<[string, string][]> {
  const fetch = empty()
  await send(blogClient(fetch))
  return [...new globalThis.URL(fetch.requests[0]?.url ?? '').searchParams]
}

describe('REST client: requests', () => {
  it('serializes filters as flat query parameters', async () => {
    const query = await queryOf((rest) =>
      rest.post.list({
        filter: {
          title: ['a,b', 'c\\d'],
          viewCount: { gte: 1, lt: 2 },
          publishedAt: null,
          author: { name: { contains: 'x' }, profile: { settings: json(['a', 'b']) } },
          comments: { createdAt: { gt: new Date(0) } },
        },
      }),
    )
    expect(query).toEqual([
      ['filter[title]', 'a\\,b,c\\\\d'],
      ['filter[viewCount][gte]', '1'],
      ['filter[viewCount][lt]', '2'],
      ['filter[publishedAt][isNull]', 'true'],
      ['filter[author][name][contains]', 'x'],
      ['filter[author][profile][settings]', '["a","b"]'],
      ['filter[comments][createdAt][gt]', '1970-01-01T00:00:00.000Z'],
    ])
  })

  it('serializes search, sort, page, include and fields as query parameters', async () => {
    const query = await queryOf((rest) =>
      rest.post.list({
        fullText: { fields: ['title', 'content'], search: 'fox & dog' },
        sort: ['-viewCount', 'author.name'],
        include: ['author', 'comments.author'],
        fields: { post: [], user: ['name', 'role'] },
        page: { offset: 20, limit: undefined },
      }),
    )
    expect(query).toEqual([
      ['fullText[title,content]', 'fox & dog'],
      ['sort', '-viewCount,author.name'],
      ['page[offset]', '20'],
      ['include', 'author,comments.author'],
      ['fields[post]', ''],
      ['fields[user]', 'name,role'],
    ])
    expect(
      await queryOf((rest) => rest.post.list({ filter: {}, sort: [], include: [], fields: {}, page: {} })),
    ).toEqual([])
  })

  it.each([
    ['undefined condition', { title: undefined }, 'filter[title] is undefined'],
    [
      'nested undefined condition',
      { author: { name: { contains: undefined } } },
      'filter[author][name][contains] is undefined',
    ],
    ['empty condition', { author: {} }, 'filter[author] has no condition'],
    ['empty list', { id: [] }, 'filter[id] must not be empty'],
    ['list with null', { title: ['a', null] }, 'filter[title] has an invalid value'],
    ['NaN', { viewCount: NaN }, 'NaN'],
    ['invalid Date', { publishedAt: new Date('x') }, 'invalid Date'],
    ['function', { title: () => 'a' }, 'function'],
  ])('%s in a filter: rejects the call without sending a request', async (_what, filter, message) => {
    const fetch = empty()
    await expect(blogClient(fetch).post.list({ filter: filter as never })).rejects.toThrow(message)
    expect(fetch.requests).toEqual([])
  })

  it.each([
    ['unknown query option', () => blogClient().post.list({ where: {} } as never), 'Unknown query option "where"'],
    ['empty id', () => blogClient().post.delete(''), '"" is not an id'],
    ['undefined id', () => blogClient().post.get(undefined as never), 'undefined is not an id'],
    ['fractional id', () => blogClient().post.get(1.5), '1.5 is not an id'],
    [
      'boolean as a relationship',
      () => blogClient().post.update(1, { author: true } as never),
      'The relationship "author" must be an id',
    ],
    ['json(undefined)', async () => json(undefined), 'must be representable as JSON'],
  ])('%s: rejects the call', async (_what, call: () => Promise<unknown>, message) => {
    await expect(call()).rejects.toThrow(message)
  })

  it('sends write bodies as JSON:API documents', async () => {
    const fetch = answering({ data: { type: 'post', id: '1' } }, { status: 201 })
    const rest = blogClient(fetch)
    await rest.post.create({ slug: 'a', title: 'A', publishedAt: new Date(0), author: 1n, tags: ['x', { id: 'y' }] })
    await rest.comment.upsert({ post: 1, seq: 2, body: 'b' }, { match: ['postId', 'seq'] })
    await rest.post.update(1, { title: 'B' })
    await rest.post.relationship(1, 'author').replace(null)
    const sent = await Promise.all(fetch.requests.map((request) => request.json()))
    expect(sent).toEqual([
      {
        data: {
          type: 'post',
          attributes: { slug: 'a', title: 'A', publishedAt: '1970-01-01T00:00:00.000Z' },
          relationships: {
            author: { data: { type: 'user', id: '1' } },
            tags: {
              data: [
                { type: 'tag', id: 'x' },
                { type: 'tag', id: 'y' },
              ],
            },
          },
        },
      },
      {
        data: {
          type: 'comment',
          attributes: { seq: 2, body: 'b' },
          relationships: { post: { data: { type: 'post', id: '1' } } },
        },
        meta: { operation: 'upsert', matchFields: ['postId', 'seq'] },
      },
      { data: { type: 'post', id: '1', attributes: { title: 'B' }, relationships: {} } },
      { data: null },
    ])
    expect(fetch.requests.map(({ method, headers }) => [method, headers.get('Content-Type')])).toEqual([
      ['POST', HEADERS['Content-Type']],
      ['POST', HEADERS['Content-Type']],
      ['PATCH', HEADERS['Content-Type']],
      ['PATCH', HEADERS['Content-Type']],
    ])
  })

  it('merges the headers of the client and the call', async () => {
    const fetch = empty()
    let calls = 0
    const headers = async () => ({ Authorization: `Bearer ${++calls}`, 'X-A': 'client' })
    const rest = createRestClient<Blog>({ url: URL, graph: blogGraph, fetch, headers })
    await rest.post.list({}, { headers: { 'X-A': 'call' } })
    await rest.post.list()
    const seen = fetch.requests.map(({ headers }) =>
      ['authorization', 'x-a', 'accept'].map((name) => headers.get(name)),
    )
    expect(seen).toEqual([
      ['Bearer 1', 'call', HEADERS['Content-Type']],
      ['Bearer 2', 'client', HEADERS['Content-Type']],
    ])
  })

  it('retries a read after a 503 with Retry-After, but not a write', async () => {
    const busy = (body: unknown) => {
      let count = 0
      return recorded(() => {
        const errors = [{ code: 'overloaded', status: 503, detail: 'Too busy.' }]
        if (count++ > 0) return new Response(JSON.stringify(body), { headers: HEADERS })
        return new Response(JSON.stringify({ errors }), { status: 503, headers: { ...HEADERS, 'Retry-After': '0' } })
      })
    }
    const read = busy({ data: [] })
    expect(await blogClient(read).tag.list()).toHaveLength(0)
    const write = busy({ data: null })
    await expect(blogClient(write).tag.create({ name: 'a' })).rejects.toMatchObject({
      status: 503,
      code: 'overloaded',
      retryAfter: 0,
      message: 'Too busy.',
    })
    expect([read.requests.length, write.requests.length]).toEqual([2, 1])
  })

  it('rejects with the abort reason of the signal', async () => {
    const hanging: Fetch = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const controller = new AbortController()
    const call = blogClient(hanging).post.list({}, { signal: controller.signal })
    controller.abort(new Error('Never mind.'))
    await expect(call).rejects.toThrow('Never mind.')
  })
})

describe('REST client: malformed responses', () => {
  it.each([
    ['HTML page of a proxy', '<html>Bad gateway', 502],
    ['empty body', '', 200],
    ['unexpected JSON object', { hello: 'world' }, 200],
    ['JSON array', [], 200],
    ['error of another API', { message: 'Not found' }, 404],
    ['null instead of a list', { data: null }, 200],
    ['null instead of an error', { errors: [null] }, 500],
    ['null after an error', { errors: [{}, null] }, 500],
  ])('%s: rejects with a RestError without field errors', async (_what, body, status) => {
    const error = await blogClient(answering(body, { status }))
      .post.list()
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(RestError)
    expect(error).toMatchObject({ status, code: 'malformed-response', errors: [], fields: {} })
  })

  it('parses errors with string statuses and escaped pointers', async () => {
    const errors = [
      {
        status: '403',
        code: 'forbidden',
        title: 'Forbidden',
        meta: { ormCode: 'P2004', reason: 'ACCESS_POLICY_VIOLATION' },
      },
      { status: '422', code: 'invalid-value', detail: 'Too long.', source: { pointer: '/data/attributes/a~1b~0c/0' } },
    ]
    const error = await blogClient(answering({ errors }, { status: 400 }))
      .tag.create({ name: 'a' })
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ status: 400, rejectedByPolicy: true, message: 'Forbidden Too long.' })
    expect(error).toMatchObject({ fields: { 'a/b~c': [{ message: 'Too long.' }] } })
  })
})
