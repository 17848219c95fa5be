import type { ErrorCode } from '../../errors/error-codes.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { Parameter, Reference, ResponseObject } from '../document-types.js'
import { memoize } from '../../values/memoize.js'
import type { RestDocumentContext } from './rest-document-context.js'

/** The parameters and responses for preconditions on a versioned resource. */
export interface PreconditionComponents {
  readonly parameters: readonly Reference[]
  readonly responses: Readonly<Record<string, Reference>>
  /** The error codes of preconditions that are not met. */
  readonly codes: readonly ErrorCode[]
}

/** The ways in which a request can access a resource. */
export type ResourceUse = 'read' | 'change' | 'upsert'

const NONE: PreconditionComponents = { parameters: [], responses: {}, codes: [] }

/** Returns the preconditions on a model's resources. Empty if the model has no version. */
export function preconditionComponents(
  { model }: RestModel,
  use: ResourceUse,
  doc: RestDocumentContext,
): PreconditionComponents {
  const { version } = model
  if (!version) return NONE
  const cache = preconditionCache(doc)
  const isRequired = version.isRequired && use === 'change'
  const key = isRequired ? 'required' : use
  const found = cache.get(key) ?? createPreconditions(use, isRequired, doc)
  cache.set(key, found)
  return version.isRequired && use === 'upsert' ? { ...found, codes: [...found.codes, 'precondition-required'] } : found
}

const preconditionCache = memoize<RestDocumentContext, Map<string, PreconditionComponents>>(() => new Map())

function createPreconditions(
  use: ResourceUse,
  isRequired: boolean,
  { components }: RestDocumentContext,
): PreconditionComponents {
  const parameter = (key: string, name: string, description: string, required = false) =>
    components.parameter(key, (): Parameter => ({
      name,
      in: 'header',
      ...(required && { required }),
      description,
      schema: { type: 'string' },
    }))
  const ifMatch = (required: boolean) =>
    parameter(
      required ? 'if-match-required' : 'if-match',
      'If-Match',
      'The `ETag` received when the resource was read. The request succeeds only if the resource has not changed since. Only the part before the first dot is compared.',
      required,
    )
  if (use === 'read') {
    const ifNoneMatch = parameter(
      'if-none-match',
      'If-None-Match',
      'The `ETag` of a cached response. If the response would be the same, the status is 304.',
    )
    const unchanged = components.response('NotModified', () => ({
      description: 'The cached response is still valid.',
      headers: tagHeaders(components),
    }))
    return { parameters: [ifNoneMatch], responses: { 304: unchanged }, codes: ['bad-request', 'precondition-failed'] }
  }
  const insert = parameter(
    'if-none-match-any',
    'If-None-Match',
    'With `*`, the request only creates a resource, and never updates an existing one.',
  )
  return {
    parameters: use === 'upsert' ? [ifMatch(false), insert] : [ifMatch(isRequired)],
    responses: {},
    codes: ['bad-request', 'precondition-failed', ...(isRequired ? (['precondition-required'] as const) : [])],
  }
}

/** Returns the headers of a response with a resource: its `ETag`, if the model has a version. */
export function versionHeaders(
  { model }: RestModel,
  { components }: RestDocumentContext,
): Pick<ResponseObject, 'headers'> {
  return model.version ? { headers: tagHeaders(components) } : {}
}

function tagHeaders(components: RestDocumentContext['components']): NonNullable<ResponseObject['headers']> {
  return {
    ETag: components.header('ETag', () => ({
      description:
        'The version of the resource and, after a dot, a hash of the returned content. Omitted if the caller is not allowed to read the version.',
      schema: { type: 'string' },
    })),
  }
}

/** Returns the version-related error codes of operations on multiple models. */
export function versionCodes(models: readonly RestModel[]): readonly ErrorCode[] {
  const versions = models.flatMap(({ model }) => model.version ?? [])
  if (versions.length === 0) return []
  const isRequired = versions.some((version) => version.isRequired)
  return ['bad-request', 'precondition-failed', ...(isRequired ? (['precondition-required'] as const) : [])]
}
