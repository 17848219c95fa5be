import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import { type Described, operationsOf, responseOf } from './described.js'
import { drawOf, randomOf } from './draw.js'
import { type Validate, validatorOf } from './validator.js'

/** A request to an operation, with its arguments. */
export interface Call {
  readonly described: Described
  readonly args: unknown
}

/** A response and its log. */
export interface LoggedResponse {
  readonly status: number
  readonly body: unknown
  readonly logged: string
}

/** Handles a request. */
export type Send = (request: Request) => Promise<LoggedResponse>

/** Options for a random test. */
export interface Trial {
  readonly document: OpenApiDocument
  readonly base: string
  readonly send: Send
  /** Number of requests per operation. */
  readonly calls: number
  readonly seed: number
  /** Known errors of the fixture: missing views, and fields that no caller can set. */
  readonly ignoredLogs?: RegExp
}

const JSON_TYPE = 'application/json'

/**
 * Sends random valid requests of a document and returns the contradictions: an undocumented status, a body that does not
 * match, or an error that schemas could express.
 */
export async function findMismatches({
  document,
  base,
  send,
  calls,
  seed,
  ignoredLogs,
}: Trial): Promise<readonly string[]> {
  const validate = validatorOf(document)
  const draw = drawOf(document, randomOf(seed))
  const mismatches: string[] = []
  for (let round = 0; round < calls; round++) {
    for (const described of operationsOf(document)) {
      // Frequent deletes would leave no rows to read.
      if (described.method === 'delete' && round % 4 > 0) continue
      const args = draw(argumentsOf(described))
      const response = await send(requestOf({ described, args }, base))
      const mismatch = ignoredLogs?.test(response.logged)
        ? undefined
        : findMismatch({ described, args }, response, validate)
      if (mismatch === undefined) continue
      mismatches.push(
        `${described.method} ${described.path} ${JSON.stringify(args)}: ${mismatch} ${JSON.stringify(response)}`,
      )
    }
  }
  return mismatches
}

/** Returns the schema of an operation's arguments. */
export function argumentsOf({ parameters, requestBody, bodyOfPost }: Described): JsonSchema {
  const inQuery = parameters.find(({ name }) => name === 'q')?.schema?.contentSchema
  return inQuery ?? (requestBody ?? bodyOfPost)?.content[JSON_TYPE]?.schema ?? {}
}

/** Creates the request of a call. */
export function requestOf({ described: { method, path, requestBody }, args }: Call, base: string): Request {
  const json = JSON.stringify(args)
  if (!requestBody) return new Request(`${base}${path}?q=${encodeURIComponent(json)}`, { method: method.toUpperCase() })
  return new Request(base + path, {
    method: method.toUpperCase(),
    headers: { 'Content-Type': JSON_TYPE },
    body: json,
  })
}

/** Returns what contradicts the document in a response. */
export function findMismatch(
  { described, args }: Call,
  { status, body, logged }: LoggedResponse,
  validate: Validate,
): string | undefined {
  const declared = responseOf(described, status)
  if (!declared) return `${status} is not listed`
  const wrong = validate(declared.content?.[JSON_TYPE]?.schema ?? { not: {} }, body)
  if (wrong !== '') return `${status}: ${wrong}`
  if (status >= 500) return `${status}`
  if (![400, 415, 422].includes(status)) return undefined
  const { message } = body as { readonly message: string }
  const isMixed = MIXED.test(logged) && ROWS.test(JSON.stringify(args))
  return isMixed || EXPLAINED.some((reason) => reason.test(logged || message))
    ? undefined
    : `${status} without a reason`
}

/**
 * Errors of requests that match the schemas, because JSON Schema cannot express these rules. The document describes them in
 * words.
 */
const EXPLAINED: readonly RegExp[] = [
  // Limits.
  /The server sets this limit with the option limits\.\w+/,
  /must not nest deeper than/,
  /must not traverse/,
  /must not have more than/,
  /is more than \d+ relations deep/,
  /may add more than|would add more than|would have to be loaded/,
  // Combined conditions.
  /must contain a condition that not all rows match/,
  // Limits on related rows in the response to a write.
  /requires "take", because the write may not create/,
  // A maximum length of `omit` would change with each field of the model.
  /The omit statement includes every field/,
  // `groupBy`: only grouped fields can be used in orders and filters.
  /Every field used for orderBy must be included/,
  /Every field used in .* filters must either be an aggregation filter/,
  // `count` and `aggregate` with a cursor and an order by other fields.
  /Unable to process combination of query arguments for aggregation query/,
  // Filters on related rows for which Prisma sends SQL that MySQL rejects.
  /The column .* does not exist in the current database/,
  // Filters on a Json value without a path, for which Prisma sends SQL that PostgreSQL rejects.
  /function lower\(jsonb\) does not exist/,
  // Numbers out of range, in sums and arithmetic updates.
  /would exceed the range of its field|out of the range of its field|must not be 0/,
  /integer overflow|datatype mismatch|out of range/,
  // Column types that only the database checks.
  /A value does not fit its field|A value is too long for its field/,
  // A rule that is stricter than its JSON Schema.
  /is invalid/,
  // Searches, which always ignore case and have the syntax of the database.
  /must not combine "search" with an insensitive "mode"/,
  /syntax error in tsquery|no operand in tsquery/,
  // On MySQL, searches need an index and have their own syntax.
  /no full-text index|FULLTEXT index|full-text index|syntax error, unexpected/i,
  // Joins of relations, which MariaDB does not support.
  /`relationLoadStrategy: join` is not available/,
  // Missing foreign keys: optional relations set to null, and rows that cannot have relations.
  /must have a value/,
  /is required/,
]

/** Rows of one list that refer to related rows in different ways, by relations and by foreign keys. */
const MIXED = /Argument `[^`]+` is missing|Unknown argument `[^`]+`\. Did you mean/

const ROWS = /"create":\[\{.*\},\{/
