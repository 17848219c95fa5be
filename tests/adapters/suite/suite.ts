import { afterAll, beforeAll, beforeEach, type MockInstance, vi } from 'vitest'

import type { ApiHandler } from '../../../runtime/http/handler.js'
import { describeDatabases } from '../../support/databases.js'
import { BUILD_TIMEOUT } from './app.js'
import { describeBlog } from './blog.js'
import { describeConnections } from './connections.js'
import { echo } from './echo.js'
import { describeFailures } from './failures.js'
import type { Running, Start } from './serving.js'
import { BODY_BYTES, ECHO, ENDPOINT, type Facts, OTHER, REST, RPC, SECRET, type Subject, TENANT } from './subject.js'
import { describeTransport } from './transport.js'

/** The suite that every adapter passes in every framework that it is made for. */
export function adapterSuite(name: string, start: Start, facts: Facts = {}): void {
  describeDatabases(
    name,
    (db) => {
      let running: Running | undefined
      let other: ApiHandler<unknown> = echo
      let errors: MockInstance<typeof console.error>

      const getOrm = (user: string | null | undefined): unknown => {
        if (user === 'nobody') throw new Error(SECRET)
        if (user === 'nothing') return undefined
        if (user === 'late nobody') return Promise.reject(new Error(SECRET))
        return user === 'late' ? Promise.resolve(db.orm) : db.orm
      }
      const getUser = (user: string | null | undefined) =>
        user === 'late' ? Promise.resolve('late') : (user ?? 'none')

      beforeAll(async () => {
        const handler = (path: string, handler: ApiHandler<never>) => ({ path, handler, getOrm })
        running = await start([
          { path: ECHO, handler: echo, getOrm: getUser },
          handler(REST, db.routes.RestApiHandler({ endpoint: ENDPOINT })),
          handler(RPC, db.routes.RPCApiHandler({ limits: { bodyBytes: BODY_BYTES } })),
          { path: OTHER, handler: { fetch: (request, context) => other.fetch(request, context) }, getOrm: getUser },
          { path: TENANT, handler: echo, getOrm: getUser },
        ])
      }, BUILD_TIMEOUT)
      afterAll(() => running?.close())
      beforeEach(() => {
        other = echo
        errors = vi.spyOn(console, 'error').mockImplementation(() => {})
        return () => errors.mockRestore()
      })

      const subject: Subject = {
        facts,
        db,
        server: () => {
          if (!running) throw new Error('not started')
          return running
        },
        answerWith: (handler) => (other = handler),
        logged: () => running?.logged?.() ?? errors.mock.calls.flat().map(describeThrown).join('\n'),
      }
      describeTransport(subject)
      describeBlog(subject)
      describeFailures(subject)
      describeConnections(subject)
    },
    { only: ['SQLite'] },
  )
}

function describeThrown(value: unknown): string {
  return value instanceof Error ? `${value.stack} ${describeThrown(value.cause)}` : String(value)
}
