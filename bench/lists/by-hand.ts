import type { Comment, Post } from '../../fixtures/bench/client/client.js'
import type { Orm } from '../contenders/contender.js'
import { commentText, postText, startWriting, type Writing } from '../contenders/by-hand/documents.js'

/**
 * Lists as an expert would write them for this one schema: the queries that each needs and no other, and JSON as text. Their documents have
 * the resources of ours, and links and `meta` of their own.
 */

const ID = { id: 'asc' } as const

/**
 * A page of posts behind one.
 * @param cursor as {@link cursorOf} writes it
 */
export async function pageAfter(orm: Orm, cursor: string, size: number): Promise<string> {
  const [views, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, number]
  const rows = await orm.post.findMany({
    where: { OR: [{ views: { gt: views } }, { views, id: { gt: id } }], views: { gte: views } },
    orderBy: [{ views: 'asc' }, ID],
    take: size + 1,
  })
  const writing = startWriting()
  const shown = rows.slice(0, size)
  const items = shown.map((row, index) => {
    const text = postText(row, `data.${index}`, writing)
    return `${text.slice(0, -1)},"meta":{"page":{"cursor":"${cursorOf(row)}"}}}`
  })
  const last = shown.at(-1)
  return documentOf(items, writing, rows.length > size && last ? cursorOf(last) : '')
}

/** A page of posts without their number. */
export async function uncounted(orm: Orm, skip: number, size: number): Promise<string> {
  const rows = await orm.post.findMany({ orderBy: ID, skip, take: size + 1 })
  const writing = startWriting()
  const items = rows.slice(0, size).map((row, index) => postText(row, `data.${index}`, writing))
  return documentOf(items, writing, rows.length > size ? String(skip + size) : '')
}

/** Posts with the first comments of each, by one query of SQL that Prisma's API cannot say. */
export async function withSome(orm: Orm, skip: number, size: number, most: number): Promise<string> {
  const posts = await orm.post.findMany({ orderBy: ID, skip, take: size })
  const ids = posts.map(({ id }) => id).join(',')
  const found = await orm.$queryRawUnsafe<(Omit<Comment, 'createdAt'> & { createdAt: string })[]>(
    `SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY postId ORDER BY id) AS place FROM Comment WHERE postId IN (${ids})) ` +
      `WHERE place <= ${most + 1} ORDER BY id`,
  )
  const comments = found.map((row): Comment => ({ ...row, createdAt: new Date(row.createdAt) }))
  return compound(posts, byPost(comments), most)
}

/** The same by what Prisma's API can say: it loads all comments, and cuts them then. */
export async function withSomeOfAll(orm: Orm, skip: number, size: number, most: number): Promise<string> {
  const include = { comments: { orderBy: ID, take: most + 1 } }
  const posts = await orm.post.findMany({ orderBy: ID, skip, take: size, include })
  return compound(posts, new Map(posts.map(({ id, comments }) => [id, comments])), most)
}

function compound(posts: readonly Post[], lists: ReadonlyMap<number, readonly Comment[]>, most: number): string {
  const writing = startWriting()
  const items: string[] = []
  const included: string[] = []
  for (const [index, post] of posts.entries()) {
    const shown = (lists.get(post.id) ?? []).slice(0, most)
    items.push(postText(post, `data.${index}`, writing, shown))
    for (const comment of shown) included.push(commentText(comment, `included.${included.length}`, writing))
  }
  return documentOf(items, writing, '', included)
}

/** What a post is ordered by. */
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
