import { ERROR_STATUSES, errorTitle, type ErrorCode } from '../../errors/error-codes.js'
import { JSONAPI } from '../../rest/document/respond.js'
import {
  type AppErrors,
  errorHeaders,
  errorCodes,
  mayHaveCustomCode,
  KEY_CODES,
  KEY_ERRORS,
} from '../operation-errors.js'
import type { JsonSchema, Reference, ResponseObject } from '../document-types.js'
import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import { supportsFullText } from '../../prisma/dialect.js'
import { capitalize } from '../name-allocator.js'
import { memoize } from '../memoize.js'
import type { PreconditionComponents } from './precondition-components.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { closedObject } from '../schemas/schema-builders.js'
import { jsonapiSchema } from './document-schemas.js'

/** Kinds of operations with the same possible errors. */
export type OperationKind =
  'list' | 'get' | 'related' | 'relatedOne' | 'create' | 'update' | 'delete' | 'linkage' | 'operations'

const QUERY: readonly ErrorCode[] = ['limit-exceeded', 'malformed-parameter', 'unknown-field', 'unsupported-parameter']
const FILTER: readonly ErrorCode[] = ['unsupported-operator', 'invalid-value']
const BODY: readonly ErrorCode[] = [
  'limit-exceeded',
  'malformed-body',
  'malformed-document',
  'malformed-parameter',
  'invalid-serialization',
  'body-too-large',
  'unsupported-media-type',
  'unsupported-parameter',
]
/** Errors that a body can contain more than once. All of them are reported. If their statuses differ, the response is a 400. */
const LINKAGE_ERRORS: readonly ErrorCode[] = ['type-conflict', 'not-found', 'invalid-value']
const RESOURCE_ERRORS: readonly ErrorCode[] = [
  ...LINKAGE_ERRORS,
  'read-only',
  'relationship-required',
  'unknown-attribute',
  'unknown-relationship',
]
const CREATE_ERRORS: readonly ErrorCode[] = [...RESOURCE_ERRORS, 'client-id-forbidden', 'missing-attribute']
const UPDATE_ERRORS: readonly ErrorCode[] = [...RESOURCE_ERRORS, 'id-conflict']
const WRITE: readonly ErrorCode[] = ['unique-violation', 'foreign-key-violation', 'write-conflict']

interface Kind {
  readonly codes: readonly ErrorCode[]
  readonly together?: readonly ErrorCode[]
}

const KINDS: Readonly<Record<OperationKind, Kind>> = {
  list: { codes: [...QUERY, ...FILTER] },
  get: { codes: [...QUERY, 'not-found'] },
  related: { codes: [...QUERY, ...FILTER, 'not-found'] },
  relatedOne: { codes: [...QUERY, 'not-found'] },
  create: { codes: [...QUERY, ...BODY, ...WRITE], together: CREATE_ERRORS },
  update: { codes: [...QUERY, ...BODY, ...WRITE], together: UPDATE_ERRORS },
  delete: {
    codes: ['unsupported-parameter', 'malformed-parameter', 'not-found', 'foreign-key-violation', 'write-conflict'],
  },
  operations: {
    codes: [...BODY, ...WRITE, 'unsupported-model', 'unknown-path', 'unsupported-change'],
    together: [...CREATE_ERRORS, 'id-conflict'],
  },
  linkage: { codes: [...BODY, ...WRITE, 'relationship-required'], together: LINKAGE_ERRORS },
}

/** Errors of all operations: an unsupported `Accept` header, and denials by policies. */
const ANYWHERE: readonly ErrorCode[] = ['not-acceptable', 'forbidden']

type Responses = Readonly<Record<string, Reference>>

/** Returns the error responses of a kind of operation (contract 7.1), by status. */
export function errorResponses(
  kind: OperationKind,
  doc: RestDocumentContext,
  appErrors: AppErrors,
  { codes }: Pick<PreconditionComponents, 'codes'> = { codes: [] },
): Responses {
  const cache = responseCache(doc)
  const key = [kind, ...codes].join()
  const responses = cache.get(key) ?? createResponses(kind, doc, appErrors, codes)
  cache.set(key, responses)
  return responses
}

const responseCache = memoize<RestDocumentContext, Map<string, Responses>>(() => new Map())

function createResponses(
  kind: OperationKind,
  doc: RestDocumentContext,
  appErrors: AppErrors,
  more: readonly ErrorCode[],
): Responses {
  const { codes: kindCodes, together = [] } = KINDS[kind]
  const takesKeys = doc.keys !== undefined && isWrite(kind)
  const keys = takesKeys ? KEY_ERRORS : []
  const failures = errorCodes(
    [...kindCodes, ...more, ...together, ...searchCodes(kind, doc), ...keys, ...ANYWHERE],
    appErrors,
  )
  return Object.fromEntries(
    [...failures].map(([status, codes]) => {
      const all = status === '400' ? [...new Set([...codes, ...together])].sort() : codes
      const keyCodes = (takesKeys && KEY_CODES[status]) || []
      const versioned = status === '400' && more.length > 0 ? 'Versioned' : ''
      // Operations whose only code for a status is the same share its response.
      const shared = isShared(status) || (all.length === 1 && keyCodes.length === 0)
      const name = `${shared ? 'Error' : versioned + capitalize(kind)}${status}`
      return [status, doc.components.response(name, () => response(status, all, keyCodes, doc, appErrors))]
    }),
  )
}

/** Whether operations of a kind write data. */
export function isWrite(kind: OperationKind): boolean {
  return WRITES.includes(kind)
}

const WRITES: readonly OperationKind[] = ['create', 'update', 'delete', 'linkage', 'operations']

/** Returns the error codes of a full-text search, which uses the database's own syntax. */
function searchCodes(kind: OperationKind, { context }: RestDocumentContext): readonly ErrorCode[] {
  const searches = (kind === 'list' || kind === 'related') && supportsFullText(context.dialect)
  return searches ? ['invalid-arguments'] : []
}

/** Whether a status has the same meaning for all operations. */
function isShared(status: string): boolean {
  return ['401', '406', '410', '412', '413', '415', '428', '429', '5XX'].includes(status)
}

function response(
  status: string,
  standardCodes: readonly ErrorCode[],
  keyCodes: readonly string[],
  doc: RestDocumentContext,
  appErrors: AppErrors,
): ResponseObject {
  const codes = [...standardCodes, ...keyCodes]
  const code: JsonSchema = mayHaveCustomCode(status, appErrors)
    ? { type: 'string', examples: codes }
    : { type: 'string', enum: codes }
  return {
    description: `${DESCRIPTIONS[status] ?? 'The request failed.'} Codes: ${codes.map((item) => `\`${item}\``).join(', ')}.`,
    ...errorHeaders(status),
    content: {
      [MEDIA_TYPE]: {
        schema: errorSchema(status, code, doc),
        example: errorExample(status, standardCodes, doc),
      },
    },
  }
}

function errorExample(listed: string, codes: readonly ErrorCode[], { context }: RestDocumentContext): object {
  const code = codes.find((candidate) => String(ERROR_STATUSES[candidate]) === listed) ?? codes[0] ?? 'internal-error'
  const status = ERROR_STATUSES[code]
  const title = errorTitle(code)
  const error = { code, status: context.settings.strict ? String(status) : status, title, detail: `${title}.` }
  return { errors: [error], jsonapi: JSONAPI }
}

function errorSchema(status: string, code: JsonSchema, doc: RestDocumentContext): JsonSchema {
  const { strict } = doc.context.settings
  // If there are multiple errors, each has its own status.
  const anyErrorStatus: JsonSchema = strict
    ? { type: 'string', pattern: '^[45]\\d\\d$' }
    : { type: 'integer', minimum: 400, maximum: 599 }
  const exact: JsonSchema = { const: strict ? status : Number(status) }
  const ormCode: JsonSchema = { type: 'string', description: "Prisma's error code." }
  const meta = sharedSchema(doc, 'ErrorMeta', () => ({
    type: 'object',
    properties: {
      ...(strict && { ormCode }),
      reason: { type: 'string', description: 'The reason given by an access policy.' },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'The fields of the violated constraint.',
      },
      message: { type: 'string', description: 'Error message to show next to a form field.' },
      rule: { type: 'string', description: 'The validation rule that was violated. Other members are its parameters.' },
    },
  }))
  const source = sharedSchema(doc, 'ErrorSource', () =>
    closedObject({
      pointer: { type: 'string', description: 'JSON pointer to the value in the body.' },
      parameter: { type: 'string', description: 'Name of the query parameter.' },
      header: { type: 'string' },
    }),
  )
  const error = closedObject(
    {
      id: { type: 'string', description: 'The id of the error in the server log.' },
      ...(status === '400' && { links: closedObject({ type: { type: 'string', format: 'uri' } }) }),
      code,
      status: status === '400' || status === '5XX' ? anyErrorStatus : exact,
      title: { type: 'string' },
      detail: { type: 'string' },
      source,
      ...(!strict && { ormCode }),
      meta,
    },
    ['code', 'status', 'title', 'detail'],
  )
  return closedObject({ errors: { type: 'array', items: error, minItems: 1 }, jsonapi: jsonapiSchema(doc) }, [
    'errors',
    'jsonapi',
  ])
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  400: 'The request is invalid or exceeds a limit.',
  401: 'Authentication is required.',
  403: 'The operation is not allowed for this caller, or for any caller.',
  404: 'The resource was not found.',
  406: 'The `Accept` header does not allow JSON:API.',
  409: 'The request conflicts with existing data.',
  410: 'The resource no longer exists.',
  412: 'The resource does not have the version that the request requires, or a resource that must not exist already exists.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  422: 'A value violates a validation rule.',
  428: 'The request must contain the version of the resource that it changes.',
  429: 'Too many requests.',
  '5XX':
    'Server error. 500: the server log contains the error under its id. 503 or 504: the database is unavailable or too slow. The request can be retried.',
}
