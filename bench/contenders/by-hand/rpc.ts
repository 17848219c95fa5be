import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

import type { Comment, Post, Prisma, User } from '../../../fixtures/bench/client/client.js'
import type { Orm } from '../contender.js'
import { isObject, isStatus } from './bodies.js'

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-store' }
const OK = { headers: HEADERS }
const CREATED_RESPONSE = { status: 201, headers: HEADERS }
const MAX_ROWS = 1000

/** Creates the RPC endpoints that the benchmark uses. */
export function rpcApp(orm: Orm): Hono {
  const app = new Hono()

  app.get('/post/findMany', async (c) => {
    const { where, include, orderBy, take = MAX_ROWS } = readQuery(c.req.query('q'))
    if (typeof take !== 'number' || take > MAX_ROWS) throw new HTTPException(400, { message: 'take is too large.' })
    const rows: (Post & Related)[] = await orm.post.findMany({
      ...(where !== undefined && { where: readWhere(where) }),
      ...(include !== undefined && { include: readInclude(include) }),
      ...(orderBy !== undefined && { orderBy: readOrder(orderBy) }),
      take,
    })
    return new Response(formatPosts(rows), OK)
  })

  app.get('/post/findUnique', async (c) => {
    const { where } = readQuery(c.req.query('q'))
    if (!isObject(where) || typeof where['id'] !== 'number') throw new HTTPException(400, { message: 'No id.' })
    const post = await orm.post.findUnique({ where: { id: where['id'] } })
    const notes: string[] = []
    return new Response(successBody(post ? postText(post, '', notes) : 'null', notes), OK)
  })

  app.post('/post/create', async (c) => {
    const body: unknown = await c.req.json()
    const post = await orm.post.create({ data: readData(isObject(body) ? body['data'] : undefined) })
    const notes: string[] = []
    return new Response(successBody(postText(post, '', notes), notes), CREATED_RESPONSE)
  })

  return app
}

/** Returns the response to posts. */
export function formatPosts(rows: readonly (Post & Related)[]): string {
  const notes: string[] = []
  const data = rows.map((row, index) => postText(row, `${index}.`, notes)).join(',')
  return successBody(`[${data}]`, notes)
}

interface Related {
  author?: User
  comments?: Comment[]
}

const quote = JSON.stringify

function successBody(data: string, notes: readonly string[]): string {
  return notes.length === 0
    ? `{"data":${data}}`
    : `{"data":${data},"meta":{"serialization":{"values":{${notes.join(',')}},"v":1}}}`
}

function postText(post: Post & Related, path: string, notes: string[]): string {
  notes.push(`"${path}createdAt":["Date"]`)
  const { author, comments } = post
  return (
    `{"id":${post.id},"slug":${quote(post.slug)},"title":${quote(post.title)},"body":${quote(post.body)}` +
    `,"status":"${post.status}","views":${post.views},"createdAt":"${post.createdAt.toISOString()}"` +
    `,"authorId":${post.authorId}${author ? `,"author":${userText(author, `${path}author.`, notes)}` : ''}` +
    `${comments ? `,"comments":[${comments.map((comment, index) => commentText(comment, `${path}comments.${index}.`, notes)).join(',')}]` : ''}}`
  )
}

function userText(user: User, path: string, notes: string[]): string {
  notes.push(`"${path}createdAt":["Date"]`)
  return (
    `{"id":${user.id},"email":${quote(user.email)},"name":${quote(user.name)},"bio":${quote(user.bio)}` +
    `,"createdAt":"${user.createdAt.toISOString()}"}`
  )
}

function commentText(comment: Comment, path: string, notes: string[]): string {
  notes.push(`"${path}createdAt":["Date"]`)
  return (
    `{"id":${comment.id},"body":${quote(comment.body)},"createdAt":"${comment.createdAt.toISOString()}"` +
    `,"postId":${comment.postId},"authorId":${comment.authorId}}`
  )
}

function readQuery(q: string | undefined): Readonly<Record<string, unknown>> {
  const args: unknown = JSON.parse(q ?? '{}')
  if (isObject(args)) return args
  throw new HTTPException(400, { message: 'The arguments must be an object.' })
}

function readWhere(where: unknown): Prisma.PostWhereInput {
  const { authorId, status } = isObject(where) ? where : {}
  return {
    ...(typeof authorId === 'number' && { authorId }),
    ...(isStatus(status) && { status }),
  }
}

function readInclude(include: unknown): Prisma.PostInclude {
  const { author, comments } = isObject(include) ? include : {}
  return { author: author === true, comments: comments === true }
}

function readOrder(order: unknown): Prisma.PostOrderByWithRelationInput {
  const { id } = isObject(order) ? order : {}
  return id === 'asc' || id === 'desc' ? { id } : {}
}

/** Parses the data of a new post. */
export function readData(data: unknown): Prisma.PostUncheckedCreateInput {
  const { slug, title, body, status = 'DRAFT', authorId } = isObject(data) ? data : {}
  if (typeof slug !== 'string' || typeof title !== 'string' || typeof body !== 'string') throw invalidDataError()
  if (!isStatus(status) || typeof authorId !== 'number') throw invalidDataError()
  return { slug, title, body, status, authorId }
}

function invalidDataError(): HTTPException {
  return new HTTPException(422, { message: 'The data is not as it must be.' })
}
