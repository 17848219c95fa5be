import type { Comment, Post, Reading, User } from '../../../fixtures/bench/client/client.js'
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

/** Returns the resource of a post, with linkage to its comments if they are included. */
export function postText(post: Post, path: string, writing: AnnotationWriter, comments?: readonly Comment[]): string {
  addAnnotation(writing, `${path}.attributes.createdAt`, '["Date"]')
  const self = `${ENDPOINT}/post/${post.id}`
  const members = comments?.map(({ id }) => `{"type":"comment","id":"${id}"}`).join(',')
  return (
    `{"type":"post","id":"${post.id}","attributes":{"slug":${quote(post.slug)},"title":${quote(post.title)}` +
    `,"body":${quote(post.body)},"status":"${post.status}","views":${post.views}` +
    `,"createdAt":"${post.createdAt.toISOString()}","authorId":${post.authorId}}` +
    `,"relationships":{"author":{"data":{"type":"user","id":"${post.authorId}"},"links":${relationLinks(self, 'author')}}` +
    `,"comments":{${members === undefined ? '' : `"data":[${members}],`}"links":${relationLinks(self, 'comments')}}}` +
    `,"links":{"self":"${self}"}}`
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
  { total, links, isIncluding }: { readonly total: number; readonly links: string; readonly isIncluding: boolean },
): string {
  const serialization = values === '' ? '' : `,"serialization":${notes(values)}`
  const compound = isIncluding ? `,"included":[${included}]` : ''
  return `{"meta":{"total":${total}${serialization}},"data":[${data}]${compound},${JSONAPI},"links":${links}}`
}

const JSONAPI = '"jsonapi":{"version":"1.1"}'

function notes(values: string): string {
  return `{"values":{${values}},"v":1}`
}

function relationLinks(self: string, name: string): string {
  return `{"related":"${self}/${name}","self":"${self}/relationships/${name}"}`
}
