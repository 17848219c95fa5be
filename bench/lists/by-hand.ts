import type { Comment, Post } from '../../fixtures/bench/client/client.js'
import type { Orm } from '../contenders/contender.js'
import { commentText, postText, startWriting, type AnnotationWriter } from '../contenders/by-hand/documents.js'

/**
 * Lists, handwritten by an expert for this schema: only the necessary queries, and JSON built as text. The documents have the same
 * resources as Routewright's, with their own links and `meta`.
 */

const ID = { id: 'asc' } as const

/**
 * Returns the page of posts after a cursor.
 * @param cursor a cursor from {@link toCursor}
 */
export async function listAfterCursor(orm: Orm, cursor: string, size: number): Promise<string> {
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
    return `${text.slice(0, -1)},"meta":{"page":{"cursor":"${toCursor(row)}"}}}`
  })
  const last = page.at(-1)
  return formatDocument(items, writing, rows.length > size && last ? toCursor(last) : '')
}

/** Returns a page of posts without a total. */
export async function listWithoutTotal(orm: Orm, skip: number, size: number): Promise<string> {
  const rows = await orm.post.findMany({ orderBy: ID, skip, take: size + 1 })
  const writing = startWriting()
  const items = rows.slice(0, size).map((row, index) => postText(row, `data.${index}`, writing))
  return formatDocument(items, writing, rows.length > size ? String(skip + size) : '')
}

/** Returns posts with the first comments of each. Uses SQL for a query that Prisma's API does not support. */
export async function listWithSomeComments(orm: Orm, skip: number, size: number, maxComments: number): Promise<string> {
  const posts = await orm.post.findMany({ orderBy: ID, skip, take: size })
  const ids = posts.map(({ id }) => id).join(',')
  const commentRows = await orm.$queryRawUnsafe<(Omit<Comment, 'createdAt'> & { createdAt: string })[]>(
    `SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY postId ORDER BY id) AS place FROM Comment WHERE postId IN (${ids})) ` +
      `WHERE place <= ${maxComments + 1} ORDER BY id`,
  )
  const comments = commentRows.map((row): Comment => ({ ...row, createdAt: new Date(row.createdAt) }))
  return formatCompound(posts, groupByPost(comments), maxComments)
}

/** The same with Prisma's API, which loads all comments before it applies `take`. */
export async function listWithAllCommentsLoaded(
  orm: Orm,
  skip: number,
  size: number,
  maxComments: number,
): Promise<string> {
  const include = { comments: { orderBy: ID, take: maxComments + 1 } }
  const posts = await orm.post.findMany({ orderBy: ID, skip, take: size, include })
  return formatCompound(posts, new Map(posts.map(({ id, comments }) => [id, comments])), maxComments)
}

function formatCompound(
  posts: readonly Post[],
  lists: ReadonlyMap<number, readonly Comment[]>,
  maxComments: number,
): string {
  const writing = startWriting()
  const items: string[] = []
  const included: string[] = []
  for (const [index, post] of posts.entries()) {
    const comments = (lists.get(post.id) ?? []).slice(0, maxComments)
    items.push(postText(post, `data.${index}`, writing, comments))
    for (const comment of comments) included.push(commentText(comment, `included.${included.length}`, writing))
  }
  return formatDocument(items, writing, '', included)
}

/** Returns the cursor of a post: its sort values. */
export function toCursor({ views, id }: Pick<Post, 'views' | 'id'>): string {
  return Buffer.from(JSON.stringify([views, id])).toString('base64url')
}

function formatDocument(
  items: readonly string[],
  { values }: AnnotationWriter,
  next: string,
  included?: readonly string[],
): string {
  const compound = included ? `,"included":[${included.join(',')}]` : ''
  return `{"meta":{"serialization":{"values":{${values}},"v":1}},"data":[${items.join(',')}]${compound},"links":{"next":"${next}"}}`
}

function groupByPost(comments: readonly Comment[]): ReadonlyMap<number, readonly Comment[]> {
  const lists = new Map<number, Comment[]>()
  for (const comment of comments) {
    const list = lists.get(comment.postId)
    if (list) list.push(comment)
    else lists.set(comment.postId, [comment])
  }
  return lists
}
