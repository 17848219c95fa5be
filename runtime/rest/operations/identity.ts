import { RequestError } from '../../errors/request-error.js'
import { childPointer, type JsonObject, malformedDocument } from '../request/body.js'
import { idString, unsafeIdError, isUnsafeInteger } from '../request/linkage.js'

/** The identity of a resource: its id, or the local one that an earlier operation of the same request gave. */
export type Identity = { readonly id: string } | { readonly lid: string }

/**
 * The local id of what names a resource.
 * @returns undefined where it has none
 * @throws RequestError 400 where it is none, or an id stands beside it
 */
export function parseLid({ id, lid }: JsonObject, at: string): string | undefined {
  if (lid === undefined) return undefined
  if (id !== undefined) throw malformedDocument('It has "id" or "lid", and not both.', at)
  if (typeof lid === 'string' && lid !== '') return lid
  throw malformedDocument('It must be a string that is not empty.', childPointer(at, 'lid'))
}

/**
 * Whom a resource identifier means.
 * @returns undefined where it has neither an id nor a local one
 * @throws RequestError 400 for what cannot be one; 404 for what is no id of any resource
 */
export function parseIdentity(identifier: JsonObject, at: string): Identity | undefined {
  const { id } = identifier
  const lid = parseLid(identifier, at)
  if (lid !== undefined) return { lid }
  if (id === undefined) return undefined
  if (isUnsafeInteger(id)) throw new RequestError(unsafeIdError(childPointer(at, 'id')))
  const text = idString(id)
  // No id is written so, nor is half of a surrogate pair in any URL.
  if (text === '' || (text !== undefined && /\p{Surrogate}/u.test(text))) {
    throw new RequestError({
      code: 'not-found',
      detail: 'There is no resource with this id.',
      source: { pointer: childPointer(at, 'id') },
    })
  }
  if (text !== undefined) return { id: text }
  throw malformedDocument('It must be a string.', childPointer(at, 'id'))
}
