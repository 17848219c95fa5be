import type { Finding, Severity } from '../change.js'
import { capitalize, quote } from '../phrases.js'
import { compareDefaults, compareSchemas, OTHER_PROPERTIES, type SchemaDifference } from './compare-schemas.js'
import { contentSchema, entries, getMember, resolveReference } from './document-members.js'
import { type DocumentFinding, getRouteName } from './document-changes.js'
import { type DocumentOperation, type DocumentSummary, findSameOperation } from './document-summary.js'
import type { ReplacedRoutes } from './find-replaced-routes.js'
import { isTransaction, readTransactionCalls, type TransactionCalls } from './read-transaction-calls.js'
import type { SchemaEffects } from './schema-effects.js'

/**
 * Compares the input, result and error codes of custom routes that exist in both documents or replace another one. The schema comparison
 * reports those of emitted operations.
 */
export function compareCustomRoutes(
  oldSummary: DocumentSummary,
  newSummary: DocumentSummary,
  effects: SchemaEffects,
  replaced: ReplacedRoutes,
): readonly DocumentFinding[] {
  const oldOperations = new Map(
    oldSummary.operations.map((operation) => [routeKey(replaced.get(operation) ?? operation), operation]),
  )
  const [oldCalls, newCalls] = [readTransactionCalls(oldSummary), readTransactionCalls(newSummary)]
  return newSummary.operations.flatMap((operation) => {
    const old = oldOperations.get(routeKey(operation)) ?? findSameOperation(operation, oldSummary.operations)
    if (!old || isTransaction(operation) || effects.isEmitted(operation)) return []
    const { model } = operation
    const route = getRouteName(operation)
    const [before, after] = [
      toContract(old, oldSummary.document, oldCalls, effects),
      toContract(operation, newSummary.document, newCalls, effects),
    ]
    const about = { operation: route, ...(model !== undefined && { model }) }
    return compareContracts(before, after, route).map((each) => ({ ...each, ...about }))
  })
}

function routeKey({ method, path, model }: DocumentOperation): string {
  return `${model} ${method} ${path}`
}

/** The input, the result and the errors of a route. */
interface RouteContract {
  /** The schema of the query parameters. */
  readonly query: unknown
  /** The schema of the body, or of the arguments in the query of an RPC route. */
  readonly body: unknown
  /** The schema of the result. Undefined if there is none. */
  readonly result: unknown
  /** The statuses of the error codes that the route declares, by code. */
  readonly errors: ReadonlyMap<string, string>
  /** Whether the route accepts the parameters of generated lists. They are not part of the query or the body. */
  readonly acceptsListParameters: boolean
  /** Names of the most important of these parameters in the style of the document. */
  readonly listParameters: string
  /** Whether transactions can call the route. Undefined if the API has no transactions. */
  readonly isCallableInTransactions: boolean | undefined
}

function toContract(
  operation: DocumentOperation,
  document: unknown,
  isCallable: TransactionCalls,
  effects: SchemaEffects,
): RouteContract {
  const { name, model, source } = operation
  const allParameters = entries(getMember(source, 'parameters')).map(([, parameter]) => parameter)
  // Referenced parameters and the full-text search belong to the style or to a model.
  const parameters = allParameters.filter(
    (parameter) =>
      getMember(parameter, 'in') === 'query' && !String(getMember(parameter, 'name')).startsWith('fullText['),
  )
  const args = parameters
    .map((parameter) => getMember(parameter, 'schema', 'contentSchema'))
    .find((schema) => schema !== undefined)
  const body = resolveReference(document, args ?? contentSchema(getMember(source, 'requestBody')))
  // The schemas that apps declare contain no references to components.
  const acceptsListParameters =
    allParameters.some((parameter) => getMember(parameter, '$ref') === '#/components/parameters/page-limit') ||
    entries(getMember(body, 'allOf')).some(([, schema]) => getMember(schema, '$ref') !== undefined)
  const responses = getMember(source, 'responses')
  return {
    query: args === undefined ? toObjectSchema(parameters) : NO_INPUT,
    body: body === undefined ? NO_INPUT : toRouteInput(body, effects.rowArguments(model), acceptsListParameters),
    result: resultSchema(getMember(responses, '200'), name, document),
    errors: collectErrors(responses),
    acceptsListParameters,
    listParameters: args === undefined ? '`filter`, `sort` and `page`' : '`where`, `orderBy` and `take`',
    isCallableInTransactions: isCallable(operation),
  }
}

const NO_INPUT = { type: 'object' }

/** Returns the schema of a body without what RPC adds to it: the id and the version of the row, and the arguments of lists. */
function toRouteInput(schema: unknown, rowArguments: ReadonlySet<string>, acceptsListParameters: boolean): unknown {
  const { properties, required, allOf, not, unevaluatedProperties, ...others }: Record<string, unknown> = Object(schema)
  const added = new Set([...rowArguments, ...(acceptsListParameters ? LIST_ARGUMENTS : [])])
  const ownProperties = entries(properties).filter(([name]) => !added.has(name))
  return {
    ...others,
    // Lists without declared properties are closed, but other routes without them are open.
    ...(acceptsListParameters
      ? ownProperties.length > 0 && { additionalProperties: unevaluatedProperties }
      : { allOf, not, unevaluatedProperties }),
    properties: Object.fromEntries(ownProperties),
    required: entries(required).flatMap(([, name]) => (added.has(String(name)) ? [] : [name])),
  }
}

/** The arguments of RPC lists that documents describe next to those of the route. The others are in referenced schemas. */
const LIST_ARGUMENTS = ['distinct', 'relationLoadStrategy']

function toObjectSchema(parameters: readonly unknown[]): unknown {
  // A schema without listed properties, such as a union, is that of one parameter, which stands for all of them.
  const whole = parameters.find((parameter) => getMember(parameter, 'explode') === true)
  if (whole !== undefined) return getMember(whole, 'schema')
  const named = parameters.map((parameter) => [String(getMember(parameter, 'name')), parameter] as const)
  return {
    ...NO_INPUT,
    properties: Object.fromEntries(named.map(([name, parameter]) => [name, getMember(parameter, 'schema')])),
    required: named.flatMap(([name, parameter]) => (getMember(parameter, 'required') === true ? [name] : [])),
  }
}

/** Returns the schema of a route's result without the envelope of the style. Resources and rows remain references. */
function resultSchema(response: unknown, name: string, document: unknown): unknown {
  const schema = resolveReference(document, contentSchema(resolveReference(document, response)))
  const data = getMember(schema, 'properties', 'data')
  // RPC transactions share the schema of a result, which is then a component with the name of the route.
  const shared = `#/components/schemas/${capitalize(name)}Result`
  const result = getMember(data, '$ref') === shared ? resolveReference(document, data) : data
  if (getMember(result, 'type') === 'null') return undefined
  return result ?? getMember(schema, 'properties', 'meta', 'properties', 'result') ?? schema
}

/** Reads the codes from the descriptions that the runtime writes. */
function collectErrors(responses: unknown): ReadonlyMap<string, string> {
  return new Map(
    entries(responses).flatMap(([status, response]) => {
      const [, codes = ''] = /^Codes of the route: (.*?)\. /.exec(String(getMember(response, 'description'))) ?? []
      return [...codes.matchAll(/`([^`]+)`/g)].map(([, code = '']) => [code, status] as const)
    }),
  )
}

type Description = Pick<Finding, 'kind' | 'code' | 'detail' | 'sentence'>

function compareContracts(before: RouteContract, after: RouteContract, name: string): readonly Description[] {
  return [
    ...compareInputs(before.query, after.query, name, 'the query'),
    ...compareInputs(before.body, after.body, name, 'the body'),
    ...compareResults(before.result, after.result, name),
    ...compareErrors(before.errors, after.errors, name),
    ...compareSupport(before.acceptsListParameters, after.acceptsListParameters, name, 'list', {
      added: `now accepts list parameters such as ${after.listParameters}`,
      removed: `no longer accepts list parameters such as ${before.listParameters}: requests that contain them are rejected, or the parameters are ignored`,
    }),
    ...compareSupport(before.isCallableInTransactions, after.isCallableInTransactions, name, 'transaction', {
      added: 'can now be part of a transaction',
      removed: 'can no longer be part of a transaction: operations that call it are rejected',
    }),
  ]
}

/** @param predicates the effects of support that is added or removed */
function compareSupport(
  before: boolean | undefined,
  after: boolean | undefined,
  name: string,
  codePrefix: string,
  predicates: Readonly<Record<'added' | 'removed', string>>,
): readonly Description[] {
  if (before === undefined || after === undefined || before === after) return []
  const effect = after ? 'added' : 'removed'
  const sentence = `${quote(name)} ${predicates[effect]}.`
  return [{ kind: after ? 'loosened' : 'breaking', code: `${codePrefix}-${effect}`, detail: name, sentence }]
}

/** The description of a schema that has no JSON form, for example because it is recursive. */
const UNDESCRIBED = 'The API description does not contain the schema of this value.'

function isUndescribed(schema: unknown): boolean {
  return getMember(schema, 'description') === UNDESCRIBED
}

function compareInputs(before: unknown, after: unknown, name: string, whole: string): readonly Description[] {
  if (isUndescribed(before) || isUndescribed(after)) return []
  return [
    ...compareSchemas(before, after).map((each) => {
      const effect = each.effect === 'added' && each.isRequired ? 'required' : each.effect
      return describe(each, INPUT[effect], name, whole)
    }),
    ...compareDefaults(before, after).map((each) => describe(each, DEFAULT, name, whole)),
  ]
}

function compareResults(before: unknown, after: unknown, name: string): readonly Description[] {
  if (isUndescribed(before) || isUndescribed(after)) return []
  if (before !== undefined && after !== undefined) {
    // Clients ignore properties that they do not know.
    const differences = compareSchemas(withClientTypes(before), withClientTypes(after)).filter(
      ({ predicate }) => predicate !== OTHER_PROPERTIES,
    )
    return differences.map((each) => describe(each, RESULT[each.effect], name, 'the result'))
  }
  if (before === after) return []
  const effect = before === undefined ? 'added' : 'removed'
  return [describe({ path: '' }, RESULT[effect], name, 'a result')]
}

/**
 * Replaces the type of dates and bigints, which the typed clients do not return as strings. zod and ArkType add a pattern to the format of a
 * string that contains a date, and other strings that contain an integer rarely have the pattern of a bigint.
 */
function withClientTypes(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) => {
    if (getMember(value, 'type') !== 'string') return value
    const [format, pattern] = [getMember(value, 'format'), getMember(value, 'pattern')]
    if (format === 'date-time' && pattern === undefined) return { ...Object(value), type: 'Date' }
    return pattern === BIGINT_PATTERN && format === undefined ? { ...Object(value), type: 'bigint' } : value
  })
}

/** The pattern of bigints in the documents of the runtime. */
const BIGINT_PATTERN = '^-?[0-9]+$'

type Wording = readonly [
  kind: Severity,
  code: string,
  sentence: (route: string, value: string, predicate: string) => string,
]
type Wordings = Readonly<Record<SchemaDifference['effect'], Wording>>

const MAY_BE_REJECTED = 'requests that were accepted before may be rejected.'
const MAY_BREAK = 'callers that expect the old values may break.'

const INPUT: Wordings = {
  added: ['loosened', 'input-added', (route, value) => `${route} now accepts ${value}.`],
  required: [
    'breaking',
    'input-required',
    (route, value) => `${route} now requires ${value}: requests without it are rejected.`,
  ],
  optional: ['loosened', 'input-optional', (route, value) => `${route} no longer requires ${value}.`],
  removed: [
    'breaking',
    'input-removed',
    (route, value) =>
      `${route} no longer accepts ${value}: requests that contain it are rejected, or the value is ignored.`,
  ],
  wider: ['loosened', 'input-looser', (route, value, is) => `In requests to ${route}, ${value} ${is}.`],
  narrower: [
    'breaking',
    'input-stricter',
    (route, value, is) => `In requests to ${route}, ${value} ${is}: ${MAY_BE_REJECTED}`,
  ],
  different: [
    'breaking',
    'input-changed',
    (route, value, is) => `In requests to ${route}, ${value} ${is}: ${MAY_BE_REJECTED}`,
  ],
}

const DEFAULT: Wording = [
  'breaking',
  'default-changed',
  (route, value, is) => `In requests to ${route}, ${value} ${is}: responses to requests without it may differ.`,
]

const RESULT: Wordings = {
  added: ['exposure', 'result-added', (route, value) => `Responses of ${route} now contain ${value}.`],
  removed: ['breaking', 'result-removed', (route, value) => `Responses of ${route} no longer contain ${value}.`],
  required: ['harmless', 'result-narrowed', (route, value) => `Responses of ${route} now always contain ${value}.`],
  optional: [
    'breaking',
    'result-changed',
    (route, value) => `Responses of ${route} may no longer contain ${value}: callers that expect it may break.`,
  ],
  wider: ['breaking', 'result-changed', (route, value, is) => `In responses of ${route}, ${value} ${is}: ${MAY_BREAK}`],
  narrower: ['harmless', 'result-narrowed', (route, value, is) => `In responses of ${route}, ${value} ${is}.`],
  different: [
    'breaking',
    'result-changed',
    (route, value, is) => `In responses of ${route}, ${value} ${is}: ${MAY_BREAK}`,
  ],
}

/** @param whole the words for the whole value */
function describe(
  { path, predicate = '' }: Pick<SchemaDifference, 'path' | 'predicate'>,
  [kind, code, write]: Wording,
  name: string,
  whole: string,
): Description {
  const detail = [name, path, predicate.replaceAll('`', '')].filter((part) => part !== '').join(' ')
  return { kind, code, detail, sentence: write(quote(name), path === '' ? whole : quote(path), predicate) }
}

function compareErrors(
  before: RouteContract['errors'],
  after: RouteContract['errors'],
  name: string,
): readonly Description[] {
  const route = quote(name)
  const added = [...after].flatMap(([code, status]): Description[] => {
    const [old, error] = [before.get(code), quote(code)]
    const detail = `${name} ${code}`
    if (old === undefined) {
      const sentence = `${route} can now fail with ${error} (${status}).`
      return [{ kind: 'harmless', code: 'error-added', detail, sentence }]
    }
    if (old === status) return []
    const sentence = `${route} now responds to the error ${error} with ${status} instead of ${old}.`
    return [{ kind: 'breaking', code: 'error-status', detail: `${detail} ${old} -> ${status}`, sentence }]
  })
  const removed = [...before.keys()].filter((code) => !after.has(code))
  return [
    ...added,
    ...removed.map((code): Description => {
      const sentence = `${route} no longer fails with ${quote(code)}.`
      return { kind: 'harmless', code: 'error-removed', detail: `${name} ${code}`, sentence }
    }),
  ]
}
