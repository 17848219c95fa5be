import { HTTPException } from 'hono/http-exception'

type PostStatus = 'DRAFT' | 'PUBLISHED'

/** Parses the data of a new post. */
export function readPost(body: unknown) {
  const { attributes, relationships } = parseResource(body, 'post')
  const { slug, title, body: text, status = 'DRAFT' } = objectAt(attributes, 'attributes')
  const author = objectAt(objectAt(objectAt(relationships, 'relationships')['author'], 'author')['data'], 'data')
  const id = author['id']
  if (author['type'] !== 'user' || typeof id !== 'string' || !/^\d{1,10}$/.test(id)) throw invalidFieldError('author')
  if (typeof slug !== 'string' || typeof title !== 'string' || typeof text !== 'string')
    throw invalidFieldError('attributes')
  if (!isStatus(status)) throw invalidFieldError('status')
  return { slug, title, body: text, status, authorId: Number(id) }
}

/** Parses the data of a post's update. */
export function readPostChange(body: unknown, id: number): { title?: string; views?: number } {
  const resource = parseResource(body, 'post')
  if (resource['id'] !== String(id)) throw new HTTPException(409, { message: 'The id is not that of the URL.' })
  const { title, views } = objectAt(resource['attributes'], 'attributes')
  const change: { title?: string; views?: number } = {}
  if (title !== undefined) {
    if (typeof title !== 'string') throw invalidFieldError('title')
    change.title = title
  }
  if (views !== undefined) {
    if (typeof views !== 'number' || !Number.isInteger(views)) throw invalidFieldError('views')
    change.views = views
  }
  return change
}

/** Parses an upsert of a user by its email address. */
export function readUpsert(body: unknown): { email: string; name: string } {
  const meta = objectAt(objectAt(body, 'body')['meta'], 'meta')
  const fields = meta['matchFields']
  if (meta['operation'] !== 'upsert' || !Array.isArray(fields) || fields.length !== 1 || fields[0] !== 'email') {
    throw new HTTPException(400, { message: 'Only upserts by e-mail address are possible.' })
  }
  const { email, name } = objectAt(parseResource(body, 'user')['attributes'], 'attributes')
  if (typeof email !== 'string' || typeof name !== 'string') throw invalidFieldError('attributes')
  return { email, name }
}

/** Parses the data of a stock's update. */
export function readStockChange(body: unknown, id: number): { quantity: number } {
  const resource = parseResource(body, 'stock')
  if (resource['id'] !== String(id)) throw new HTTPException(409, { message: 'The id is not that of the URL.' })
  const { quantity } = objectAt(resource['attributes'], 'attributes')
  if (typeof quantity !== 'number' || !Number.isInteger(quantity)) throw invalidFieldError('quantity')
  return { quantity }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a post's status. */
export function isStatus(value: unknown): value is PostStatus {
  return value === 'DRAFT' || value === 'PUBLISHED'
}

function parseResource(body: unknown, type: string): Readonly<Record<string, unknown>> {
  const resource = objectAt(objectAt(body, 'body')['data'], 'data')
  if (resource['type'] !== type) throw new HTTPException(409, { message: `The type must be ${type}.` })
  return resource
}

/**
 * Returns a value that must be an object.
 * @throws HTTPException 422 if it is not
 */
export function objectAt(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalidFieldError(name)
  return value
}

function invalidFieldError(name: string): HTTPException {
  return new HTTPException(422, { message: `${name} is not as it must be.` })
}
