import { createHash } from 'node:crypto'

import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

import { Prisma, type Comment, type Post } from '../../../fixtures/bench/client/client.js'
import { ENDPOINT, type Orm } from '../contender.js'
import { firstComments } from '../driver.js'
import { isObject, objectAt, readPost, readStockChange } from './bodies.js'
import {
  collectionDocument,
  includeComment,
  operationResult,
  postText,
  singleDocument,
  startWriting,
  stockText,
} from './documents.js'
import { formatPosts, readData } from './rpc.js'

const TYPE = 'application/vnd.api+json'
const HEADERS = { 'Content-Type': TYPE, Vary: 'Accept', 'Cache-Control': 'private, no-store' }
const CURSOR_HEADERS = {
  ...HEADERS,
  'Content-Type': `${TYPE};profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"`,
}
const ATOMIC_HEADERS = { ...HEADERS, 'Content-Type': `${TYPE};ext="https://jsonapi.org/ext/atomic"` }
const RPC_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-store' }
const ID_ORDER = { id: 'asc' } as const
const KEY_LIFETIME = 24 * 60 * 60 * 1000

/** Creates the endpoints of the measured features: cursors, included lists, atomic operations, idempotent creates and transactions. */
export function featuresApp(orm: Orm): Hono {
  const app = new Hono()

  app.get('/rest/post', async (c) => {
    const query = new URL(c.req.url).searchParams
    const size = readInteger(query.get('page[size]') ?? query.get('page[limit]'))
    return query.has('page[after]')
      ? cursorPage(query.get('page[after]') ?? '', size)
      : postsWithComments(
          size,
          readInteger(query.get('page[offset]')),
          readInteger(query.get('includePage[comments][limit]')),
        )
  })

  app.post('/rest/operations', async (c) => {
    const body: unknown = await c.req.json()
    const operations = isObject(body) ? body['atomic:operations'] : undefined
    if (!Array.isArray(operations)) throw new HTTPException(400, { message: 'There are no operations.' })
    const data = operations.map((operation: unknown) => {
      if (objectAt(operation, 'operation')['op'] !== 'add') throw new HTTPException(400, { message: 'Only add.' })
      return readPost(operation)
    })
    const results = (await createAll(data)).map((post) => {
      const writing = startWriting()
      return operationResult(postText(post, 'data', writing), writing)
    })
    const text = `{"atomic:results":[${results.join(',')}],"jsonapi":{"version":"1.1","ext":["https://jsonapi.org/ext/atomic"]}}`
    return new Response(text, { headers: ATOMIC_HEADERS })
  })

  app.post('/rest/post', async (c) => {
    const text = await c.req.text()
    const key = /^"([^"]{1,255})"$/.exec(c.req.header('Idempotency-Key') ?? '')?.[1]
    if (key === undefined) throw new HTTPException(400, { message: 'The key is missing.' })
    const data = readPost(JSON.parse(text))
    const id = digest(`benchmark ${key}`)
    const fingerprint = digest(`POST ${c.req.path} ${text}`)
    try {
      return await orm.$transaction(async (tx) => {
        const expiresAt = new Date(Date.now() + KEY_LIFETIME)
        await tx.idempotencyKey.create({ data: { id, fingerprint, expiresAt }, select: { id: true } })
        const post = await tx.post.create({ data })
        const writing = startWriting()
        const self = `${ENDPOINT}/post/${post.id}`
        const document = singleDocument(postText(post, 'data', writing), self, writing)
        const response = Buffer.from(JSON.stringify([201, self, document]))
        await tx.idempotencyKey.update({ where: { id }, data: { response }, select: { id: true } })
        return created(self, document)
      })
    } catch (error) {
      const found = isDuplicate(error) ? await orm.idempotencyKey.findUnique({ where: { id } }) : undefined
      if (!found?.response) throw error
      if (found.fingerprint !== fingerprint) throw new HTTPException(422, { message: 'The key is in use.' })
      const [, self, document] = JSON.parse(Buffer.from(found.response).toString()) as [number, string, string]
      return created(self, document)
    }
  })

  app.post('/rpc/$transaction/sequential', async (c) => {
    const operations: unknown = await c.req.json()
    if (!Array.isArray(operations)) throw new HTTPException(400, { message: 'The operations must be a list.' })
    const data = operations.map((operation: unknown) => {
      const { model, op, args } = objectAt(operation, 'operation')
      if (model !== 'Post' || op !== 'create') throw new HTTPException(400, { message: 'Only creates of posts.' })
      return readData(objectAt(args, 'args')['data'])
    })
    return new Response(formatPosts(await createAll(data)), { headers: RPC_HEADERS })
  })

  app.get('/rpc/post/summary', async (c) => {
    const args: unknown = JSON.parse(c.req.query('q') ?? '{}')
    const id = isObject(args) ? args['id'] : undefined
    if (typeof id !== 'number') throw new HTTPException(400, { message: 'The id is missing.' })
    const data = await orm.post.findUniqueOrThrow({ where: { id }, select: { title: true, views: true } })
    return new Response(JSON.stringify({ data }), { headers: RPC_HEADERS })
  })

  return app

  function createAll(data: readonly Prisma.PostUncheckedCreateInput[]): Promise<Post[]> {
    return orm.$transaction(data.map((post) => orm.post.create({ data: post })))
  }

  async function cursorPage(cursor: string, size: number): Promise<Response> {
    const [list, , after] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, number, number]
    const rows = await orm.post.findMany({ where: { id: { gt: after } }, orderBy: ID_ORDER, take: size + 1 })
    const writing = startWriting()
    const toCursor = (id: number) => Buffer.from(JSON.stringify([list, 0, id])).toString('base64url')
    const page = rows.slice(0, size)
    const data = page.map((row, index) => postText(row, `data.${index}`, writing, { cursor: toCursor(row.id) }))
    const toLink = (side: string, at: string) => `"${ENDPOINT}/post?page%5B${side}%5D=${at}&page%5Bsize%5D=${size}"`
    const [first, last] = [page[0], page.at(-1)]
    const links =
      `{"self":${toLink('after', cursor)},"first":${toLink('after', '')},"last":${toLink('before', '')}` +
      `,"prev":${first ? toLink('before', toCursor(first.id)) : 'null'}` +
      `,"next":${rows.length > size && last ? toLink('after', toCursor(last.id)) : 'null'}}`
    const text = collectionDocument(data.join(','), writing, { links, isIncluding: false })
    return new Response(text, { headers: CURSOR_HEADERS })
  }

  /** Uses SQL, because Prisma loads all comments before it applies `take`. */
  async function postsWithComments(size: number, offset: number, limit: number): Promise<Response> {
    const rows = await orm.post.findMany({ orderBy: ID_ORDER, skip: offset, take: size + 1 })
    const posts = rows.slice(0, size)
    const sql = firstComments(
      posts.map(({ id }) => id),
      limit + 1,
    )
    const byPost = new Map<number, Comment[]>(posts.map(({ id }) => [id, []]))
    const found = await orm.$queryRawUnsafe<(Omit<Comment, 'createdAt'> & { createdAt: string | Date })[]>(sql)
    for (const row of found) byPost.get(row.postId)?.push({ ...row, createdAt: new Date(row.createdAt) })
    const writing = startWriting()
    const data = posts.map((post, index) => {
      const all = byPost.get(post.id) ?? []
      const comments = all.slice(0, limit)
      for (const comment of comments) includeComment(comment, writing)
      const page = { limit, hasMore: all.length > limit }
      return postText(post, `data.${index}`, writing, { comments, page })
    })
    const retained = `page%5Btotal%5D=none&include=comments&includePage%5Bcomments%5D%5Blimit%5D=${limit}`
    const toLink = (at: number) => `"${ENDPOINT}/post?${retained}&page%5Boffset%5D=${at}&page%5Blimit%5D=${size}"`
    const links =
      `{"self":"${ENDPOINT}/post?page%5Blimit%5D=${size}&page%5Boffset%5D=${offset}&${retained}"` +
      `,"first":"${ENDPOINT}/post?${retained}&page%5Blimit%5D=${size}","last":null` +
      `,"prev":${offset > 0 ? toLink(Math.max(0, offset - size)) : 'null'}` +
      `,"next":${rows.length > size ? toLink(offset + size) : 'null'}}`
    return new Response(collectionDocument(data.join(','), writing, { links, isIncluding: true }), { headers: HEADERS })
  }
}

/** Creates the endpoints of a versioned resource. The `ETag` is its version. */
export function stockApp(orm: Orm): Hono {
  const app = new Hono()

  app.get('/:id', async (c) => {
    const stock = await orm.stock.findUniqueOrThrow({ where: { id: readInteger(c.req.param('id')) } })
    return versioned(stockText(stock), stock)
  })

  app.patch('/:id', async (c) => {
    const id = readInteger(c.req.param('id'))
    const version = Number(/^"(\d+)"$/.exec(c.req.header('If-Match') ?? '')?.[1])
    const { quantity } = readStockChange(await c.req.json(), id)
    const data = { quantity, version: { increment: 1 } }
    const [stock] = await orm.stock.updateManyAndReturn({ where: { id, version }, data })
    if (!stock) throw new HTTPException(412, { message: 'The stock has changed, or does not exist.' })
    return versioned(stockText(stock), stock)
  })

  return app
}

function versioned(text: string, { id, version }: { readonly id: number; readonly version: number }): Response {
  const headers = { ...HEADERS, 'Cache-Control': 'private, no-cache', ETag: `"${version}"` }
  return new Response(singleDocument(text, `${ENDPOINT}/stock/${id}`, startWriting()), { headers })
}

function created(self: string, document: string): Response {
  return new Response(document, { status: 201, headers: { ...HEADERS, Location: self } })
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function readInteger(text: string | null): number {
  if (text !== null && /^\d{1,9}$/.test(text)) return Number(text)
  throw new HTTPException(400, { message: 'A number is missing.' })
}
