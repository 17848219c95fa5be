import { RequestError } from '../../errors/request-error.js'
import type { JsonObject } from '../../rest/request/json-object.js'
import { malformedDocument } from '../../rest/request/document-errors.js'
import { childPointer } from '../../rest/request/json-pointer.js'
import { idString, unsafeIdError, isUnsafeInteger } from '../../rest/request/body-id.js'

/** The identity of a resource: its id, or the local id that an earlier operation of the same request assigned. */
export type Identity = { readonly id: string } | { readonly lid: string }

/**
 * Parses the local id of a resource or identifier.
 * @returns undefined if there is no local id
 * @throws RequestError 400 if the local id is invalid, or if there is also an id
 */
export function parseLid({ id, lid }: JsonObject, at: string): string | undefined {
  if (lid === undefined) return undefined
  if (id !== undefined) throw malformedDocument('Must not have both "id" and "lid".', at)
  if (typeof lid === 'string' && lid !== '') return lid
  throw malformedDocument('Must be a non-empty string.', childPointer(at, 'lid'))
}

/**
 * Parses the identity in a resource identifier.
 * @returns undefined if the identifier has neither an id nor a local id
 * @throws RequestError 400 if the id has the wrong type; 404 if no resource can have this id
 */
export function parseIdentity(identifier: JsonObject, at: string): Identity | undefined {
  const { id } = identifier
  const lid = parseLid(identifier, at)
  if (lid !== undefined) return { lid }
  if (id === undefined) return undefined
  if (isUnsafeInteger(id)) throw new RequestError(unsafeIdError(childPointer(at, 'id')))
  const text = idString(id)
  // No id is empty, and no URL can contain half of a surrogate pair.
  if (text === '' || (text !== undefined && /\p{Surrogate}/u.test(text))) {
    throw new RequestError({
      code: 'not-found',
      detail: 'There is no resource with this id.',
      source: { pointer: childPointer(at, 'id') },
    })
  }
  if (text !== undefined) return { id: text }
  throw malformedDocument('Must be a string.', childPointer(at, 'id'))
}
