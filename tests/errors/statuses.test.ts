import { afterAll, beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { clientOf as restClientOf, ENDPOINT } from '../rest/support/client.js'
import { clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { DATABASE_ERROR_CASES, type DatabaseErrorCase } from './support/database-errors.js'
import { openSessions, type Sessions } from './support/sessions.js'

/** Text, names and SQL of the database must not be in a response. */
const LEAKS =
  /refused by|constraint|violates|policy for|relation|denied for|command|smallint|CHECK|INSERT|Unknown column/

describeDatabases('statuses of database errors', (db) => {
  let sessions: Sessions

  beforeAll(async () => {
    sessions = await openSessions(db)
  })
  afterAll(() => sessions.close())

  /** Sends a create in a style, and returns what the caller, the log and `onError` get. */
  const send = async (errorCase: DatabaseErrorCase, style: 'REST' | 'RPC', databaseMessages: boolean) => {
    const logged: string[] = []
    const reported: unknown[] = []
    const orm = await sessions.client(errorCase.session)
    const handler =
      style === 'REST'
        ? db.routes.RestApiHandler({ endpoint: ENDPOINT, databaseMessages })
        : db.routes.RPCApiHandler({ databaseMessages })
    const app = db.hono.createHonoHandler({
      getOrm: () => orm,
      handler,
      prefix: '/api',
      log: (line) => void logged.push(line),
      onError: (error) => void reported.push(error),
    })
    const release = await sessions.lockRows(errorCase.session)
    const { model, data, status } = errorCase
    try {
      if (style === 'REST') {
        const { post } = restClientOf((request) => app.fetch(request))
        const { id, ...attributes }: { readonly id?: string } = data
        const resource = { type: model, attributes, ...(id !== undefined && { id }) }
        const { status: responseStatus, errors } = await post(`/${model}`, { data: resource })
        const [error] = errors
        return {
          status: responseStatus,
          code: error?.code,
          detail: error?.detail ?? '',
          location: error?.source?.pointer,
          logged,
          reported,
        }
      }
      const { call } = rpcClientOf((request) => app.fetch(request), superjsonOf(db.client.Prisma))
      const args = { data: model === 'tag' ? { name: data['id'] } : data }
      const { status: responseStatus, body } = await call(model, 'create', args)
      const location = body.issues?.[0]?.path.join('.')
      return { status: responseStatus, code: status, detail: body.message ?? '', location, logged, reported }
    } finally {
      await release()
    }
  }

  for (const errorCase of DATABASE_ERROR_CASES.filter(({ on }) => on.includes(db.name))) {
    const { name, status, code, field, message } = errorCase
    for (const style of ['REST', 'RPC'] as const) {
      it(`${style}, ${name}: responds with ${status} ${code}`, async () => {
        const result = await send(errorCase, style, false)
        expect([result.status, result.code], result.detail).toEqual([status, style === 'REST' ? code : status])
        expect(result.detail).not.toMatch(LEAKS)
        const isReported = field?.[1].includes(db.name)
        const location = style === 'REST' ? `/data/attributes/${field?.[0]}` : `data.${field?.[0]}`
        expect(result.location).toBe(isReported ? location : undefined)
        expect(result.reported).toHaveLength(status >= 500 ? 1 : 0)
        if (status === 500) expect(result.logged).toEqual([expect.stringContaining('[routewright] error')])
      })

      it(`${style}, ${name}: databaseMessages exposes the database message: ${message !== undefined}`, async () => {
        const { detail, ...result } = await send(errorCase, style, true)
        expect(result.status).toBe(status)
        if (message === undefined) expect(detail).not.toMatch(LEAKS)
        else expect(detail).toMatch(message)
      })
    }
  }
})
