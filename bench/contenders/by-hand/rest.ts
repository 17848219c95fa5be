import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

import type { Comment, Post, Prisma, User } from '../../../fixtures/bench/client/client.js'
import { ENDPOINT, type Orm } from '../contender.js'
import { readPost, readPostChange, readUpsert } from './bodies.js'
import {
  collectionDocument,
  commentText,
  includeComment,
  includeUser,
  postText,
  readingText,
  singleDocument,
  startWriting,
  userText,
} from './documents.js'
import { pageLinks, parseCollectionQuery, inferTotal } from './pages.js'

const HEADERS = {
  'Content-Type': 'application/vnd.api+json',
  Vary: 'Accept',
  'Cache-Control': 'private, no-store',
}
const OK = { headers: HEADERS }
const ID_ORDER = { id: 'asc' } as const

/** Creates the JSON:API endpoints. */
export function restApp(orm: Orm): Hono {
  const app = new Hono()

  app.get('/post', async (c) => {
    const collectionQuery = parseCollectionQuery(c.req.url)
    const where: Prisma.PostWhereInput = {}
    if (collectionQuery.authorId !== undefined) where.authorId = collectionQuery.authorId
    if (collectionQuery.status !== undefined) where.status = collectionQuery.status
    const isAuthor = collectionQuery.include.includes('author')
    const isComments = collectionQuery.include.includes('comments')
    const rows: (Post & { author?: User; comments?: Comment[] })[] = await orm.post.findMany({
      where,
      orderBy:
        collectionQuery.sort === undefined
          ? ID_ORDER
          : [{ createdAt: collectionQuery.sort.startsWith('-') ? 'desc' : 'asc' }, ID_ORDER],
      skip: collectionQuery.offset,
      take: collectionQuery.limit,
      ...(collectionQuery.include.length > 0 && {
        include: { author: isAuthor, ...(isComments && { comments: { orderBy: ID_ORDER } }) },
      }),
    })
    const total = inferTotal(collectionQuery, rows.length) ?? (await orm.post.count({ where }))
    const writing = startWriting()
    let data = ''
    for (const [index, row] of rows.entries()) {
      data += `${index === 0 ? '' : ','}${postText(row, `data.${index}`, writing, { comments: row.comments })}`
    }
    if (collectionQuery.include.length > 0) {
      for (const { author, comments } of rows) {
        if (author) includeUser(author, writing)
        if (comments) for (const comment of comments) includeComment(comment, writing)
      }
    }
    const links = pageLinks(`${ENDPOINT}/post`, collectionQuery, total)
    const isIncluding = collectionQuery.include.length > 0
    return new Response(collectionDocument(data, writing, { total, links, isIncluding }), OK)
  })

  app.get('/post/:id', async (c) => {
    const post = await orm.post.findUnique({ where: { id: readId(c.req.param('id')) } })
    if (!post) throw notFound()
    const writing = startWriting()
    return new Response(singleDocument(postText(post, 'data', writing), `${ENDPOINT}/post/${post.id}`, writing), OK)
  })

  app.post('/post', async (c) => {
    const post = await orm.post.create({ data: readPost(await c.req.json()) })
    const self = `${ENDPOINT}/post/${post.id}`
    const writing = startWriting()
    const headers = { ...HEADERS, Location: self }
    return new Response(singleDocument(postText(post, 'data', writing), self, writing), { status: 201, headers })
  })

  app.patch('/post/:id', async (c) => {
    const id = readId(c.req.param('id'))
    const post = await orm.post.update({ where: { id }, data: readPostChange(await c.req.json(), id) })
    const writing = startWriting()
    return new Response(singleDocument(postText(post, 'data', writing), `${ENDPOINT}/post/${id}`, writing), OK)
  })

  app.get('/post/:id/author', async (c) => {
    const id = readId(c.req.param('id'))
    const post = await orm.post.findUnique({ where: { id }, select: { author: true } })
    if (!post) throw notFound()
    const writing = startWriting()
    const text = userText(post.author, 'data', writing)
    return new Response(singleDocument(text, `${ENDPOINT}/post/${id}/author`, writing), OK)
  })

  app.get('/post/:id/relationships/author', async (c) => {
    const id = readId(c.req.param('id'))
    const post = await orm.post.findUnique({ where: { id }, select: { authorId: true } })
    if (!post) throw notFound()
    const self = `${ENDPOINT}/post/${id}/relationships/author`
    return new Response(singleDocument(`{"type":"user","id":"${post.authorId}"}`, self, startWriting()), OK)
  })

  app.get('/post/:id/comments', async (c) => {
    const postId = readId(c.req.param('id'))
    const collectionQuery = parseCollectionQuery(c.req.url)
    const page = { orderBy: ID_ORDER, skip: collectionQuery.offset, take: collectionQuery.limit }
    const rows = await orm.comment.findMany({ where: { postId }, ...page })
    if (rows.length === 0) await requirePost(postId)
    const total = inferTotal(collectionQuery, rows.length) ?? (await orm.comment.count({ where: { postId } }))
    const writing = startWriting()
    const data = rows.map((row, index) => commentText(row, `data.${index}`, writing)).join(',')
    const links = pageLinks(`${ENDPOINT}/post/${postId}/comments`, collectionQuery, total)
    return new Response(collectionDocument(data, writing, { total, links, isIncluding: false }), OK)
  })

  app.get('/post/:id/relationships/comments', async (c) => {
    const postId = readId(c.req.param('id'))
    const collectionQuery = parseCollectionQuery(c.req.url)
    const page = { orderBy: ID_ORDER, skip: collectionQuery.offset, take: collectionQuery.limit }
    const rows = await orm.comment.findMany({ where: { postId }, select: { id: true }, ...page })
    if (rows.length === 0) await requirePost(postId)
    const total = inferTotal(collectionQuery, rows.length) ?? (await orm.comment.count({ where: { postId } }))
    const data = rows.map(({ id }) => `{"type":"comment","id":"${id}"}`).join(',')
    const links = pageLinks(`${ENDPOINT}/post/${postId}/relationships/comments`, collectionQuery, total)
    return new Response(collectionDocument(data, startWriting(), { total, links, isIncluding: false }), OK)
  })

  app.get('/reading', async (c) => {
    const collectionQuery = parseCollectionQuery(c.req.url)
    const rows = await orm.reading.findMany({
      orderBy: ID_ORDER,
      skip: collectionQuery.offset,
      take: collectionQuery.limit,
    })
    const total = inferTotal(collectionQuery, rows.length) ?? (await orm.reading.count())
    const writing = startWriting()
    const data = rows.map((row, index) => readingText(row, `data.${index}`, writing)).join(',')
    const links = pageLinks(`${ENDPOINT}/reading`, collectionQuery, total)
    return new Response(collectionDocument(data, writing, { total, links, isIncluding: false }), OK)
  })

  // Prisma's `upsert` does not report whether it created a row.
  app.post('/user', async (c) => {
    const { email, name } = readUpsert(await c.req.json())
    const found = await orm.user.findUnique({ where: { email }, select: { id: true } })
    const user = found
      ? await orm.user.update({ where: { id: found.id }, data: { name } })
      : await orm.user.create({ data: { email, name } })
    const self = `${ENDPOINT}/user/${user.id}`
    const writing = startWriting()
    const text = singleDocument(userText(user, 'data', writing), self, writing)
    return new Response(text, found ? OK : { status: 201, headers: { ...HEADERS, Location: self } })
  })

  async function requirePost(id: number): Promise<void> {
    if (!(await orm.post.findUnique({ where: { id }, select: { id: true } }))) throw notFound()
  }

  return app
}

function readId(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw notFound()
  return Number(text)
}

function notFound(): HTTPException {
  return new HTTPException(404, { message: 'There is no such post.' })
}
