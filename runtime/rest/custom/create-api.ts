import type { Context } from 'hono'

import { readableRequest } from '../../http/body.js'
import { decodeSegment } from '../../http/decode.js'
import { mergeContextHeaders } from '../../http/merge-headers.js'
import { getBindings, getRequestClient } from '../../http/custom-routes.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { withQueryStrategy } from '../../orm/load-strategy.js'
import { jsonPath, type Parser } from '../../values/parser.js'
import { notFoundError, parseResponseShape, type RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import { childPointer, errorAt, parseDocument } from '../request/body.js'
import { parseListQuery } from '../request/list-query.js'
import { parseId, uniqueWhere } from '../request/id.js'
import { parseInclude } from '../request/include.js'
import { checkAccept } from '../request/negotiation.js'
import { toSkipTake, parseOffsetPage } from '../request/page.js'
import { COLLECTION, parseQuery, SINGLE } from '../request/query.js'
import { type ReplyQuery, replyWith } from './reply.js'
import type { ErasedRestApi } from './rest-api.js'

/** Makes what routes of the user's own are given in the REST style. */
export function createRestApi(context: RestContext): ErasedRestApi {
  const { limits } = context.settings
  // What the query of a request says, which is read before anything is written and used when it is answered.
  const asked = new WeakMap<Context, Map<RestModel, ReplyQuery>>()
  const askedOf = (c: Context, model: RestModel, isList = false): ReplyQuery => {
    const known = asked.get(c) ?? new Map<RestModel, ReplyQuery>()
    const before = known.get(model)
    if (before && (before.page || !isList)) return before
    const now = readAsked(c, model, context, isList)
    asked.set(c, known.set(model, now))
    return now
  }

  return {
    context: (c) => getBindings(c).getContext(),
    orm: getRequestClient,
    id(c, name, parameter = 'id') {
      const model = modelOf(name, context)
      const id = parameterOf(c, parameter)
      const values = id === undefined ? undefined : parseId(model.id, id)
      if (!values) throw notFoundError(model)
      return uniqueWhere(model.id, values)
    },
    select: (c, name) => askedOf(c, modelOf(name, context)).selection.args,
    query(c, name) {
      const model = modelOf(name, context)
      const { shown, selection, page } = askedOf(c, model, true)
      const { where = {}, orderBy } = parseListQuery(shown.query, model, shown.include, context)
      const asked = { where, orderBy, skip: 0, ...selection.args }
      const args = context.cutLists ? withQueryStrategy(model.model, asked) : asked
      return page ? { ...args, ...toSkipTake(page) } : args
    },
    async body(c, parser) {
      const document = await parseDocument(await readableRequest(c.req), limits)
      return parser ? parsed(document, parser) : document
    },
    async reply(c, name, rows, options) {
      const model = modelOf(name, context)
      return mergeContextHeaders(c, await replyWith(c, model, rows, askedOf(c, model), context, options))
    },
  }
}

/** @throws Error for a model that is not served: a mistake of the route's */
function modelOf(name: string, { models }: RestContext): RestModel {
  const model = models.get(name)
  if (model) return model
  throw new Error(`"${name}" is no model that is served here. There are: ${[...models.keys()].join(', ')}.`)
}

function readAsked(c: Context, model: RestModel, context: RestContext, isList: boolean): ReplyQuery {
  const { settings, selector } = context
  checkAccept(c.req.header('Accept'))
  const query = parseQuery(c.req.url, isList ? COLLECTION : SINGLE)
  const shown = parseResponseShape(query, parseInclude(query, model, context), undefined, context)
  const selection = selector.select(model, shown.include, shown.fieldsets)
  return { shown, selection, ...(isList && { page: parseOffsetPage(query, settings) }) }
}

/** A parameter of the path. Hono decodes what is no percent-encoded UTF-8 in part; here it is no id. */
function parameterOf(c: Context, name: string): string | undefined {
  const given = c.req.param(name)
  if (given === undefined) throw new Error(`The path of this route has no parameter ":${name}".`)
  const segments = getBindings(c).path.split('/')
  return segments.some((segment) => decodeSegment(segment) === given) ? given : undefined
}

/** @throws RequestError 422 with a pointer for each fault */
function parsed(document: unknown, parser: Parser<unknown>): unknown {
  const result = parser.safeParse(document)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ message, path }): ErrorDetail => {
    return errorAt('invalid-value', jsonPath(path).reduce<string>(childPointer, ''), message)
  })
  throwErrors(faults)
  throw new RequestError({ code: 'invalid-value', detail: 'The body is not what it must be.' })
}
