import type { Context } from 'hono'

import { readable } from '../../http/body.js'
import { decodeSegment } from '../../http/decode.js'
import { withHeadersOf } from '../../http/headers.js'
import { bindingsOf, requestClient } from '../../http/own-routes.js'
import { type Fault, RequestError } from '../../errors/request-error.js'
import { exactArgs } from '../../orm/exact-relations.js'
import { jsonPath, type Parser } from '../../values/parser.js'
import { notFound, readShown, type RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import { below, faultAt, readDocument, throwFaults } from '../request/body.js'
import { readListed } from '../request/listed.js'
import { parseId, uniqueWhere } from '../request/id.js'
import { readInclude } from '../request/include.js'
import { checkAccept } from '../request/negotiation.js'
import { pageArgs, readOwnPage } from '../request/page.js'
import { COLLECTION, readQuery, SINGLE } from '../request/query.js'
import { type Asked, replyWith } from './reply.js'
import type { ErasedRestApi } from './rest-api.js'

/** Makes what routes of the user's own are given in the REST style. */
export function restApi(context: RestContext): ErasedRestApi {
  const { limits } = context.settings
  // What the query of a request says, which is read before anything is written and used when it is answered.
  const asked = new WeakMap<Context, Map<RestModel, Asked>>()
  const askedOf = (c: Context, model: RestModel, isList = false): Asked => {
    const known = asked.get(c) ?? new Map<RestModel, Asked>()
    const before = known.get(model)
    if (before && (before.page || !isList)) return before
    const now = readAsked(c, model, context, isList)
    asked.set(c, known.set(model, now))
    return now
  }

  return {
    context: (c) => bindingsOf(c).getContext(),
    orm: requestClient,
    id(c, name, parameter = 'id') {
      const model = modelOf(name, context)
      const id = parameterOf(c, parameter)
      const values = id === undefined ? undefined : parseId(model.id, id)
      if (!values) throw notFound(model)
      return uniqueWhere(model.id, values)
    },
    select: (c, name) => askedOf(c, modelOf(name, context)).selection.args,
    query(c, name) {
      const model = modelOf(name, context)
      const { shown, selection, page } = askedOf(c, model, true)
      const { where = {}, orderBy } = readListed(shown.query, model, { total: 'exact' }, context)
      const asked = { where, orderBy, skip: 0, ...selection.args }
      const args = context.cutLists ? exactArgs(model.model, asked) : asked
      return page ? { ...args, ...pageArgs(page) } : args
    },
    async body(c, parser) {
      const document = await readDocument(await readable(c.req), limits)
      return parser ? parsed(document, parser) : document
    },
    async reply(c, name, rows, options) {
      const model = modelOf(name, context)
      return withHeadersOf(c, await replyWith(c, model, rows, askedOf(c, model), context, options))
    },
  }
}

/** @throws Error for a model that is not served: a mistake of the route's */
function modelOf(name: string, { models }: RestContext): RestModel {
  const model = models.get(name)
  if (model) return model
  throw new Error(`"${name}" is no model that is served here. There are: ${[...models.keys()].join(', ')}.`)
}

function readAsked(c: Context, model: RestModel, context: RestContext, isList: boolean): Asked {
  const { settings, selector } = context
  checkAccept(c.req.header('Accept'))
  const query = readQuery(c.req.url, isList ? COLLECTION : SINGLE)
  const shown = readShown(query, readInclude(query, model, context), undefined, context)
  const selection = selector.select(model, shown.include, shown.fieldsets)
  return { shown, selection, ...(isList && { page: readOwnPage(query, settings) }) }
}

/** A parameter of the path. Hono decodes what is no percent-encoded UTF-8 in part; here it is no id. */
function parameterOf(c: Context, name: string): string | undefined {
  const given = c.req.param(name)
  if (given === undefined) throw new Error(`The path of this route has no parameter ":${name}".`)
  const segments = bindingsOf(c).path.split('/')
  return segments.some((segment) => decodeSegment(segment) === given) ? given : undefined
}

/** @throws RequestError 422 with a pointer for each fault */
function parsed(document: unknown, parser: Parser<unknown>): unknown {
  const result = parser.safeParse(document)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ message, path }): Fault => {
    return faultAt('invalid-value', jsonPath(path).reduce<string>(below, ''), message)
  })
  throwFaults(faults)
  throw new RequestError({ code: 'invalid-value', detail: 'The body is not what it must be.' })
}
