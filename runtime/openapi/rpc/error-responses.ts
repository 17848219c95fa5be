import type { ErrorCode } from '../../errors/error-codes.js'
import { supportsLoadStrategy, supportsFullText } from '../../prisma/dialect.js'
import type { HttpMethod, JsonSchema, Reference, ResponseObject } from '../document-types.js'
import {
  type AppErrors,
  clientErrorCodes,
  errorHeaders,
  listStatuses,
  mayHaveCustomCode,
  KEY_CODES,
  SERVER_ERROR,
} from '../operation-errors.js'
import type { Version } from '../../schema/version-field.js'
import { closedObject } from '../schemas/schema-builders.js'
import { type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'

const ARGUMENTS: readonly ErrorCode[] = ['invalid-arguments', 'invalid-value', 'forbidden']

/** The possible error codes of each source of arguments. The body of a DELETE is read to check that it is empty. */
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

/**
 * Creates a function that returns the error responses of operations (contract 7.3, 7.4): one for all client errors, which lists their
 * statuses, and one for server errors.
 */
export function errorResponses(doc: RpcDocumentContext, appErrors: AppErrors): ErrorResponsesFor {
  return (operation, method, version) => {
    const source = method === 'delete' ? 'DELETE' : method === 'get' ? 'query' : 'body'
    const codes = [
      ...ARGUMENTS,
      ...SOURCE_CODES[source],
      ...(CODES[operation] ?? []),
      ...versionCodes(operation, version),
    ]
    const statuses = [...clientErrorCodes(codes, appErrors).keys()]
    const name = NAMES.filter(([status]) => statuses.includes(status)).map(([, part]) => part)
    return {
      '4XX': doc.components.response(`${name.join('')}Error`, () =>
        response(statuses, `The request failed. Statuses: ${statuses.join(', ')}.`, doc, appErrors),
      ),
      '5XX': doc.components.response('ServerError', () => response(['5XX'], SERVER_ERROR, doc, appErrors)),
    }
  }
}

/** The parts of the names of error responses, by the statuses in which these responses differ. */
const NAMES: readonly (readonly [status: string, part: string])[] = [
  ['413', 'Body'],
  ['415', 'Json'],
  ['404', 'Row'],
  ['409', 'Write'],
  ['412', 'Version'],
  ['428', 'RequiredVersion'],
]

function response(
  statuses: readonly string[],
  description: string,
  doc: RpcDocumentContext,
  appErrors: AppErrors,
): ResponseObject {
  const hasCustomCode = statuses.some(
    (status) => mayHaveCustomCode(status, appErrors) || (doc.keys !== undefined && status in KEY_CODES),
  )
  return {
    description,
    ...errorHeaders(statuses),
    content: {
      'application/json': {
        schema: hasCustomCode ? customCodeError(doc) : ormError(doc),
        ...(statuses.includes('5XX') && { example: errorExample(500, SERVER_EXAMPLE) }),
      },
    },
  }
}

function errorExample(status: number, members: object): object {
  return { ...members, error: { status, ...members } }
}

function ormError(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'Error', () =>
    errorSchema(doc, { type: 'string', pattern: '^P\\d{4}$', description: PRISMAS }),
  )
}

/** Returns the schema of an error whose code the app may define. */
export function customCodeError(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'ErrorWithAppCode', () =>
    errorSchema(doc, {
      type: 'string',
      description: `${PRISMAS} Or a code that ${doc.keys ? 'starts with `idempotency-` or that ' : ''}the app defines.`,
    }),
  )
}

const AGAIN = 'The same error with its status, in the format that ZenStack clients expect.'
const PRISMAS = "Prisma's error code."

function errorSchema(doc: RpcDocumentContext, code: JsonSchema): JsonSchema {
  const issue = closedObject(
    {
      path: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Path in the arguments, as keys and indices.',
      },
      message: { type: 'string', description: 'Error message to show next to a form field.' },
      code: { type: 'string', description: 'The code of the violated rule or of the error.' },
      params: { type: 'object', description: 'Parameters of the rule.' },
    },
    ['path', 'message', 'code'],
  )
  const members = {
    orm: { const: true, description: 'The error is from the database client.' },
    rejectedByPolicy: { const: true, description: 'An access policy does not allow it.' },
    code,
    message: { type: 'string' },
    reason: { type: 'string', description: 'The reason given by an access policy, such as `RESULT_NOT_READABLE`.' },
    issues: { type: 'array', items: issue, minItems: 1 },
  }
  const again = {
    status: sharedSchema(doc, 'ErrorStatus', () => ({
      type: 'integer',
      minimum: 400,
      maximum: 599,
      description: describeStatuses(doc),
    })),
    rejectReason: { enum: ['no-access', 'cannot-read-back'], description: 'Present if `rejectedByPolicy` is true.' },
  }
  const nested = closedObject({ ...again, ...members }, ['status', 'message'])
  return {
    ...closedObject({ ...members, error: { ...nested, description: AGAIN } }, ['message', 'error']),
    examples: [errorExample(400, EXAMPLE)],
  }
}

const EXAMPLE = {
  message: 'Unknown name "titel" in where.',
  issues: [{ path: ['where', 'titel'], message: 'Unknown name "titel" in where.', code: 'invalid-arguments' }],
}

const SERVER_EXAMPLE = { message: 'Something went wrong. Error id: 0b1e9b1c-6f7a-4c1e-8f0a-1d2c3b4a5f60.' }

function describeStatuses(doc: RpcDocumentContext): string {
  const details = listStatuses({
    403: '`P2004` if an access policy does not allow it',
    404: '`P2025`, `P2015`, `P2017`, `P2018`',
    409: `\`P2002\` unique constraint, \`P2003\` and \`P2014\` related rows, \`P2034\` concurrent write${doc.keys ? IN_USE : ''}`,
    422: `If the database rejected it: \`P2000\`, \`P2004\`, \`P2011\`, \`P2020\`${doc.keys ? REUSED : ''}`,
  })
  return `The status of the response. Codes are in backticks.\n\n${details}\n\n${describeRules(doc)}`
}

const IN_USE =
  '. `idempotency-key-in-use`: a request with the same idempotency key is still running. `idempotency-response-lost`: its response is no longer available'
const REUSED = '. `idempotency-key-reused`: the idempotency key was already used for a different request'

/** Describes the constraints on arguments that schemas cannot express. */
function describeRules({ limits, dialect, keys }: RpcDocumentContext): string {
  const limitTexts: readonly (readonly [what: string, most: number])[] = [
    ['levels of nesting', limits.depth],
    ['values in total', limits.nodes],
    ['relations that one filter or order traverses', limits.filterRelations],
    ['points as the total cost of filters and orders', limits.filterCost],
    ['nested to-many relations that a filter traverses', limits.toManyDepth],
    ['levels of included relations', limits.includeDepth],
    ['rows from relations', limits.includedRows],
    ['rows without `take`', limits.rows],
    ['rows that the client loads for the response', limits.loadedRows],
    ['nested writes', limits.nestedWrites],
    ['operations per transaction', limits.operations],
    ['bytes in a response', limits.responseBytes],
  ]
  const limitLines = limitTexts
    .filter(([, limit]) => limit < Infinity)
    .map(([label, limit]) => `- at most ${limit} ${label}`)
  return [
    'In addition to the schemas, these rules apply to arguments:',
    '',
    ...limitLines,
    '- `where` of `updateMany` and `deleteMany`, also if nested, must be `{}` for all rows, or a condition that not all rows match',
    '- `omit` must leave at least one field',
    '- `having` and `orderBy` of `groupBy` must use fields of `by` or aggregates',
    '- nested relations in the response to a write must have `take`, unless the write creates all of their rows',
    '- `count` and `aggregate` support `cursor` only if the order consists of required fields and includes a unique one',
    ...(keys ? ['- the header `Idempotency-Key` must be one string in double quotes'] : []),
    '- the rows of one nested `create` must all refer to related rows in the same way: by relations or by foreign keys',
    '- a JSON value must not have a member `__proto__`, and a string must not contain the character U+0000 or a lone surrogate',
    ...(dialect.provider.startsWith('postgres')
      ? ['- a filter on a JSON value with `mode: "insensitive"` must have a `path`']
      : []),
    ...(dialect.provider === 'mysql'
      ? [
          '- some filters on related rows in `updateMany` and `deleteMany` are not supported, because MySQL rejects the SQL of the client',
        ]
      : []),
    ...(supportsFullText(dialect)
      ? [
          `- \`search\` uses the syntax of the database${dialect.provider === 'mysql' ? ' and requires a full-text index' : ''}`,
          '- `search` must not be in a filter whose `mode` is `insensitive`, at any depth',
        ]
      : []),
    ...(supportsLoadStrategy(dialect) && dialect.provider === 'mysql'
      ? ['- `relationLoadStrategy: "join"` requires MySQL 8.0.14 and is not available on MariaDB']
      : []),
  ].join('\n')
}
