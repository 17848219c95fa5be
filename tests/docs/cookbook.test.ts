import { createHash, createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'

import type { Caller } from '../../examples/workspace/caller.js'
import type * as WorkspaceClient from '../../fixtures/workspace/client/client.js'
import type * as WorkspaceHono from '../../fixtures/workspace/expected/hono.js'
import type * as WorkspaceHooks from '../../fixtures/workspace/expected/hooks.js'
import type * as WorkspaceRoutes from '../../fixtures/workspace/expected/index.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { documentedFiles, makeDocumentedApp } from './support/documented-app.js'
import { blocksOfKind } from './support/kinds.js'
import { ROOT } from './support/pages.js'

interface OutboxEvent {
  readonly id: number
  readonly topic: string
  readonly payload: unknown
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly deliveredAt: Date | null
}

/** The workspace's client with the table that the page adds. */
type Orm = WorkspaceClient.PrismaClient & {
  readonly outboxEvent: {
    findMany(args?: object): Promise<OutboxEvent[]>
    updateMany(args: object): Promise<unknown>
  }
}

interface Storage {
  write(key: string, content: Uint8Array): Promise<void>
  read(key: string): Promise<Uint8Array | undefined>
}

interface DeliverOptions {
  readonly url: string
  readonly secret: string
  readonly send: (url: string, init: RequestInit) => Promise<Response>
}

const files = documentedFiles('cookbook')
const app = await makeDocumentedApp({
  ...files,
  ...Object.fromEntries(blocksOfKind('recipe').map(({ marker, text }) => [marker.replace('recipe: ', ''), text])),
  'prisma/schema.prisma': workspaceSchema() + files['prisma/schema.prisma'],
})
const [client, hono, hooks, routes, documented, storages, outboxes, limits, replicas] = await Promise.all([
  app.load<{ PrismaClient: new (options: object) => Orm }>('src/generated/prisma/client.ts'),
  app.load<typeof WorkspaceHono>('src/routes/hono.ts'),
  app.load<typeof WorkspaceHooks>('src/routes/hooks.ts'),
  app.load<typeof WorkspaceRoutes>('src/routes/index.ts'),
  app.load<{ createApp(options: object): Hono }>('src/app.ts'),
  app.load<{ folderStorage(folder: string): Storage }>('src/files.ts'),
  app.load<{
    outbox: WorkspaceHooks.AppHooks<Caller>
    deliver(orm: Orm, options: DeliverOptions): Promise<number>
  }>('src/outbox.ts'),
  app.load<{ rateLimit(options: object): MiddlewareHandler }>('src/rate-limit.ts'),
  app.load<{
    trackWrites: MiddlewareHandler
    replicated(primary: Orm, replica: Orm): (c: Context, caller: Caller) => Orm
  }>('src/replicas.ts'),
])

const MEDIA_TYPE = 'application/vnd.api+json'
const ANN = caller(1)
/** A caller of another team. */
const CAT = caller(3)

const disconnects: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const disconnect of disconnects.splice(0)) await disconnect()
})

describe('docs cookbook', () => {
  it('shows files that compile in one app', async () => {
    expect(await app.project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('combines the hooks of the recipes', async () => {
    const { orm, send } = await serve()
    const created = await send('/api/document', ANN, 'POST', { type: 'document', attributes: { title: 'Big Plan' } })
    expect(created.status).toBe(201)
    const row = await orm.document.findFirstOrThrow({ where: { title: 'Big Plan' } })
    expect(row).toMatchObject({ teamId: 1, ownerId: 1, slug: expect.stringMatching(/^big-plan-/) })
    expect((await send('/api/document/3', ANN)).status).toBe(404)
    expect((await send('/api/document/1', ANN, 'DELETE')).status).toBe(204)
    expect((await send('/api/document/1', ANN)).status).toBe(404)
    expect(await orm.document.count()).toBe(4)
  })
})

describe('docs cookbook: outbox', () => {
  it('stores an event for each change, which only admins can read', async () => {
    const { orm, send } = await serve()
    await send('/api/document/1', ANN, 'PATCH', { type: 'document', id: '1', attributes: { title: 'Changed' } })
    expect(await orm.outboxEvent.findMany()).toMatchObject([
      { topic: 'document.updated', payload: { id: 1, title: 'Changed' }, deliveredAt: null },
    ])
    expect(await (await send('/api/outboxevent', ANN)).json()).toMatchObject({ data: [] })
    expect(await (await send('/api/outboxevent', caller(2, { isAdmin: true }))).json()).toMatchObject({
      data: [{ attributes: { topic: 'document.updated' } }],
    })
    const forged = { type: 'outboxevent', attributes: { topic: 'document.created', payload: {} } }
    expect((await send('/api/outboxevent', ANN, 'POST', forged)).status).toBe(405)
  })

  it('stores no event if the change is rolled back', async () => {
    const { orm } = await open()
    const failure: WorkspaceHooks.AppHooks<Caller> = {
      Document: {
        update: {
          after: async ({ client: transaction }) => {
            const { outboxEvent } = transaction as unknown as Orm
            expect(await outboxEvent.findMany()).toHaveLength(1)
            throw new Error('A later hook fails.')
          },
        },
      },
    }
    const handler = routes.RPCApiHandler({ hooks: hooks.defineHooks<Caller>(outboxes.outbox, failure) })
    const rpc = hono.createHonoHandler({ handler, context: () => caller(2, { isAdmin: true }), getOrm: () => orm })
    const response = await rpc.request('/document/update', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ where: { id: 1 }, data: { title: 'Lost' } }),
    })
    expect(response.status).toBe(500)
    expect(await orm.outboxEvent.findMany()).toEqual([])
    expect(await orm.document.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ title: 'One' })
  })

  it('delivers each event once, with a signature', async () => {
    const { orm, send } = await serve()
    for (const title of ['A', 'B', 'C']) {
      await send('/api/document', ANN, 'POST', { type: 'document', attributes: { title } })
    }
    const sent: string[] = []
    const options = {
      url: 'https://example.com/hook',
      secret: 'key',
      send: async (_: string, { body, headers }: RequestInit) => {
        sent.push(String(body))
        const signature = createHmac('sha256', 'key').update(String(body)).digest('hex')
        expect(headers).toMatchObject({ 'X-Signature': signature })
        return new Response()
      },
    }
    const counts = await Promise.all([outboxes.deliver(orm, options), outboxes.deliver(orm, options)])
    expect(counts[0] + counts[1]).toBe(3)
    expect(sent.map((text) => JSON.parse(text).payload.title).sort()).toEqual(['A', 'B', 'C'])
    expect(await outboxes.deliver(orm, options)).toBe(0)
  })

  it('sends an event again after a failure', async () => {
    const { orm, send } = await serve()
    await send('/api/document', ANN, 'POST', { type: 'document', attributes: { title: 'A' } })
    const options = { url: 'https://example.com/hook', secret: 'key' }
    const before = Date.now()
    expect(await outboxes.deliver(orm, { ...options, send: () => Promise.reject(new Error('offline')) })).toBe(0)
    const [event] = await orm.outboxEvent.findMany()
    expect(event).toMatchObject({ attempts: 1, deliveredAt: null })
    expect(event?.nextAttemptAt.getTime()).toBeGreaterThanOrEqual(before + 60_000)
    const succeeding = { ...options, send: async () => new Response() }
    expect(await outboxes.deliver(orm, succeeding)).toBe(0)
    await orm.outboxEvent.updateMany({ data: { nextAttemptAt: new Date(before) } })
    expect(await outboxes.deliver(orm, succeeding)).toBe(1)
    expect(await orm.outboxEvent.findMany()).toMatchObject([{ attempts: 2, deliveredAt: expect.any(Date) }])
  })
})

describe('docs cookbook: files', () => {
  const content = Uint8Array.from({ length: 1000 }, (_, at) => at % 256)

  it('stores the content of an attachment', async () => {
    const { orm, send, upload } = await serve()
    expect((await send('/api/attachment/1/content', ANN)).status).toBe(404)
    const uploaded = await upload('/files/1', ANN, content)
    expect(await uploaded.json()).toMatchObject({ data: { id: '1', attributes: { size: 1000 } } })
    const { checksum } = await orm.attachment.findUniqueOrThrow({ where: { id: 1 } })
    expect(Buffer.from(checksum ?? [])).toEqual(createHash('sha256').update(content).digest())
    const downloaded = await send('/api/attachment/1/content', ANN)
    expect(downloaded.status).toBe(200)
    expect(new Uint8Array(await downloaded.arrayBuffer())).toEqual(content)
    expect(Object.fromEntries(downloaded.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''a.pdf",
      'cache-control': 'private, no-store',
    })
  })

  it('rejects callers who cannot change the attachment', async () => {
    const { send, upload, folder } = await serve()
    expect((await upload('/files/1', undefined, content)).status).toBe(401)
    expect((await upload('/files/1', CAT, content)).status).toBe(404)
    expect((await upload('/files/..%2F1', ANN, content)).status).toBe(404)
    expect((await upload('/files/1', ANN, new Uint8Array(10 * 1024 * 1024 + 1))).status).toBe(413)
    expect(readdirSync(path.dirname(folder))).not.toContain(path.basename(folder))
    await upload('/files/1', ANN, content)
    expect((await send('/api/attachment/1/content', CAT)).status).toBe(404)
  })
})

describe('docs cookbook: public reads', () => {
  it('are cacheable and conditional', async () => {
    const { orm, get } = await serve()
    await orm.document.update({ where: { id: 1 }, data: { state: 'published' } })
    const first = await get('/public/document')
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=60')
    expect(await first.json()).toMatchObject({ data: [{ id: '1', attributes: { title: 'One' } }] })
    const etag = first.headers.get('ETag') ?? ''
    const second = await get('/public/document', { 'If-None-Match': etag })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(second.headers.get('Cache-Control')).toBe('public, max-age=60')
    await orm.document.update({ where: { id: 1 }, data: { title: 'Changed' } })
    expect((await get('/public/document', { 'If-None-Match': etag })).status).toBe(200)
  })

  it('contain only the listed rows and fields', async () => {
    const { orm, app: served, get } = await serve()
    await orm.document.update({ where: { id: 1 }, data: { state: 'published' } })
    const { data } = (await (await get('/public/document/1')).json()) as { data: { attributes: object } }
    expect(Object.keys(data.attributes).sort()).toEqual(['slug', 'state', 'title'])
    const hidden = await get('/public/document/2')
    expect([hidden.status, hidden.headers.get('Cache-Control')]).toEqual([404, 'private, no-store'])
    expect(await (await get('/public/person')).json()).toMatchObject({ data: [] })
    const remove = await served.request('/public/document/1', { method: 'DELETE' })
    expect([remove.status, remove.headers.get('Cache-Control')]).toEqual([403, 'private, no-store'])
  })
})

it('docs cookbook: rate limit rejects requests above the limit until the window ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const keyOf = (c: Context) => c.req.header('X-Real-IP') ?? ''
  const limited = new Hono().use(limits.rateLimit({ requests: 2, seconds: 60, keyOf })).get('/', (c) => c.text('ok'))
  const status = async (address: string) => (await limited.request('/', { headers: { 'X-Real-IP': address } })).status
  expect([await status('a'), await status('a'), await status('a'), await status('b')]).toEqual([200, 200, 429, 200])
  vi.advanceTimersByTime(20_000)
  const rejected = await limited.request('/', { headers: { 'X-Real-IP': 'a' } })
  expect(rejected.headers.get('Retry-After')).toBe('40')
  const message = 'Only 2 requests are allowed in 60 seconds.'
  expect(await rejected.json()).toMatchObject({ message, errors: [{ code: 'too-many-requests', detail: message }] })
  vi.advanceTimersByTime(40_000)
  expect(await status('a')).toBe(200)
})

it('docs cookbook: replicas serve reads, except after a write of the caller', async () => {
  const [primary, replica] = [await open(), await open()]
  await replica.orm.document.update({ where: { id: 1 }, data: { title: 'Stale' } })
  const served = new Hono().use(replicas.trackWrites).route(
    '/',
    hono.createHonoHandler({
      handler: routes.RestApiHandler({ endpoint: 'http://localhost' }),
      context: () => ANN,
      getOrm: replicas.replicated(primary.orm, replica.orm),
    }),
  )
  const title = async (Cookie = '') => {
    const response = await served.request('/document/1', { headers: { Cookie } })
    return ((await response.json()) as { data: { attributes: { title: string } } }).data.attributes.title
  }
  expect(await title()).toBe('Stale')
  const body = JSON.stringify({ data: { type: 'document', id: '1', attributes: { title: 'New' } } })
  const written = await served.request('/document/1', {
    method: 'PATCH',
    headers: { 'Content-Type': MEDIA_TYPE },
    body,
  })
  expect(await written.json()).toMatchObject({ data: { attributes: { title: 'New' } } })
  const cookie = written.headers.get('Set-Cookie') ?? ''
  expect(cookie).toMatch(/^wrote=1; Max-Age=10;/)
  expect([await title(), await title(cookie.split(';')[0])]).toEqual(['Stale', 'New'])
})

/** The schema of the example with the folders of an app. */
function workspaceSchema(): string {
  return readFileSync(path.join(ROOT, 'fixtures/workspace/schema.prisma'), 'utf8')
    .replace('"./client"', '"../src/generated/prisma"')
    .replace('"./expected"', '"../src/routes"')
}

function caller(id: number, more: Partial<Caller> = {}): Caller {
  return { id, teamId: id === 3 ? 2 : 1, isAdmin: false, seesArchive: false, mail: () => {}, ...more }
}

let databases = 0

/** Creates a database with the rows of the workspace. */
async function open() {
  const name = `test-${++databases}`
  const url = await app.createDatabase(`${name}.db`)
  const orm = new client.PrismaClient({ adapter: new PrismaLibSql({ url, intMode: 'bigint' }) })
  disconnects.push(() => orm.$disconnect())
  await fillWorkspace({ orm })
  return { orm, folder: path.join(app.project.folder, `${name}-files`) }
}

/** Serves the app of the page. Its callers are JSON in the `Authorization` header. */
async function serve() {
  const { orm, folder } = await open()
  const { httpError } = await import('../../runtime/index.js')
  const served = documented.createApp({
    orm,
    origin: 'http://localhost',
    storage: storages.folderStorage(folder),
    callerOf: async (request: Request) => {
      const text = request.headers.get('Authorization')
      if (!text) throw httpError(401, 'Log in first.')
      return JSON.parse(text)
    },
  })
  const authorization = (who?: Caller): Record<string, string> => (who ? { Authorization: JSON.stringify(who) } : {})
  return {
    orm,
    folder,
    app: served,
    get: async (url: string, headers: Record<string, string> = {}) => served.request(url, { headers }),
    send: async (url: string, who: Caller, method = 'GET', data?: object) => {
      const headers = { ...authorization(who), 'Content-Type': MEDIA_TYPE }
      return served.request(url, { method, headers, ...(data && { body: JSON.stringify({ data }) }) })
    },
    upload: async (url: string, who: Caller | undefined, body: Uint8Array<ArrayBuffer>) =>
      served.request(url, { method: 'PUT', headers: authorization(who), body }),
  }
}
