import { assertFeatures, missingFeatureError, type RequiredFeature } from '../http/feature.js'
import { lifecycleFeatures } from '../http/lifecycle.js'
import { parseLimits } from '../limits.js'
import { parsePositive, assertAllowedKeys } from '../option-checks.js'
import type { Resource } from '../schema/resource.js'
import type { Schema } from '../schema/model.js'
import type { RestOptions } from './rest-options.js'
import { describePageParameters } from './request/query/parse-page.js'
import { createFamilies } from './request/query/parse-query.js'
import type { RestFeatureName, RestFeatures } from './rest-features.js'
import type { RestRouters } from './rest-router.js'
import type { Settings } from './settings.js'
import { LEGAL_NAME } from './rest-model.js'

/** The feature that each option requires. Other options require none. */
const OPTION_FEATURES = {
  atomicOperations: ['rest', 'atomic'],
  computed: ['files', 'computed'],
  ...lifecycleFeatures('rest'),
} as const satisfies Partial<Record<keyof RestOptions, RequiredFeature<RestFeatureName>>>
const OPTIONS = [
  ...([
    'endpoint',
    'pageSize',
    'maxPageSize',
    'pagination',
    'total',
    'modelNameMapping',
    'externalIdMapping',
    'strict',
    'databaseMessages',
    'routes',
    'limits',
    'hooks',
    'openapi',
    'idempotency',
  ] satisfies readonly (keyof RestOptions)[]),
  ...Object.keys(OPTION_FEATURES),
]
const DEFAULT_PAGE_SIZE = 100
const DEFAULT_MAX_PAGE_SIZE = 1000

/**
 * Validates the options of a REST handler (contract 2.1).
 * @throws Error if an option is invalid, with a message that describes the fix
 */
export function parseSettings(
  options: Omit<RestOptions<RestRouters>, 'hooks' | 'routes' | 'idempotency'>,
  schema: Schema,
  features: RestFeatures,
): Settings {
  assertAllowedKeys('option', options, OPTIONS)
  assertFeatures({ ...options }, OPTION_FEATURES, features)
  if (options.pagination === 'cursor' && !features.cursors)
    throw missingFeatureError('pagination: "cursor"', 'rest', 'cursors')
  const pageSize = parsePositive('pageSize', options.pageSize ?? DEFAULT_PAGE_SIZE)
  const maxPageSize = parsePositive('maxPageSize', options.maxPageSize ?? Math.max(DEFAULT_MAX_PAGE_SIZE, pageSize))
  if (maxPageSize < pageSize)
    throw new Error(`maxPageSize (${maxPageSize}) must not be smaller than pageSize (${pageSize}).`)
  const mapping = parseMapping('modelNameMapping', options.modelNameMapping, schema)
  const externalIds = parseMapping('externalIdMapping', options.externalIdMapping, schema)
  for (const [name, criterion] of externalIds) checkCriterion(schema, name, criterion)
  checkPathNames(mapping)
  const typeOf = (model: string) => mapping.get(model) ?? model.toLowerCase()
  const settings: Settings = {
    endpoint: parseEndpoint(options.endpoint),
    pageSize,
    maxPageSize,
    pagination: oneOf('pagination', options.pagination ?? 'offset', ['offset', 'cursor']),
    total: oneOf('total', options.total ?? 'exact', ['exact', 'none']),
    strict: options.strict ?? false,
    databaseMessages: options.databaseMessages ?? false,
    limits: parseLimits(options.limits),
    features,
    families: createFamilies(
      [features.fullText, features.includedLists, features.relatedCounts].flatMap((feature) => feature?.families ?? []),
      describePageParameters(features),
    ),
    typeOf,
    isExposed: (model) => mapping.size === 0 || mapping.has(model),
    getAliases: (model) => (mapping.size > 0 ? [] : [schema.get(model)?.delegate ?? model, model]),
    externalId: (model) => externalIds.get(model),
  }
  checkTypes(schema, typeOf)
  return settings
}

function oneOf<const T extends string>(option: string, value: T, values: readonly T[]): T {
  if (values.includes(value)) return value
  throw new Error(`${option} must be ${values.map((allowed) => `"${allowed}"`).join(' or ')}.`)
}

function parseEndpoint(endpoint: unknown): string {
  const isUrl =
    typeof endpoint === 'string' && /^https?:\/\/[^/?#\s\\][^?#\s\\]*$/i.test(endpoint) && URL.canParse(endpoint)
  const { username, password } = isUrl ? new URL(endpoint) : { username: '', password: '' }
  if (!isUrl || username || password) {
    throw new Error(
      `endpoint must be an absolute http or https URL without query, fragment or credentials, such as ` +
        `"https://example.org/api", but is ${JSON.stringify(endpoint)}.`,
    )
  }
  return endpoint.replace(/\/+$/, '')
}

function parseMapping(
  option: string,
  mapping: Readonly<Record<string, string | undefined>> | undefined,
  schema: Schema,
): ReadonlyMap<string, string> {
  const parsed = new Map<string, string>()
  for (const [model, value] of Object.entries(mapping ?? {})) {
    if (!schema.has(model)) {
      throw new Error(`${option} names "${model}", which is not a model. Models: ${[...schema.keys()].join(', ')}.`)
    }
    if (value === undefined) continue
    if (typeof value !== 'string') throw new Error(`${option}.${model} must be a string.`)
    parsed.set(model, value)
  }
  return parsed
}

function checkCriterion(schema: Schema, model: string, criterion: string): void {
  const uniques = schema.get(model)?.uniques
  if (uniques?.has(criterion)) return
  const available = [...(uniques?.keys() ?? [])].join(', ')
  throw new Error(
    `externalIdMapping.${model}: "${criterion}" is not a unique key of ${model}. Unique keys: ${available}.`,
  )
}

/** A path name is also a resource `type`, so it must be a valid member name of JSON:API. */
function checkPathNames(mapping: ReadonlyMap<string, string>): void {
  for (const [model, name] of mapping) {
    if (LEGAL_NAME.test(name)) continue
    throw new Error(
      `modelNameMapping.${model}: "${name}" is not a valid path name. It must consist of letters, digits, "-" and "_", ` +
        'and start and end with a letter or a digit.',
    )
  }
}

function checkTypes(schema: Schema, typeOf: (model: string) => string): void {
  const byType = new Map<string, string>()
  for (const model of schema.keys()) {
    const other = byType.get(typeOf(model))
    if (other !== undefined) {
      throw new Error(
        `${other} and ${model} have the same path name "${typeOf(model)}". Give one of them a different name in modelNameMapping.`,
      )
    }
    byType.set(typeOf(model), model)
  }
}

/** Returns the resources of a handler's routes, by model name. */
export function getResources(routes: RestRouters): ReadonlyMap<string, Resource> {
  return new Map(Object.values(routes).map(({ resource }) => [resource.model, resource]))
}
