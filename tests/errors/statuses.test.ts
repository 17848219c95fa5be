import { afterAll, beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { clientOf as restClientOf, ENDPOINT } from '../rest/support/client.js'
import { clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { FAULTS, type Fault } from './support/faults.js'
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
  const send = async (fault: Fault, style: 'REST' | 'RPC', databaseMessages: boolean) => {
    const logged: string[] = []
    const reported: unknown[] = []
    const orm = await sessions.client(fault.session)
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
    const release = await sessions.hold(fault.session)
    const { model, data, status } = fault
    try {
      if (style === 'REST') {
        const { post } = restClientOf((request) => app.fetch(request))
        const { id, ...attributes }: { readonly id?: string } = data
        const resource = { type: model, attributes, ...(id !== undefined && { id }) }
        const { status: answered, errors } = await post(`/${model}`, { data: resource })
        const [error] = errors
        return {
          status: answered,
          code: error?.code,
          detail: error?.detail ?? '',
          place: error?.source?.pointer,
          logged,
          reported,
        }
      }
      const { call } = rpcClientOf((request) => app.fetch(request), superjsonOf(db.client.Prisma))
      const args = { data: model === 'tag' ? { name: data['id'] } : data }
      const { status: answered, body } = await call(model, 'create', args)
      const place = body.issues?.[0]?.path.join('.')
      return { status: answered, code: status, detail: body.message ?? '', place, logged, reported }
    } finally {
      await release()
    }
  }

  for (const fault of FAULTS.filter(({ on }) => on.includes(db.name))) {
    const { name, status, code, field, message } = fault
    for (const style of ['REST', 'RPC'] as const) {
      it(`${style}: ${name} is ${status} ${code}`, async () => {
        const answer = await send(fault, style, false)
        expect([answer.status, answer.code], answer.detail).toEqual([status, style === 'REST' ? code : status])
        expect(answer.detail).not.toMatch(LEAKS)
        const isReported = field?.[1].includes(db.name)
        const place = style === 'REST' ? `/data/attributes/${field?.[0]}` : `data.${field?.[0]}`
        expect(answer.place).toBe(isReported ? place : undefined)
        expect(answer.reported).toHaveLength(status >= 500 ? 1 : 0)
        if (status === 500) expect(answer.logged).toEqual([expect.stringContaining('[routewright] error')])
      })

      it(`${style}: databaseMessages shows the message of ${name}: ${message !== undefined}`, async () => {
        const { detail, ...answer } = await send(fault, style, true)
        expect(answer.status).toBe(status)
        if (message === undefined) expect(detail).not.toMatch(LEAKS)
        else expect(detail).toMatch(message)
      })
    }
  }
})
