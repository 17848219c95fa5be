import { errorTitle, type ErrorCode } from '../../errors/error-codes.js'
import {
  type AppErrors,
  type ErrorCodesByStatus,
  clientErrorCodes,
  errorHeaders,
  mayHaveCustomCode,
  KEY_CODES,
  KEY_ERRORS,
  listStatuses,
  SERVER_ERROR,
  SERVER_ERRORS,
} from '../operation-errors.js'
import type { JsonSchema, MediaType, Reference, ResponseObject } from '../document-types.js'
import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import { supportsFullText } from '../../prisma/dialect.js'
import { capitalize } from '../name-allocator.js'
import type { PreconditionComponents } from './precondition-components.js'
import { LINK, type RestDocumentContext, sharedSchema } from './rest-document-context.js'
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

const CODES: Readonly<Record<OperationKind, readonly ErrorCode[]>> = {
  list: [...QUERY, ...FILTER],
  get: [...QUERY, 'not-found'],
  related: [...QUERY, ...FILTER, 'not-found'],
  relatedOne: [...QUERY, 'not-found'],
  create: [...QUERY, ...BODY, ...WRITE, ...CREATE_ERRORS],
  update: [...QUERY, ...BODY, ...WRITE, ...UPDATE_ERRORS],
  delete: ['unsupported-parameter', 'malformed-parameter', 'not-found', 'foreign-key-violation', 'write-conflict'],
  operations: [
    ...BODY,
    ...WRITE,
    ...CREATE_ERRORS,
    'id-conflict',
    'unsupported-model',
    'unknown-path',
    'unsupported-change',
  ],
  linkage: [...BODY, ...WRITE, ...LINKAGE_ERRORS, 'relationship-required'],
}

/** Errors of all operations: an unsupported `Accept` header, and denials by policies. */
const ANYWHERE: readonly ErrorCode[] = ['not-acceptable', 'forbidden']

/**
 * Returns the error responses of a kind of operation (contract 7.1): one for all client errors, which lists their codes by status, and one
 * for server errors.
 */
export function errorResponses(
  kind: OperationKind,
  doc: RestDocumentContext,
  appErrors: AppErrors,
  { codes: more }: Pick<PreconditionComponents, 'codes'> = { codes: [] },
): Readonly<Record<string, Reference>> {
  const { components } = doc
  const versioned = more.includes('precondition-required') ? 'VersionRequired' : more.length > 0 ? 'Versioned' : ''
  const name = `${versioned}${capitalize(kind)}Error`
  return {
    '4XX': components.response(name, () => {
      const hasKeys = doc.keys !== undefined && isWrite(kind)
      const codes = [...CODES[kind], ...more, ...searchCodes(kind, doc), ...(hasKeys ? KEY_ERRORS : []), ...ANYWHERE]
      return clientErrors(name, clientErrorCodes(codes, appErrors), hasKeys ? KEY_CODES : {}, doc, appErrors)
    }),
    '5XX': components.response('ServerError', () => serverErrors(doc)),
  }
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

function clientErrors(
  name: string,
  standardCodes: ErrorCodesByStatus,
  keyCodes: Readonly<Record<string, readonly string[]>>,
  doc: RestDocumentContext,
  appErrors: AppErrors,
): ResponseObject {
  const statuses = [...standardCodes.keys()]
  const hasCustomCodes = statuses.some((status) => mayHaveCustomCode(status, appErrors))
  const byStatus = [...standardCodes].map(
    ([status, codes]) => [status, [...codes, ...(keyCodes[status] ?? [])]] as const,
  )
  const lines = byStatus.map(([status, codes]) => `- ${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`)
  const code = { [hasCustomCodes ? 'examples' : 'enum']: byStatus.flatMap(([, codes]) => codes) }
  return {
    description: `The request failed. Codes by status:\n\n${lines.join('\n')}`,
    ...errorHeaders(statuses),
    content: errorContent(name, code, doc),
  }
}

function serverErrors(doc: RestDocumentContext): ResponseObject {
  return {
    description: SERVER_ERROR,
    ...errorHeaders(['5XX']),
    content: errorContent('ServerError', { enum: SERVER_ERRORS }, doc),
  }
}

/** @param codes the codes of an operation. They restrict the schema that all errors share. */
function errorContent(name: string, codes: JsonSchema, doc: RestDocumentContext): Readonly<Record<string, MediaType>> {
  const code = sharedSchema(doc, `${name}Code`, () => ({ type: 'string', ...codes }))
  const items = { allOf: [errorSchema(doc), { type: 'object', properties: { code } }] }
  return { [MEDIA_TYPE]: { schema: errorDocument(items, doc) } }
}

function errorDocument(items: JsonSchema, doc: RestDocumentContext): JsonSchema {
  const members = { errors: { type: 'array', items, minItems: 1 }, jsonapi: jsonapiSchema(doc) }
  return closedObject(members, Object.keys(members))
}

/** Returns the schema of a document with errors whose codes the app declares. */
export function customErrors(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'CustomRouteErrors', () => errorDocument(errorSchema(doc), doc))
}

function errorSchema(doc: RestDocumentContext): Reference {
  const { strict } = doc.context.settings
  return sharedSchema(doc, 'Error', () => {
    const status: JsonSchema = strict
      ? { type: 'string', pattern: '^[45]\\d\\d$' }
      : { type: 'integer', minimum: 400, maximum: 599 }
    const ormCode: JsonSchema = { type: 'string', description: "Prisma's error code." }
    const meta: JsonSchema = {
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
        rule: {
          type: 'string',
          description: 'The validation rule that was violated. Other members are its parameters.',
        },
      },
    }
    const source = closedObject({
      pointer: { type: 'string', description: 'JSON pointer to the value in the body.' },
      parameter: { type: 'string', description: 'Name of the query parameter.' },
      header: { type: 'string' },
    })
    const members = {
      id: { type: 'string', description: 'The id of the error in the server log.' },
      links: closedObject({ type: LINK }),
      code: { type: 'string' },
      status: { ...status, description: STATUSES },
      title: { type: 'string' },
      detail: { type: 'string' },
      source,
      ...(!strict && { ormCode }),
      meta,
    }
    const title = errorTitle('not-found')
    const example = { code: 'not-found', status: strict ? '404' : 404, title, detail: `${title}.` }
    return { ...closedObject(members, Object.keys(example)), examples: [example] }
  })
}

const STATUSES = `The status of this error. If the errors of a response have different statuses, the response is a 400.

${listStatuses({
  406: 'the `Accept` header does not allow JSON:API',
  412: 'Or a resource that must not exist already exists',
})}`
