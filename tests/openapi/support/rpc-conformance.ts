import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document.js'
import { type Described, operationsOf, responseOf } from './described.js'
import { drawOf, randomOf } from './draw.js'
import { type Validate, validatorOf } from './validator.js'

/** A request to an operation: its arguments. */
export interface Call {
  readonly described: Described
  readonly args: unknown
}

/** An answer, and what the log has of it. */
export interface LoggedResponse {
  readonly status: number
  readonly body: unknown
  readonly logged: string
}

/** Answers a request. */
export type Send = (request: Request) => Promise<LoggedResponse>

/** What is tried. */
export interface Trial {
  readonly document: OpenApiDocument
  readonly base: string
  readonly send: Send
  /** How many requests to each operation. */
  readonly calls: number
  readonly seed: number
  /** What answers of the fixture are known for: its views that are not there, its fields that nobody fills in. */
  readonly ignoredLogs?: RegExp
}

const JSON_TYPE = 'application/json'

/**
 * Draws requests that the document says are right, and gives what the answers give the lie to: a status that is not listed, a body that is
 * not as it says, a refusal without a reason that schemas cannot say.
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
      // Too many of them would leave nothing to read.
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

/** The schema of an operation's arguments. */
export function argumentsOf({ parameters, requestBody }: Described): JsonSchema {
  if (requestBody) return requestBody.content[JSON_TYPE]?.schema ?? {}
  return parameters.find(({ name }) => name === 'q')?.schema?.contentSchema ?? {}
}

/** The request of a call. */
export function requestOf({ described: { method, path, requestBody }, args }: Call, base: string): Request {
  const json = JSON.stringify(args)
  if (!requestBody) return new Request(`${base}${path}?q=${encodeURIComponent(json)}`, { method: method.toUpperCase() })
  return new Request(base + path, {
    method: method.toUpperCase(),
    headers: { 'Content-Type': JSON_TYPE },
    body: json,
  })
}

/** What an answer gives the lie to. */
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

/** Why requests are refused that the schemas let through: what JSON Schema cannot say. The document says it in words. */
const EXPLAINED: readonly RegExp[] = [
  // Limits.
  /The option limits\.\w+ raises this limit/,
  /must not nest deeper than/,
  /must not reach/,
  /must not hold more than/,
  /is more than \d+ relations deep/,
  /may add more than|would add more than|would have to be loaded/,
  // What conditions mean together.
  /must hold a condition that not all rows meet/,
  // The members of rows that a write answers.
  /needs "take" in the response to a write/,
  // `groupBy`: what is ordered and filtered by is grouped by.
  /Every field used for orderBy must be included/,
  /Every field used in .* filters must either be an aggregation filter/,
  // `count` and `aggregate` from a cursor on, in an order that is not that of the cursor.
  /Unable to process combination of query arguments for aggregation query/,
  // Filters on related rows of which the client makes SQL that MySQL does not take.
  /The column .* does not exist in the current database/,
  // Filters on a Json value without a path, of which the client makes SQL that Postgres does not take.
  /function lower\(jsonb\) does not exist/,
  // Numbers that leave their range, in sums and by arithmetic.
  /would leave the range of its field|out of the range of its field|must not be 0/,
  /integer overflow|datatype mismatch|out of range/,
  // What only the database knows of its columns.
  /A value does not fit its field|A value is too long for its field/,
  // A rule that is more than its JSON Schema says.
  /is not acceptable/,
  // Searches, which ignore case as they are, and have a syntax of the database's own.
  /must not hold "search" where "mode"/,
  /syntax error in tsquery|no operand in tsquery/,
  // On MySQL they take an index, and have a syntax of their own.
  /no full-text index|FULLTEXT index|full-text index|syntax error, unexpected/i,
  // Joins of relations, which MariaDB does not have.
  /`relationLoadStrategy: join` is not available/,
  // Foreign keys that nothing fills in: of optional relations to nothing, and of rows that take no relations.
  /must have a value/,
  /must be given/,
]

/** Rows of one list that name their related rows in different ways, by relations and by foreign keys. */
const MIXED = /Argument `[^`]+` is missing|Unknown argument `[^`]+`\. Did you mean/

const ROWS = /"create":\[\{.*\},\{/
