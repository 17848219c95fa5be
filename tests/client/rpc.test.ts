import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createRpcClient, RpcError } from '../../client/index.js'
import type { Api } from '../../fixtures/blog/expected/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { blogApp, blogClient, callBy } from './support.js'

/** Returns the error of a call that must fail. */
async function failureOf(call: Promise<unknown>): Promise<RpcError> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error instanceof RpcError) return error
  throw new Error(`No RpcError but ${String(error)}`)
}

describeDatabases('RPC client', (db) => {
  beforeEach(() => db.fill(seedBlog))

  it('returns the same rows as the Prisma client', async () => {
    const { api } = blogClient(db)
    const args = {
      where: { publishedAt: { gte: new Date('2020-01-01') } },
      include: { author: { omit: { password: true } }, category: true, _count: true },
      orderBy: { id: 'asc' },
      take: 5,
    } as const
    const posts = await api.post.findMany({ ...args, include: { ...args.include, author: true } })
    expect(posts).toHaveLength(5)
    expect(posts).toEqual(await db.orm.post.findMany(args))
    expect(posts[0]?.publishedAt).toBeInstanceOf(Date)
    expect(posts.find((post) => post.category)?.category?.readers).toBeTypeOf('bigint')
  })

  it('sends and returns BigInt, Decimal and Bytes values exactly', async () => {
    const { api } = blogClient(db)
    const adPrice = new db.client.Prisma.Decimal('12345678901234.5')
    const name = 'Values'
    const avatar = new Uint8Array([0, 255, 7])
    const created = await api.category.create({ data: { name, adPrice, readers: 2n ** 60n } })
    expect(created).toMatchObject({ name, readers: 2n ** 60n })
    expect(created.adPrice?.equals(adPrice)).toBe(true)
    expect(await api.category.count({ where: { adPrice, readers: { gt: 2n ** 59n } } })).toBe(1)
    const user = await api.user.create({
      data: { email: 'values@example.com', password: 'long enough', profile: { create: { avatar } } },
      include: { profile: true },
    })
    expect(user.profile?.avatar).toEqual(avatar)
    expect(user).not.toHaveProperty('password')
  })

  it('returns Decimals as strings without the decimal option', async () => {
    const api = createRpcClient<Api>({ url: '/api', fetch: blogApp(db).fetch })
    await api.category.create({ data: { name: 'Text', adPrice: '0.10' } })
    expect(await api.category.findUnique({ where: { name: 'Text' }, select: { adPrice: true } })).toEqual({
      adPrice: '0.1',
    })
  })

  it('sends JsonNull, DbNull and AnyNull for Json columns', async () => {
    const { api } = blogClient(db)
    const { JsonNull, DbNull, AnyNull } = db.client.Prisma
    const [first, second] = await api.profile.findMany({ take: 2, orderBy: { id: 'asc' } })
    await api.profile.update({ where: { id: first?.id ?? 0 }, data: { settings: JsonNull } })
    await api.profile.update({ where: { id: second?.id ?? 0 }, data: { settings: DbNull } })
    const ids = async (settings: typeof JsonNull | typeof DbNull | typeof AnyNull) =>
      (await api.profile.findMany({ where: { settings: { equals: settings } } })).map(({ id }) => id)
    expect(await ids(JsonNull)).toEqual([first?.id])
    expect(await ids(DbNull)).toContain(second?.id)
    expect(await ids(AnyNull)).toEqual(expect.arrayContaining([first?.id, second?.id]))
  })

  it('reads with GET up to maxUrlLength and with POST beyond it', async () => {
    const { api, sent } = blogClient(db, { maxUrlLength: 200 })
    await api.tag.findMany({ take: 1 })
    await api.tag.findMany({ where: { name: { in: Array.from({ length: 50 }, (_, index) => `tag-${index}`) } } })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(sent[0]?.url.length).toBeLessThanOrEqual(200)
    expect(sent[1]?.url).toBe('http://localhost/api/tag/findMany')
  })

  it('maps each operation to its HTTP method and path', async () => {
    const { api, sent } = blogClient(db)
    await api.tag.create({ data: { name: 'one' } })
    await api.tag.createMany({ data: [{ name: 'two' }] })
    await api.tag.upsert({ where: { name: 'two' }, create: { name: 'two' }, update: {} })
    await api.tag.update({ where: { name: 'one' }, data: { name: 'three' } })
    await api.tag.updateMany({ where: { name: 'three' }, data: { name: 'four' } })
    await api.tag.delete({ where: { name: 'four' } })
    expect(await api.tag.deleteMany({ where: { name: 'two' } })).toEqual({ count: 1 })
    expect(await api.tag.check({ operation: 'delete' })).toBe(true)
    expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /api/tag/create',
      'POST /api/tag/createMany',
      'POST /api/tag/upsert',
      'PATCH /api/tag/update',
      'PATCH /api/tag/updateMany',
      'DELETE /api/tag/delete',
      'DELETE /api/tag/deleteMany',
      'GET /api/tag/check',
    ])
  })

  describe('undefined arguments', () => {
    it('omits undefined values from reads and rejects them in lists', async () => {
      const { api } = blogClient(db)
      const args = { where: { status: undefined, authorId: { not: undefined } }, take: undefined }
      expect(await callBy(api, 'post', 'count', args)).toBe(await db.orm.post.count())
      await expect(api.post.findMany({ where: { id: { in: [undefined as never] } } })).rejects.toThrow(
        'where.id.in.0 is undefined in an array, which cannot be sent.',
      )
    })

    it('omits undefined values from data and rejects them in write conditions with 400', async () => {
      const { api } = blogClient(db)
      await callBy(api, 'tag', 'create', { data: { name: 'one', posts: undefined } })
      const before = await db.orm.tag.count()
      const error = await failureOf(callBy(api, 'tag', 'deleteMany', { where: { name: undefined } }))
      expect([error.status, error.message]).toEqual([400, 'The value at "where.name" must not be undefined.'])
      expect(await db.orm.tag.count()).toBe(before)
    })
  })

  it('rejects with the status, code and issues of the response', async () => {
    const { api } = blogClient(db)
    const missing = await failureOf(api.post.update({ where: { id: 99_999 }, data: { title: 'x' } }))
    expect(missing).toMatchObject({ name: 'RpcError', status: 404, code: 'P2025', issues: [], rejectedByPolicy: false })
    expect(missing.message).toBe('The record or a related record was not found.')
    const wrong = await failureOf(api.post.create({ data: { slug: 'A b', title: '' } }))
    expect(wrong.status).toBe(422)
    expect(wrong.issues.map(({ path }) => path.join('.'))).toEqual(['data.slug', 'data.title'])
  })
})

const URL_OF_API = 'https://example.com/api/'

/** Creates a `fetch` with predefined responses. */
function mockFetch(...responses: (Response | Error)[]) {
  const sent: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request)
    const response = responses.shift()
    if (response instanceof Response) return response
    throw response ?? new Error('There are no more answers.')
  }
  return { sent, fetch }
}

const fine = (data: unknown) => Response.json({ data })
const busy = (status: number, after?: string) =>
  Response.json({ message: 'Later.' }, { status, ...(after !== undefined && { headers: { 'Retry-After': after } }) })

describe('RPC client calls', () => {
  afterEach(() => vi.useRealTimers())

  it('resolves the client headers for each call and merges the headers of the call', async () => {
    const { sent, fetch } = mockFetch(fine(1), fine(2))
    let token = 0
    const headers = async () => ({ Authorization: `Bearer ${++token}`, 'X-App': 'one' })
    const api = createRpcClient<Api>({ url: URL_OF_API, fetch, headers })
    await api.tag.count()
    await api.tag.count({}, { headers: { 'x-app': 'two' } })
    expect(sent.map(({ headers }) => [headers.get('authorization'), headers.get('x-app')])).toEqual([
      ['Bearer 1', 'one'],
      ['Bearer 2', 'two'],
    ])
    expect(sent[0]?.url).toBe('https://example.com/api/tag/count?q=%7B%7D')
  })

  it('rejects with the abort reason of the signal', async () => {
    const reason = new Error('No more.')
    // This `fetch` ignores the signal.
    const fetch = () => new Promise<Response>(() => undefined)
    const controller = new AbortController()
    const call = createRpcClient<Api>({ url: URL_OF_API, fetch }).tag.count({}, { signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    const late = createRpcClient<Api>({ url: URL_OF_API, fetch }).tag.count({}, { signal: controller.signal })
    await expect(late).rejects.toBe(reason)
  })

  it('retries a read after a network error and after a 503 with Retry-After', async () => {
    vi.useFakeTimers()
    const { sent, fetch } = mockFetch(new TypeError('fetch failed'), busy(503, '2'), fine(7))
    const call = createRpcClient<Api>({ url: URL_OF_API, fetch }).tag.count()
    // The delay is between 0.1 and 0.3 seconds.
    await vi.advanceTimersByTimeAsync(300)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1500)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(500)
    expect(await call).toBe(7)
    expect(sent).toHaveLength(3)
  })

  it.each([
    ['503 without Retry-After', busy(503)],
    ['429 with Retry-After of one hour', busy(429, '3600')],
    ['500 with Retry-After', busy(500, '1')],
  ])('%s: does not retry the call', async (_, response) => {
    const { sent, fetch } = mockFetch(response)
    const error = await failureOf(createRpcClient<Api>({ url: URL_OF_API, fetch }).tag.count())
    expect(error.message).toBe('Later.')
    expect(sent).toHaveLength(1)
  })

  it('does not retry a write, or a read with retries: 0', async () => {
    const write = mockFetch(busy(503, '1'))
    const busyError = await failureOf(
      createRpcClient<Api>({ url: URL_OF_API, fetch: write.fetch }).tag.create({ data: { name: 'a' } }),
    )
    expect(busyError).toMatchObject({ status: 503, retryAfter: 1 })
    const unreachable = mockFetch(new TypeError('fetch failed'))
    const error = await failureOf(
      createRpcClient<Api>({ url: URL_OF_API, fetch: unreachable.fetch, retries: 0 }).tag.count(),
    )
    expect(error).toMatchObject({ status: 0, code: 'network-error', cause: new TypeError('fetch failed') })
    expect(error.message).toBe('No response to GET https://example.com/api/tag/count: fetch failed')
  })

  it.each([
    [
      'HTML page',
      new Response('<html><h1>Bad gateway', { status: 502, headers: { 'Content-Type': 'text/html' } }),
      502,
    ],
    ['empty body', new Response(null, { status: 200 }), 200],
    ['JSON array', Response.json([1]), 200],
    ['object without data', Response.json({ hello: 1 }), 200],
    ['error without message', Response.json({ error: 'x' }, { status: 500 }), 500],
  ])('%s: rejects with a message about the malformed response', async (_, response, status) => {
    const { fetch } = mockFetch(response)
    const error = await failureOf(createRpcClient<Api>({ url: URL_OF_API, fetch }).tag.count())
    expect(error).toMatchObject({ status, code: 'malformed-response' })
    expect(error.message).toMatch(/^The response \(\d+, [^)]+\) (is empty|starts with ".+")\. Check the url/)
  })

  it('rejects with a network error if the response body is aborted', async () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new Error('reset')) })
    const { fetch } = mockFetch(new Response(body))
    const error = await failureOf(createRpcClient<Api>({ url: URL_OF_API, fetch }).tag.count())
    expect(error).toMatchObject({ status: 0, code: 'network-error', message: 'The response was cut off.' })
  })

  it('requires a url and returns a client that is not thenable', async () => {
    const api = createRpcClient<Api>({ url: URL_OF_API })
    expect(await Promise.resolve(api)).toBe(api)
    expect(JSON.stringify(api)).toBe('{}')
    expect(api.post.findMany).toBe(api.post.findMany)
    expect(() => createRpcClient<Api>({} as { url: string })).toThrow('url must be the URL of the API')
  })
})
