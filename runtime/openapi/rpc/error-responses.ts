import type { ErrorCode } from '../../errors/codes.js'
import { supportsLoadStrategy, supportsFullText } from '../../orm/dialect.js'
import type { HttpMethod, JsonSchema, Reference, ResponseObject } from '../document.js'
import { type AppErrors, errorHeaders, errorCodes, mayHaveCustomCode } from '../error-responses.js'
import { KEY_CODES } from '../idempotency-key.js'
import type { Version } from '../../schema/version.js'
import { closedObject } from '../schemas/shapes.js'
import { type RpcDocumentContext, sharedSchema } from './context.js'

const ARGUMENTS: readonly ErrorCode[] = ['invalid-arguments', 'invalid-value', 'forbidden']

/** The possible error codes of each source of arguments. The body of a DELETE is read even though it must be empty. */
const SOURCE_CODES: Readonly<Record<'query' | 'body' | 'DELETE', readonly ErrorCode[]>> = {
  query: [],
  body: ['body-too-large', 'unsupported-media-type'],
  DELETE: ['body-too-large'],
}

const MISSING: readonly ErrorCode[] = ['not-found']
const CONFLICT: readonly ErrorCode[] = ['unique-violation', 'foreign-key-violation', 'write-conflict']

/** The error codes of operations in addition to those about arguments. Operations that are not listed have none. */
const CODES: Readonly<Record<string, readonly ErrorCode[]>> = {
  findFirstOrThrow: MISSING,
  findUniqueOrThrow: MISSING,
  create: [...MISSING, ...CONFLICT],
  createMany: CONFLICT,
  createManyAndReturn: CONFLICT,
  update: [...MISSING, ...CONFLICT],
  updateMany: CONFLICT,
  updateManyAndReturn: CONFLICT,
  upsert: [...MISSING, ...CONFLICT],
  delete: [...MISSING, ...CONFLICT],
  deleteMany: CONFLICT,
  $transaction: [...MISSING, ...CONFLICT],
}

/** Whether an operation writes data. */
export function isWrite(operation: string): boolean {
  return CODES[operation]?.some((code) => CONFLICT.includes(code)) ?? false
}

/** Returns the error responses of an operation on a model with a version. */
export type ErrorResponsesFor = (
  operation: string,
  method: HttpMethod,
  version?: Version,
) => Readonly<Record<string, Reference>>

/** Returns the version-related error codes of an operation. */
function versionCodes(operation: string, version: Version | undefined): readonly ErrorCode[] {
  const isChange = /^(?:update|delete|upsert|\$)/.test(operation)
  if (!version || !isChange) return []
  const isCompared = operation === 'update' || operation === 'delete' || operation === '$transaction'
  return [
    ...(isCompared ? (['precondition-failed'] as const) : []),
    ...(version.isRequired ? (['precondition-required'] as const) : []),
  ]
}

/** Creates a function that returns the error responses of operations (contract 7.3, 7.4), by status. */
export function errorResponses(described: RpcDocumentContext, appErrors: AppErrors): ErrorResponsesFor {
  const cache = new Map<string, Readonly<Record<string, Reference>>>()
  return (operation, method, version) => {
    const more = versionCodes(operation, version)
    const key = [method, operation, ...more].join(' ')
    const responses = cache.get(key) ?? createResponses(operation, method, described, appErrors, more)
    cache.set(key, responses)
    return responses
  }
}

function createResponses(
  operation: string,
  method: HttpMethod,
  described: RpcDocumentContext,
  appErrors: AppErrors,
  more: readonly ErrorCode[],
): Readonly<Record<string, Reference>> {
  const source = method === 'delete' ? 'DELETE' : method === 'get' ? 'query' : 'body'
  const failures = errorCodes([...ARGUMENTS, ...SOURCE_CODES[source], ...(CODES[operation] ?? []), ...more], appErrors)
  return Object.fromEntries(
    [...failures.keys()].map((status) => [
      status,
      described.components.response(`Error${status}`, () => response(status, described, appErrors)),
    ]),
  )
}

function response(status: string, described: RpcDocumentContext, appErrors: AppErrors): ResponseObject {
  const hasCustomCode = mayHaveCustomCode(status, appErrors) || (described.keys !== undefined && status in KEY_CODES)
  return {
    description: status === '400' ? badRequest(described) : describeStatus(status, described),
    ...errorHeaders(status),
    content: {
      'application/json': {
        schema: hasCustomCode ? customCodeError(described) : ormError(described),
        example: errorExample(status),
      },
    },
  }
}

function describeStatus(status: string, { keys }: RpcDocumentContext): string {
  const keyDescription = keys && KEY_DESCRIPTIONS[status]
  return `${DESCRIPTIONS[status] ?? 'The request failed.'}${keyDescription ? ` ${keyDescription}` : ''}`
}

const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  409: 'Or a request with the same idempotency key is being carried out: `idempotency-key-in-use`; or its answer is not known any more: `idempotency-response-lost`.',
  422: 'Or the idempotency key was sent with another request: `idempotency-key-reused`.',
}

function errorExample(status: string): object {
  const members = EXAMPLES[status] ?? { message: DESCRIPTIONS[status] ?? 'The request failed.' }
  return { ...members, error: { status: status === '5XX' ? 500 : Number(status), ...members } }
}

function ormError(described: RpcDocumentContext): Reference {
  return sharedSchema(described, 'Error', () =>
    errorSchema({ type: 'string', pattern: '^P\\d{4}$', description: PRISMAS }),
  )
}

function customCodeError(described: RpcDocumentContext): Reference {
  return sharedSchema(described, 'ErrorWithOwnCode', () =>
    errorSchema({
      type: 'string',
      description: `${PRISMAS} Or one that ${described.keys ? 'begins with `idempotency-`, or that ' : ''}the app gave.`,
    }),
  )
}

const AGAIN = "The same once more, with the status, where ZenStack's clients look for it."
const PRISMAS = "Prisma's own code."

function errorSchema(code: JsonSchema): JsonSchema {
  const issue = closedObject(
    {
      path: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Where in the arguments: keys and indices.',
      },
      message: { type: 'string', description: 'Error message for a form to show next to the field.' },
      code: { type: 'string', description: "Zod's code of the rule that was not fulfilled." },
      params: { type: 'object', description: 'Parameters of that rule.' },
    },
    ['path', 'message'],
  )
  const members = {
    orm: { const: true, description: 'The failure comes from the database client.' },
    rejectedByPolicy: { const: true, description: 'An access policy does not allow it.' },
    code,
    message: { type: 'string' },
    reason: { type: 'string', description: "An access policy's reason, as `RESULT_NOT_READABLE`." },
    issues: { type: 'array', items: issue, minItems: 1 },
  }
  const again = {
    status: { type: 'integer', minimum: 400 },
    rejectReason: { enum: ['no-access', 'cannot-read-back'], description: 'Where `rejectedByPolicy` is true.' },
  }
  return closedObject(
    { ...members, error: { ...closedObject({ ...again, ...members }, ['status', 'message']), description: AGAIN } },
    ['message', 'error'],
  )
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  401: 'The request needs credentials.',
  403: 'The caller may not do this, or nobody may. Codes: `P2004` where an access policy does not allow it.',
  404: 'A row that the request needs is not there. Codes: `P2025`, `P2015`, `P2017`, `P2018`.',
  409: 'The data does not allow it. Codes: `P2002` not unique, `P2003` and `P2014` related rows, `P2034` another write came in between.',
  410: 'It is not there any more.',
  412: 'The row is not of the version that `where` names.',
  413: 'The body is too large.',
  415: 'The body is not sent as `application/json`.',
  422: 'A value is against its field, or against a rule of the data. Codes, where the database found it: `P2000`, `P2004`, `P2011`, `P2020`.',
  428: '`where` must name the version of the row that is changed.',
  429: 'Too many requests.',
  '5XX':
    'Something went wrong: with 500 the log has it under the id in the message; with 503 or 504 the database is not there, or too slow, ' +
    'and the request may be tried again.',
}

const EXAMPLES: Readonly<Record<string, object>> = {
  400: {
    message: 'There is no "titel" here.',
    issues: [{ path: ['where', 'titel'], message: 'There is no "titel" here.' }],
  },
  404: { orm: true, code: 'P2025', message: 'A record that the request needs does not exist.' },
  409: { orm: true, code: 'P2002', message: 'A record with the same email exists already.' },
  '5XX': { message: 'Something went wrong. Error id: 0b1e9b1c-6f7a-4c1e-8f0a-1d2c3b4a5f60.' },
}

/** Describes the constraints on arguments that schemas cannot express. */
function badRequest({ limits, dialect, keys }: RpcDocumentContext): string {
  const counted: readonly (readonly [what: string, most: number])[] = [
    ['levels of nesting', limits.depth],
    ['values in all', limits.nodes],
    ['relations that one filter or order traverses', limits.filterRelations],
    ['points that filters and orders cost together', limits.filterCost],
    ['nested to-many relations that a filter traverses', limits.toManyDepth],
    ['relations that are included one inside the other', limits.includeDepth],
    ['rows that relations add', limits.includedRows],
    ['rows without `take`', limits.rows],
    ['rows that the client loads for the answer', limits.loadedRows],
    ['nested writes', limits.nestedWrites],
    ['operations of a transaction', limits.operations],
    ['bytes of an answer', limits.responseBytes],
  ]
  const limitLines = counted
    .filter(([, limit]) => limit < Infinity)
    .map(([what, limit]) => `- at most ${limit} ${what}`)
  return [
    'The arguments are not possible. Beside what the schemas say:',
    '',
    ...limitLines,
    '- `where` of `updateMany`, `deleteMany` and of nested ones is `{}` for all rows, or a condition that not all rows meet',
    '- `having` and `orderBy` of `groupBy` name fields of `by`, or aggregates',
    '- relations of relations in the answer of a write have `take`, unless the write makes all of their rows',
    '- `count` and `aggregate` take `cursor` where the order is by required fields, one of which is unique',
    ...(keys ? ['- the header `Idempotency-Key` is one text in double quotes'] : []),
    '- rows of one nested `create` all name their related rows in the same way: by relations, or by foreign keys',
    '- a JSON value has no member `__proto__`, and no text the character U+0000 or half of a surrogate pair',
    ...(dialect.provider.startsWith('postgres')
      ? ['- a filter on a JSON value with `mode: "insensitive"` has a `path`']
      : []),
    ...(dialect.provider === 'mysql'
      ? [
          '- of some filters on related rows, in `updateMany` and `deleteMany`, the client makes SQL that MySQL does not take',
        ]
      : []),
    ...(supportsFullText(dialect)
      ? [
          `- \`search\` has the syntax of the database${dialect.provider === 'mysql' ? ', and takes a full-text index' : ''}`,
          '- `search` does not stand in a filter whose `mode` is `insensitive`, at any depth',
        ]
      : []),
    ...(supportsLoadStrategy(dialect) && dialect.provider === 'mysql'
      ? ['- `relationLoadStrategy: "join"` takes MySQL 8.0.14; MariaDB does not have it']
      : []),
  ].join('\n')
}
