import { afterAll, beforeAll, beforeEach, type MockInstance, vi } from 'vitest'

import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import { describeDatabases } from '../../support/databases.js'
import { BUILD_TIMEOUT } from './app.js'
import { describeBlog } from './blog.js'
import { describeContext } from './context.js'
import { describeConnections } from './connections.js'
import { echo } from './echo.js'
import { describeFailures } from './failures.js'
import type { Running, Start } from './serving.js'
import {
  type AccessorCalls,
  BODY_BYTES,
  ECHO,
  ENDPOINT,
  type FrameworkTraits,
  OTHER,
  REST,
  RPC,
  SECRET,
  type Subject,
  TENANT,
} from './subject.js'
import { describeTransport } from './transport.js'
import { answering } from './answering.js'

/** The suite that every adapter passes in every supported framework. */
export function adapterSuite(name: string, start: Start, traits: FrameworkTraits = {}): void {
  describeDatabases(
    name,
    (db) => {
      let running: Running | undefined
      let other: ApiHandler<unknown> = echo
      let errors: MockInstance<typeof console.error>

      let accessorCalls: AccessorCalls = { context: [], getOrm: [] }

      const context = (user: string | null | undefined): unknown => {
        accessorCalls.context.push(user ?? 'none')
        if (user === 'unknown') throw new Error(SECRET)
        if (user === 'late unknown') return Promise.reject(new Error(SECRET))
        const requestContext = { user: user ?? 'none' }
        return user === 'late' ? Promise.resolve(requestContext) : requestContext
      }
      const getOrm = (user: string | null | undefined, requestContext: unknown): unknown => {
        accessorCalls.getOrm.push(requestContext)
        if (user === 'nobody') throw new Error(SECRET)
        if (user === 'nothing') return undefined
        if (user === 'late nobody') return Promise.reject(new Error(SECRET))
        return user === 'late' ? Promise.resolve(db.orm) : db.orm
      }
      const getUser = (user: string | null | undefined) =>
        user === 'late' ? Promise.resolve('late') : (user ?? 'none')

      beforeAll(async () => {
        const handler = (path: string, handler: ApiHandler<never>) => ({ path, handler, getOrm, context })
        running = await start([
          { path: ECHO, handler: echo, getOrm: getUser, context },
          handler(REST, db.routes.RestApiHandler({ endpoint: ENDPOINT })),
          handler(RPC, db.routes.RPCApiHandler({ limits: { bodyBytes: BODY_BYTES } })),
          {
            path: OTHER,
            handler: answering((request, context) => other.fetch(request, context)),
            getOrm: getUser,
            context,
          },
          { path: TENANT, handler: echo, getOrm: getUser, context },
        ])
      }, BUILD_TIMEOUT)
      afterAll(() => running?.close())
      beforeEach(() => {
        other = echo
        accessorCalls = { context: [], getOrm: [] }
        errors = vi.spyOn(console, 'error').mockImplementation(() => {})
        return () => errors.mockRestore()
      })

      const subject: Subject = {
        traits,
        db,
        server: () => {
          if (!running) throw new Error('not started')
          return running
        },
        respondWith: (handler) => (other = handler),
        accessorCalls: () => accessorCalls,
        logged: () => running?.logged?.() ?? errors.mock.calls.flat().map(describeThrown).join('\n'),
      }
      describeTransport(subject)
      describeBlog(subject)
      describeContext(subject)
      describeFailures(subject)
      describeConnections(subject)
    },
    { only: ['SQLite'] },
  )
}

function describeThrown(value: unknown): string {
  return value instanceof Error ? `${value.stack} ${describeThrown(value.cause)}` : String(value)
}
