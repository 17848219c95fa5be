import type { ErrorCode } from '../../errors/codes.js'
import type { RestModel } from '../../rest/model.js'
import type { Parameter, Reference, ResponseObject } from '../document.js'
import { memoize } from '../memoize.js'
import type { RestDocumentContext } from './context.js'

/** What requests about a resource that has versions may say of it, and are answered with. */
export interface PreconditionSchemas {
  readonly parameters: readonly Reference[]
  readonly responses: Readonly<Record<string, Reference>>
  /** Why it may be refused. */
  readonly codes: readonly ErrorCode[]
}

/** How a request can be about a resource. */
export type ResourceUse = 'read' | 'change' | 'upsert'

const NONE: PreconditionSchemas = { parameters: [], responses: {}, codes: [] }

/** What may be said of a model's resources: nothing where they have no versions. */
export function preconditionSchemas(
  { model }: RestModel,
  use: ResourceUse,
  described: RestDocumentContext,
): PreconditionSchemas {
  const { version } = model
  if (!version) return NONE
  const known = made(described)
  const isRequired = version.isRequired && use === 'change'
  const key = isRequired ? 'required' : use
  const found = known.get(key) ?? conditions(use, isRequired, described)
  known.set(key, found)
  return version.isRequired && use === 'upsert' ? { ...found, codes: [...found.codes, 'precondition-required'] } : found
}

const made = memoize<RestDocumentContext, Map<string, PreconditionSchemas>>(() => new Map())

function conditions(use: ResourceUse, isRequired: boolean, { components }: RestDocumentContext): PreconditionSchemas {
  const parameter = (key: string, name: string, description: string, required = false) =>
    components.parameter(key, (): Parameter => ({
      name,
      in: 'header',
      ...(required && { required }),
      description,
      schema: { type: 'string' },
    }))
  const among = (required: boolean) =>
    parameter(
      required ? 'if-match-required' : 'if-match',
      'If-Match',
      'The tag that the resource was read with: it is changed only where nobody has changed it since. What stands before the first dot of a tag counts.',
      required,
    )
  if (use === 'read') {
    const known = parameter(
      'if-none-match',
      'If-None-Match',
      'The tag of an answer that the caller has: the answer is 304 where it would be the same.',
    )
    const unchanged = components.response('NotModified', () => ({
      description: 'The caller has the answer already.',
      headers: tagHeaders(components),
    }))
    return { parameters: [known], responses: { 304: unchanged }, codes: ['bad-request'] }
  }
  const insert = parameter('if-none-match-any', 'If-None-Match', '`*` only creates, and updates nothing that is there.')
  return {
    parameters: use === 'upsert' ? [among(false), insert] : [among(isRequired)],
    responses: {},
    codes: ['bad-request', 'precondition-failed', ...(isRequired ? (['precondition-required'] as const) : [])],
  }
}

/** The headers of an answer with a resource: its tag, where it has versions. */
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
        'The revision of the resource and, behind a dot, what of it is shown. Not there where the caller may not read the version.',
      schema: { type: 'string' },
    })),
  }
}

/** Why operations on several models may be refused because of their versions. */
export function versionCodes(models: readonly RestModel[]): readonly ErrorCode[] {
  const versions = models.flatMap(({ model }) => model.version ?? [])
  if (versions.length === 0) return []
  const isRequired = versions.some((version) => version.isRequired)
  return ['bad-request', 'precondition-failed', ...(isRequired ? (['precondition-required'] as const) : [])]
}
