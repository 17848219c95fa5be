import type { Comment, Post } from '../../fixtures/bench/client/client.js'
import type { Orm } from '../contenders/contender.js'
import { commentText, postText, startWriting, type Writing } from '../contenders/by-hand/documents.js'

/**
 * Lists, handwritten by an expert for this schema: only the necessary queries, and JSON built as text. The documents have the same
 * resources as Routewright's, with their own links and `meta`.
 */

const ID = { id: 'asc' } as const

/**
 * Returns the page of posts after a cursor.
 * @param cursor a cursor from {@link cursorOf}
 */
export async function pageAfter(orm: Orm, cursor: string, size: number): Promise<string> {
  const [views, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, number]
  const rows = await orm.post.findMany({
    where: { OR: [{ views: { gt: views } }, { views, id: { gt: id } }], views: { gte: views } },
    orderBy: [{ views: 'asc' }, ID],
    take: size + 1,
  })
  const writing = startWriting()
  const page = rows.slice(0, size)
  const items = page.map((row, index) => {
    const text = postText(row, `data.${index}`, writing)
    return `${text.slice(0, -1)},"meta":{"page":{"cursor":"${cursorOf(row)}"}}}`
  })
  const last = page.at(-1)
  return documentOf(items, writing, rows.length > size && last ? cursorOf(last) : '')
}

/** Returns a page of posts without a total. */
export async function uncounted(orm: Orm, skip: number, size: number): Promise<string> {
  const rows = await orm.post.findMany({ orderBy: ID, skip, take: size + 1 })
  const writing = startWriting()
  const items = rows.slice(0, size).map((row, index) => postText(row, `data.${index}`, writing))
  return documentOf(items, writing, rows.length > size ? String(skip + size) : '')
}

/** Returns posts with the first comments of each. Uses SQL for a query that Prisma's API does not support. */
export async function withSome(orm: Orm, skip: number, size: number, maxComments: number): Promise<string> {
  const posts = await orm.post.findMany({ orderBy: ID, skip, take: size })
  const ids = posts.map(({ id }) => id).join(',')
  const found = await orm.$queryRawUnsafe<(Omit<Comment, 'createdAt'> & { createdAt: string })[]>(
    `SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY postId ORDER BY id) AS place FROM Comment WHERE postId IN (${ids})) ` +
      `WHERE place <= ${maxComments + 1} ORDER BY id`,
  )
  const comments = found.map((row): Comment => ({ ...row, createdAt: new Date(row.createdAt) }))
  return compound(posts, byPost(comments), maxComments)
}

/** The same with Prisma's API, which loads all comments before it applies `take`. */
export async function withSomeOfAll(orm: Orm, skip: number, size: number, maxComments: number): Promise<string> {
  const include = { comments: { orderBy: ID, take: maxComments + 1 } }
  const posts = await orm.post.findMany({ orderBy: ID, skip, take: size, include })
  return compound(posts, new Map(posts.map(({ id, comments }) => [id, comments])), maxComments)
}

function compound(posts: readonly Post[], lists: ReadonlyMap<number, readonly Comment[]>, maxComments: number): string {
  const writing = startWriting()
  const items: string[] = []
  const included: string[] = []
  for (const [index, post] of posts.entries()) {
    const comments = (lists.get(post.id) ?? []).slice(0, maxComments)
    items.push(postText(post, `data.${index}`, writing, comments))
    for (const comment of comments) included.push(commentText(comment, `included.${included.length}`, writing))
  }
  return documentOf(items, writing, '', included)
}

/** Returns the cursor of a post: its sort values. */
export function cursorOf({ views, id }: Pick<Post, 'views' | 'id'>): string {
  return Buffer.from(JSON.stringify([views, id])).toString('base64url')
}

function documentOf(items: readonly string[], { values }: Writing, next: string, included?: readonly string[]): string {
  const compound = included ? `,"included":[${included.join(',')}]` : ''
  return `{"meta":{"serialization":{"values":{${values}},"v":1}},"data":[${items.join(',')}]${compound},"links":{"next":"${next}"}}`
}

function byPost(comments: readonly Comment[]): ReadonlyMap<number, readonly Comment[]> {
  const lists = new Map<number, Comment[]>()
  for (const comment of comments) {
    const list = lists.get(comment.postId)
    if (list) list.push(comment)
    else lists.set(comment.postId, [comment])
  }
  return lists
}
