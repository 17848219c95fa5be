import { readFileSync } from 'node:fs'
import path from 'node:path'

import { httpError } from '@routewright/runtime'
import { beforeEach, describe, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/payments/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/payments/expected/policy.js'
import { type Caller, fillPayments, keyed, keys, payment, type Payments } from '../idempotency/support.js'
import { describeDatabases } from '../support/databases.js'
import { ROOT, tableWith } from './support/pages.js'

/** A stage as the page documents it. */
interface Stage {
  readonly title: string
  readonly statuses: readonly number[]
  /** The app's functions that run in this stage, in order. */
  readonly functions: readonly string[]
}

const STAGES = tableWith('stages').map(([, title = '', rejects = '', functions = '']): Stage => {
  return {
    title: title.replace(/\[(.+)\].*/, '$1'),
    statuses: (rejects.match(/\d{3}/g) ?? []).map(Number),
    functions: functions.startsWith('middleware') || functions === '' ? [] : functions.split(', '),
  }
})

const stageOf = (title: string): Stage => {
  const stage = STAGES.find((each) => each.title === title)
  if (!stage) throw new Error(`The page has no stage ${title}.`)
  return stage
}

/** Returns the functions of stages in order, for a request without an idempotency key. */
const functionsOf = (stages: readonly Stage[]) =>
  stages.flatMap(({ functions }) => functions).filter((name) => name !== 'scope')

/** Creates an app that records which of its functions run. `rejects` is the name of a function that throws. */
function recordingApp(db: Payments, rejects?: string) {
  const events: string[] = []
  const record = (name: string) => {
    if (events.at(-1) !== name) events.push(name)
    if (name === rejects) throw httpError(409, 'Rejected.')
  }
  const { can, build } = abilityBuilder()
  can('read', ['Account', 'Payment'])
  can(['create', 'update'], 'Payment', { accountId: 1 })
  const ability = build()
  const around = {
    before<Data>({ data }: { readonly data: Data }): Data {
      record('before')
      return data
    },
    after: () => record('after'),
    afterCommit: () => record('afterCommit'),
  }
  const handler = db.routes.RestApiHandler<Caller>({
    endpoint: 'http://localhost/api',
    idempotency: keys({
      scope() {
        record('scope')
        return 'ann'
      },
    }),
    limits: { bodyBytes: 500, responseBytes: 1000 },
    routes: db.routes.defineRestRoutes((app) => {
      app.use(async (_c, next) => {
        record('routes')
        await next()
      })
      app.post('/import', (c) => c.json({}))
    }),
    hooks: defineHooks<Caller>({
      Payment: {
        where() {
          record('where')
          return { amount: { gte: 0 } }
        },
        create: around,
        update: around,
        mask: {
          amount({ value }) {
            record('mask')
            return value
          },
        },
      },
    }),
  })
  const app = db.hono.createHonoHandler<Caller>({
    context() {
      record('context')
      return { caller: 'ann' }
    },
    getOrm() {
      record('getOrm')
      const client = db.orm.$extends({
        query: {
          payment: {
            $allOperations({ operation, args, query }) {
              // Policies write the single row of an update with a conditional `updateMany`.
              if (operation === 'updateMany') record('Prisma')
              return query(args)
            },
          },
        },
      })
      return client.$extends(withPolicies(ability)) as unknown as typeof db.orm
    },
    handler,
    prefix: '/api',
    onResponse: () => record('onResponse'),
    log: () => undefined,
  })
  const send = async (method: string, target: string, body?: unknown, headers: Record<string, string> = {}) => {
    events.length = 0
    const response = await app.fetch(
      new Request(`http://localhost${target}`, {
        method,
        headers: { ...(body !== undefined && { 'Content-Type': 'application/vnd.api+json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    return { status: response.status, text: await response.text(), events: [...events] }
  }
  return { handler, send }
}

const change = (attributes: object) => ({ data: { type: 'payment', id: '1', attributes } })

describeDatabases(
  'docs request lifecycle',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
      await db.orm.payment.create({ data: { reference: 'first', amount: 5, accountId: 1 } })
    })

    it('calls the functions of the app in the documented order', async () => {
      const { send } = recordingApp(db)
      const { status, events } = await send('PATCH', '/api/payment/1', change({ reference: 'changed' }))
      expect(status).toBe(200)
      expect(events.filter((name) => name !== 'Prisma')).toEqual(functionsOf(STAGES))
      expect(events.slice(events.indexOf('before'), events.indexOf('after') + 1)).toEqual(['before', 'Prisma', 'after'])
    })

    it('calls context, scope and getOrm in this order with an idempotency key, and afterCommit after the response', async () => {
      const { send } = recordingApp(db)
      const { status, events } = await send('POST', '/api/payment', payment('second'), keyed('key'))
      expect(status).toBe(201)
      const inQuery = ['before', 'after', 'where', 'mask', 'afterCommit']
      expect(events).toEqual(['routes', 'context', 'scope', 'getOrm', ...inQuery, 'onResponse'])
    })

    it('calls mask last for reads', async () => {
      const { send } = recordingApp(db)
      const { events } = await send('GET', '/api/payment')
      expect(events).toEqual(['routes', 'context', 'getOrm', 'where', 'mask', 'onResponse'])
    })

    describe('rejections', () => {
      const noRule = { data: { type: 'account', attributes: { owner: 'cat' } } }
      const long = 'x'.repeat(600)
      type Arguments = Parameters<ReturnType<typeof recordingApp>['send']>
      const CASES: readonly (readonly [
        stage: string,
        status: number,
        request: Arguments,
        inStage?: readonly string[],
      ])[] = [
        ['Custom routes', 415, ['POST', '/api/import', {}, { 'Content-Type': 'text/plain' }]],
        ['Custom routes', 413, ['POST', '/api/import', { long }, { 'Content-Length': '700' }]],
        ['Idempotency key', 400, ['POST', '/api/payment', payment('a'), { 'Idempotency-Key': 'unquoted' }]],
        ['Idempotency key', 413, ['POST', '/api/payment', payment(long), keyed('key')]],
        ['Routing', 404, ['GET', '/api/nothing']],
        ['Routing', 404, ['GET', '/api/payment/1/nothing']],
        ['Routing', 405, ['POST', '/api/payment/1', change({})]],
        ['Parsing and limits', 400, ['GET', '/api/payment?sort=nothing']],
        ['Parsing and limits', 403, ['POST', '/api/payment', { data: { ...payment('a').data, id: '7' } }]],
        ['Parsing and limits', 404, ['GET', '/api/payment/text']],
        ['Parsing and limits', 406, ['GET', '/api/payment', undefined, { Accept: 'text/html' }]],
        ['Parsing and limits', 409, ['PATCH', '/api/payment/2', change({})]],
        ['Parsing and limits', 413, ['PATCH', '/api/payment/1', change({ reference: long })]],
        ['Parsing and limits', 415, ['PATCH', '/api/payment/1', change({}), { 'Content-Type': 'text/plain' }]],
        ['Parsing and limits', 422, ['PATCH', '/api/payment/1', change({ amount: 'many' })]],
        ['Query', 403, ['POST', '/api/account', noRule]],
        ['Query', 403, ['POST', '/api/payment', payment('a', '2')], ['before', 'after']],
        ['Query', 404, ['PATCH', '/api/payment/99', { data: { ...change({ amount: 1 }).data, id: '99' } }], ['where']],
        ['Query', 409, ['POST', '/api/payment', payment('first')], ['before']],
      ]
      it.each(CASES.map(([title, status, request, inStage = []]) => [title, status, request, inStage] as const))(
        '%s: rejects with %i before later stages run',
        async (title, status, request, inStage) => {
          const { send } = recordingApp(db)
          const { status: actual, events, text } = await send(...request)
          expect(actual, text).toBe(status)
          expect(stageOf(title).statuses).toContain(status)
          const before = functionsOf(STAGES.slice(0, STAGES.indexOf(stageOf(title))))
          expect(events).toEqual([...before, ...inStage, 'onResponse'])
        },
      )

      it.each(['routes', 'context', 'getOrm', 'where', 'before', 'after'])(
        '%s: returns its error and calls no later function',
        async (name) => {
          const { send } = recordingApp(db, name)
          const { status, events } = await send('PATCH', '/api/payment/1', change({ reference: 'changed' }))
          const documented = functionsOf(STAGES)
          expect(status).toBe(409)
          expect(events.filter((each) => each !== 'Prisma')).toEqual([
            ...documented.slice(0, documented.indexOf(name) + 1),
            'onResponse',
          ])
          expect(await db.orm.payment.findFirst()).toMatchObject({ reference: 'first' })
        },
      )

      it('Adapter: rejects paths outside the prefix with 404 before the handler receives them', async () => {
        const { status, events } = await recordingApp(db).send('GET', '/other/payment')
        expect([status, events]).toEqual([404, []])
        expect(stageOf('Adapter').statuses).toContain(404)
      })

      it('Overload and timeouts: rejects with 503 before custom routes run', async () => {
        const { handler, send } = recordingApp(db)
        await handler.drain()
        const { status, events } = await send('GET', '/api/payment')
        expect([status, events]).toEqual([503, ['onResponse']])
        expect(stageOf('Overload and timeouts').statuses).toContain(503)
      })

      it('Response: rejects a result that exceeds a limit with 400 after the query', async () => {
        const { send } = recordingApp(db)
        for (const at of [1, 2, 3, 4, 5]) {
          await db.orm.payment.create({ data: { reference: `payment ${at}`, amount: 5, accountId: 1 } })
        }
        const { status, events } = await send('GET', '/api/payment')
        expect([status, events]).toEqual([400, ['routes', 'context', 'getOrm', 'where', 'mask', 'onResponse']])
        expect(stageOf('Response').statuses).toContain(400)
      })
    })
  },
  { fixture: 'payments', only: ['SQLite'] },
)

describe('docs request lifecycle picture', () => {
  const svg = readFileSync(path.join(ROOT, 'docs/images/request-lifecycle.svg'), 'utf8')
  const page = readFileSync(path.join(ROOT, 'docs/request-lifecycle.md'), 'utf8')
  const numbered = STAGES.map(({ title }, index) => `${index + 1}. ${title}`)

  it('shows the stages of the table in their order', () => {
    expect([...svg.matchAll(/class="title"[^>]*>(.+?)</g)].map(([, title]) => title)).toEqual(numbered)
  })

  it('has a text alternative that lists the stages', () => {
    expect(/!\[(.+)\]\(images\/request-lifecycle\.svg\)/.exec(page)?.[1]).toContain(numbered.join(', '))
  })
})
