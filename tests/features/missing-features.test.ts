import { expect, it } from 'vitest'

import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { commentRest } from '../../fixtures/blog/expected/comment/rest.js'
import { profileRest } from '../../fixtures/blog/expected/profile/rest.js'
import { tagRest } from '../../fixtures/blog/expected/tag/rest.js'
import { tagRpc } from '../../fixtures/blog/expected/tag/rpc.js'
import { accountRest } from '../../fixtures/versions/expected/account/rest.js'
import { accountRpc } from '../../fixtures/versions/expected/account/rpc.js'
import { atomicOperations } from '../../runtime/features/atomic/index.js'
import { computed } from '../../runtime/features/computed/index.js'
import { conditionalRequests } from '../../runtime/features/conditional-requests/index.js'
import { cursorPagination } from '../../runtime/features/cursors/index.js'
import { filterExpressions } from '../../runtime/features/expressions/index.js'
import { fullTextSearch } from '../../runtime/features/full-text/index.js'
import { includedLists } from '../../runtime/features/included-lists/index.js'
import { jsonFilters } from '../../runtime/features/json-filters/index.js'
import { lifecycle } from '../../runtime/features/lifecycle/index.js'
import { minimalResponses } from '../../runtime/features/minimal-responses/index.js'
import { relatedCounts } from '../../runtime/features/related-counts/index.js'
import { transactions } from '../../runtime/features/transactions/index.js'
import { unsafeCast } from '../../runtime/http/unsafe-cast.js'
import type { Dialect } from '../../runtime/prisma/dialect.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

const ENDPOINT = 'https://example.com/api'
const REST = { Comment: commentRest, Post: postRest, Profile: profileRest, Tag: tagRest }

/** The REST features that parse requests, by name. */
const FEATURES = {
  atomic: atomicOperations,
  conditionalRequests: conditionalRequests,
  cursors: cursorPagination,
  expressions: filterExpressions,
  fullText: fullTextSearch,
  includedLists: includedLists,
  jsonFilters: jsonFilters,
  minimalResponses: minimalResponses,
  relatedCounts: relatedCounts,
}

type Name = keyof typeof FEATURES

/** Requests that use a feature, and the code of the error without it. */
const PARAMETERS: readonly (readonly [feature: Name, path: string, code: string])[] = [
  ['cursors', '/post?page[after]=', 'malformed-parameter'],
  ['cursors', '/post?page[before]=', 'malformed-parameter'],
  ['expressions', "/post?filter=equals(id,'1')", 'malformed-parameter'],
  ['expressions', "/post?include=comments&includeFilter[comments]=equals(seq,'1')", 'malformed-parameter'],
  ['includedLists', '/post?include=comments&includeFilter[comments][seq]=1', 'unsupported-parameter'],
  ['includedLists', '/post?include=comments&includeSort[comments]=-seq', 'unsupported-parameter'],
  ['includedLists', '/post/1?include=comments&includePage[comments][limit]=1', 'unsupported-parameter'],
  ['jsonFilters', '/profile?filter[settings.theme]=dark', 'unknown-field'],
  ['jsonFilters', "/profile?filter=equals(settings.theme,'dark')", 'malformed-parameter'],
  ['relatedCounts', '/post?relatedCount=comments', 'unsupported-parameter'],
  ['relatedCounts', '/post/1?relatedCount=comments', 'unsupported-parameter'],
]

const OPERATIONS = { 'atomic:operations': [{ op: 'add', data: { type: 'tag', attributes: { name: 'sea' } } }] }
const UPSERT = {
  data: { type: 'tag', attributes: { name: 'sea' } },
  meta: { operation: 'upsert', matchFields: ['name'] },
}
const ATOMIC_TYPE = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

describeDatabases(
  'API without a feature',
  (db) => {
    const sendWith = (names: readonly Name[]) => {
      const features = names.map((name) => FEATURES[name])
      const handler = restHandler(REST, { endpoint: ENDPOINT }, { provider: db.provider }, features)
      return (path: string, init: RequestInit = {}) =>
        handler.fetch(new Request(`https://example.com${path}`, init), { getOrm: () => db.orm })
    }
    const names = Object.keys(FEATURES).filter((name): name is Name => name in FEATURES)
    const without = (omitted: Name) => sendWith(names.filter((name) => name !== omitted))
    const post = (body: object, headers: Record<string, string>) => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json', ...headers },
      body: JSON.stringify(body),
    })

    it.each(PARAMETERS)('%s: rejects %s', async (feature, path, code) => {
      await db.fill(seedBlog)
      expect((await sendWith(names)(path)).status).toBe(200)
      const response = await without(feature)(path)
      const { errors }: { errors: readonly { code: string }[] } = await response.json()
      expect([response.status, errors[0]?.code]).toEqual([400, code])
    })

    it('fullText: rejects the parameter as unknown', async () => {
      const text = async (send: ReturnType<typeof sendWith>) => (await send('/post?fullText[title]=x')).text()
      expect(await text(without('fullText'))).toContain('Unknown parameter')
      expect(await text(sendWith(names))).not.toContain('Unknown parameter')
    })

    it('omits the parameters of missing features from error details', async () => {
      const detail = async (send: ReturnType<typeof sendWith>, path: string) => (await send(path)).text()
      expect(await detail(sendWith([]), '/post?page[x]=1')).not.toContain('page[after]')
      expect(await detail(sendWith([]), '/post?page[offset]=2000000')).not.toContain('cursor')
      expect(await detail(sendWith([]), '/post?x=1')).toContain('Available: filter, sort, page, include, fields.')
    })

    it('cursors: ignores the profile in Accept', async () => {
      const accept = 'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'
      const type = async (send: ReturnType<typeof sendWith>) =>
        (await send('/post', { headers: { Accept: accept } })).headers.get('Content-Type')
      expect(await type(sendWith(names))).toContain('cursor-pagination')
      expect(await type(without('cursors'))).toBe('application/vnd.api+json')
    })

    it('minimalResponses: ignores the preference', async () => {
      await db.reset()
      const create = (id: string) =>
        post({ data: { type: 'tag', attributes: { name: id } } }, { Prefer: 'return=minimal' })
      const applied = async (send: ReturnType<typeof sendWith>, id: string) => {
        const response = await send('/tag', create(id))
        expect(response.status).toBe(201)
        return response.headers.get('Preference-Applied')
      }
      expect(await applied(sendWith(names), 'a')).toBe('return=minimal')
      expect(await applied(without('minimalResponses'), 'b')).toBeNull()
    })

    it.each([{ 'If-None-Match': '*' }, { 'If-Match': '*' }, { 'If-Match': '"1"' }])(
      'conditionalRequests: rejects writes with the precondition %o',
      async (headers) => {
        await db.reset()
        const response = await without('conditionalRequests')('/tag', post(UPSERT, headers))
        const { errors }: { errors: readonly object[] } = await response.json()
        const [header] = Object.keys(headers)
        expect([response.status, errors]).toEqual([412, [expect.objectContaining({ source: { header } })]])
        expect(await db.orm.tag.count()).toBe(0)
      },
    )

    it.each([
      ['PATCH', '/tag/1', { data: { type: 'tag', id: '1', attributes: { name: 'lake' }, meta: { version: '7' } } }],
      ['PATCH', '/post/1/relationships/tags', { data: [], meta: { version: '7' } }],
      [
        'POST',
        '/operations',
        { 'atomic:operations': [{ op: 'remove', ref: { type: 'tag', id: '1' }, meta: { version: '7' } }] },
      ],
    ])('conditionalRequests: rejects meta.version in %s %s', async (method, path, body) => {
      await db.fill(seedBlog)
      const before = await db.orm.tag.findMany()
      const type = path === '/operations' ? ATOMIC_TYPE : 'application/vnd.api+json'
      const init = { ...post(body, { 'Content-Type': type }), method }
      const response = await without('conditionalRequests')(path, init)
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('has no versions.')])
      expect(await db.orm.tag.findMany()).toEqual(before)
    })

    it.each([
      ['PATCH', '/tag/1', { data: { type: 'tag', id: '1', attributes: { name: 'lake' } } }],
      ['PATCH', '/post/1/relationships/tags', { data: [] }],
      ['DELETE', '/tag/1', undefined],
    ])('conditionalRequests: rejects If-Match in %s %s', async (method, path, body) => {
      await db.fill(seedBlog)
      const headers = { 'Content-Type': 'application/vnd.api+json', 'If-Match': '"1"' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      expect((await without('conditionalRequests')(path, init)).status).toBe(412)
    })

    it('conditionalRequests: creates a resource only if it does not exist', async () => {
      await db.reset()
      const send = () => sendWith(['conditionalRequests'])('/tag', post(UPSERT, { 'If-None-Match': '*' }))
      expect([(await send()).status, (await send()).status]).toEqual([201, 412])
    })

    it('conditionalRequests: ignores the headers of reads', async () => {
      await db.fill(seedBlog)
      const read = without('conditionalRequests')('/post/1', { headers: { 'If-None-Match': '*', 'If-Match': '"1"' } })
      expect((await read).status).toBe(200)
    })

    it('atomic: responds with 404, as to an unknown path', async () => {
      await db.reset()
      const request = () => post(OPERATIONS, { 'Content-Type': ATOMIC_TYPE })
      expect((await without('atomic')('/operations', request())).status).toBe(404)
      expect((await sendWith(names)('/operations', request())).status).toBe(200)
    })

    it('transactions: responds with 404, as to an unknown path', async () => {
      const steps = [{ model: 'Tag', op: 'count' }]
      const send = (features: readonly (typeof transactions)[]) =>
        rpcHandler({ Tag: tagRpc }, {}, { provider: db.provider }, features).fetch(
          new Request(
            'https://example.com/$transaction/sequential',
            post(steps, { 'Content-Type': 'application/json' }),
          ),
          { getOrm: () => db.orm },
        )
      expect((await send([transactions])).status).toBe(200)
      expect((await send([])).status).toBe(404)
    })

    it('lifecycle: responds to the health path as to an unknown path', async () => {
      const send = (features: readonly (typeof lifecycle)[], options: { health?: true }) =>
        restHandler(REST, { endpoint: ENDPOINT, ...options }, { provider: db.provider }, features).fetch(
          new Request('https://example.com/health'),
          { getOrm: () => db.orm },
        )
      expect((await send([lifecycle], { health: true })).status).toBe(200)
      expect((await send([lifecycle], {})).status).toBe(404)
      expect((await send([], {})).status).toBe(404)
    })

    it.each([{ timeout: 1000 }, { maxInFlight: 5 }, { health: true }])(
      'lifecycle: is required by the option %o',
      (options: object) => {
        const advice = (style: string) => `Add "lifecycle" to the list "${style}" of the generator block`
        const rest = { endpoint: ENDPOINT, ...options }
        expect(() => restHandler(REST, rest, { provider: db.provider })).toThrow(advice('rest'))
        expect(() => rpcHandler({ Tag: tagRpc }, options, { provider: db.provider })).toThrow(advice('rpc'))
        expect(restHandler(REST, rest, { provider: db.provider }, [lifecycle])).toBeDefined()
        expect(rpcHandler({ Tag: tagRpc }, options, { provider: db.provider }, [lifecycle])).toBeDefined()
      },
    )

    it.each([{ timeout: undefined }, { health: false }, { computed: undefined }, { atomicOperations: false }])(
      'requires no feature for the option %o',
      (options: object) => {
        expect(restHandler(REST, { endpoint: ENDPOINT, ...options }, { provider: db.provider })).toBeDefined()
      },
    )

    it('can be drained without the feature lifecycle', async () => {
      const handlers = [
        restHandler(REST, { endpoint: ENDPOINT }, { provider: db.provider }),
        rpcHandler({ Tag: tagRpc }, {}, { provider: db.provider }),
      ]
      for (const handler of handlers) {
        await handler.drain()
        const response = await handler.fetch(new Request('https://example.com/tag'), { getOrm: () => db.orm })
        expect([response.status, response.headers.get('Connection')]).toEqual([503, 'close'])
      }
    })

    it.each([
      [{ health: '/operations' }, false],
      [{ health: '/batch/live', atomicOperations: '/batch' }, false],
      [{ health: '/operations', atomicOperations: false }, true],
    ] as const)('lifecycle: does not accept the path of another endpoint: %o', (options, isAccepted) => {
      const make = () =>
        restHandler(REST, { endpoint: ENDPOINT, ...options }, { provider: db.provider }, [lifecycle, atomicOperations])
      if (isAccepted) expect(make).not.toThrow()
      else expect(make).toThrow('is taken')
    })

    it('lifecycle: a health check without raw SQL selects the id, and succeeds without models', async () => {
      const calls: unknown[] = []
      const orm = { post: { findFirst: async (args: unknown) => calls.push(args) } }
      const check = (routes: Parameters<typeof restHandler>[0], client: object) =>
        restHandler(routes, { endpoint: ENDPOINT, health: true }, { provider: db.provider }, [lifecycle]).fetch(
          new Request('https://example.com/health'),
          { getOrm: () => unsafeCast(client) },
        )
      expect((await check({ Post: postRest }, orm)).status).toBe(200)
      expect(calls).toEqual([{ select: { id: true } }])
      expect((await check({}, {})).status).toBe(200)
    })

    it('computed: is required by the option of the same name', () => {
      const options: object = { computed: { Tag: ['label'] } }
      const advice = 'Add "computed" to the list "files" of the generator block'
      const make = (features: readonly (typeof computed)[]) => [
        () => restHandler(REST, { endpoint: ENDPOINT, ...options }, { provider: db.provider }, features),
        () => rpcHandler({ Tag: tagRpc }, options, { provider: db.provider }, features),
      ]
      for (const handler of make([])) expect(handler).toThrow(advice)
      for (const handler of make([computed])) expect(handler).not.toThrow()
    })

    it('throws an error that names the feature that an option requires', () => {
      const make = (options: object) => () =>
        restHandler(REST, { endpoint: ENDPOINT, ...options }, { provider: db.provider })
      expect(make({ atomicOperations: '/batch' })).toThrow('Add "atomic" to the list "rest" of the generator block')
      expect(make({ pagination: 'cursor' })).toThrow('Add "cursors" to the list "rest" of the generator block')
      const options: object = { transactions: true }
      expect(() => rpcHandler({ Tag: tagRpc }, options, { provider: db.provider })).toThrow(
        'Add "transactions" to the list "rpc" of the generator block',
      )
    })
  },
  { only: ['SQLite'] },
)

it('rejects generated code that does not enable the features that the schema requires', () => {
  const rpc = (dialect: Dialect) => () => rpcHandler({ Account: accountRpc }, {}, dialect, [])
  const rest = (dialect: Dialect) => () => restHandler({ Account: accountRest }, { endpoint: ENDPOINT }, dialect, [])
  for (const create of [rpc, rest]) {
    expect(create({ provider: 'sqlite' })).toThrow('The feature "conditionalRequests" is missing. Run prisma generate.')
    expect(create({ provider: 'mysql', previewFeatures: ['relationJoins'] })).toThrow(
      'The feature "loadStrategy" is missing',
    )
  }
})
