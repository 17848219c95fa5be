import type { Comment, Post, Reading, Stock, User } from '../../../fixtures/bench/client/client.js'
import { ENDPOINT } from '../contender.js'

/**
 * Writes the JSON of each model's resources directly as text, with superjson's annotations. There are no intermediate objects between a row
 * and its JSON.
 */

/** The state of a document: superjson's annotations and the included resources. */
export interface AnnotationWriter {
  values: string
  included: string
  /** Number of included resources. */
  count: number
  readonly includedKeys: Set<string>
}

const quote = JSON.stringify

/** Starts a document. */
export function startWriting(): AnnotationWriter {
  return { values: '', included: '', count: 0, includedKeys: new Set() }
}

function addAnnotation(writing: AnnotationWriter, path: string, type: string): void {
  writing.values += `${writing.values === '' ? '' : ','}"${path}":${type}`
}

/** Returns the resource of a user. */
export function userText(user: User, path: string, writing: AnnotationWriter): string {
  addAnnotation(writing, `${path}.attributes.createdAt`, '["Date"]')
  const self = `${ENDPOINT}/user/${user.id}`
  return (
    `{"type":"user","id":"${user.id}","attributes":{"email":${quote(user.email)},"name":${quote(user.name)}` +
    `,"bio":${quote(user.bio)},"createdAt":"${user.createdAt.toISOString()}"}` +
    `,"relationships":{"posts":{"links":${relationLinks(self, 'posts')}}` +
    `,"comments":{"links":${relationLinks(self, 'comments')}}},"links":{"self":"${self}"}}`
  )
}

/** Returns the resource of a comment. */
export function commentText(comment: Comment, path: string, writing: AnnotationWriter): string {
  addAnnotation(writing, `${path}.attributes.createdAt`, '["Date"]')
  const self = `${ENDPOINT}/comment/${comment.id}`
  return (
    `{"type":"comment","id":"${comment.id}","attributes":{"body":${quote(comment.body)}` +
    `,"createdAt":"${comment.createdAt.toISOString()}","postId":${comment.postId},"authorId":${comment.authorId}}` +
    `,"relationships":{"post":{"data":{"type":"post","id":"${comment.postId}"},"links":${relationLinks(self, 'post')}}` +
    `,"author":{"data":{"type":"user","id":"${comment.authorId}"},"links":${relationLinks(self, 'author')}}}` +
    `,"links":{"self":"${self}"}}`
  )
}

/** Optional members of a post's resource. */
export interface PostMembers {
  /** Included comments, for linkage. */
  readonly comments?: readonly Comment[] | undefined
  /** The limit of the comments, and whether there are more. */
  readonly page?: { readonly limit: number; readonly hasMore: boolean }
  readonly cursor?: string
}

/** Returns the resource of a post. */
export function postText(post: Post, path: string, writing: AnnotationWriter, members: PostMembers = NONE): string {
  addAnnotation(writing, `${path}.attributes.createdAt`, '["Date"]')
  const self = `${ENDPOINT}/post/${post.id}`
  const { comments, page, cursor } = members
  const linkage = comments?.map(({ id }) => `{"type":"comment","id":"${id}"}`).join(',')
  const links = page ? pagedLinks(self, page) : `"links":${relationLinks(self, 'comments')}`
  return (
    `{"type":"post","id":"${post.id}","attributes":{"slug":${quote(post.slug)},"title":${quote(post.title)}` +
    `,"body":${quote(post.body)},"status":"${post.status}","views":${post.views}` +
    `,"createdAt":"${post.createdAt.toISOString()}","authorId":${post.authorId}}` +
    `,"relationships":{"author":{"data":{"type":"user","id":"${post.authorId}"},"links":${relationLinks(self, 'author')}}` +
    `,"comments":{${linkage === undefined ? '' : `"data":[${linkage}],`}${links}}}` +
    `${cursor === undefined ? '' : `,"meta":{"page":{"cursor":"${cursor}"}}`},"links":{"self":"${self}"}}`
  )
}

const NONE: PostMembers = {}

function pagedLinks(self: string, { limit, hasMore }: NonNullable<PostMembers['page']>): string {
  const related = `${self}/comments?page%5Blimit%5D=${limit}`
  const next = hasMore ? `"${self}/comments?page%5Boffset%5D=${limit}&page%5Blimit%5D=${limit}"` : 'null'
  return `"links":{"related":"${related}","self":"${self}/relationships/comments","next":${next}},"meta":{"hasMore":${hasMore}}`
}

/** Returns the resource of a stock. */
export function stockText({ id, name, quantity, version }: Stock): string {
  return (
    `{"type":"stock","id":"${id}","attributes":{"name":${quote(name)},"quantity":${quantity},"version":${version}}` +
    `,"meta":{"version":"${version}"},"links":{"self":"${ENDPOINT}/stock/${id}"}}`
  )
}

/** Returns the resource of a reading. */
export function readingText(reading: Reading, path: string, writing: AnnotationWriter): string {
  addAnnotation(writing, `${path}.attributes.at`, '["Date"]')
  addAnnotation(writing, `${path}.attributes.amount`, '[["custom","Decimal"]]')
  addAnnotation(writing, `${path}.attributes.count`, '["bigint"]')
  addAnnotation(writing, `${path}.attributes.raw`, '[["custom","Bytes"]]')
  return (
    `{"type":"reading","id":"${reading.id}","attributes":{"label":${quote(reading.label)}` +
    `,"at":"${reading.at.toISOString()}","amount":"${reading.amount.toFixed()}","count":"${reading.count}"` +
    `,"ratio":${reading.ratio},"valid":${reading.valid},"data":${quote(reading.data)}` +
    `,"raw":"${Buffer.from(reading.raw).toString('base64')}","note":${quote(reading.note)}}` +
    `,"links":{"self":"${ENDPOINT}/reading/${reading.id}"}}`
  )
}

/** Includes an author unless it is already included. */
export function includeUser(user: User, writing: AnnotationWriter): void {
  const key = `u${user.id}`
  if (writing.includedKeys.has(key)) return
  writing.includedKeys.add(key)
  include(userText(user, `included.${writing.count}`, writing), writing)
}

/** Includes a comment. Each comment belongs to one post, so it cannot be included already. */
export function includeComment(comment: Comment, writing: AnnotationWriter): void {
  include(commentText(comment, `included.${writing.count}`, writing), writing)
}

function include(text: string, writing: AnnotationWriter): void {
  writing.included += writing.count === 0 ? text : `,${text}`
  writing.count += 1
}

/** Returns the document of one resource. */
export function singleDocument(data: string, self: string, { values }: AnnotationWriter): string {
  return `{${values === '' ? '' : `"meta":{"serialization":${notes(values)}},`}"data":${data},${JSONAPI},"links":{"self":"${self}"}}`
}

/** Returns the document of a collection. */
export function collectionDocument(
  data: string,
  { values, included }: AnnotationWriter,
  { total, links, isIncluding }: { readonly total?: number; readonly links: string; readonly isIncluding: boolean },
): string {
  const meta = [
    ...(total === undefined ? [] : [`"total":${total}`]),
    ...(values === '' ? [] : [`"serialization":${notes(values)}`]),
  ]
  const compound = isIncluding ? `,"included":[${included}]` : ''
  return `{"meta":{${meta.join(',')}},"data":[${data}]${compound},${JSONAPI},"links":${links}}`
}

/** Returns the result of an operation in an atomic request. */
export function operationResult(data: string, { values }: AnnotationWriter): string {
  return `{"data":${data},"meta":{"serialization":${notes(values)}}}`
}

const JSONAPI = '"jsonapi":{"version":"1.1"}'

function notes(values: string): string {
  return `{"values":{${values}},"v":1}`
}

function relationLinks(self: string, name: string): string {
  return `{"related":"${self}/${name}","self":"${self}/relationships/${name}"}`
}
