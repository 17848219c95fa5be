import { httpInstrumentationMiddleware } from '@hono/otel'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { PrismaInstrumentation } from '@prisma/instrumentation'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { honoHandler } from '../../runtime/adapters/hono.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { tracing } from '../../runtime/otel/index.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

describeDatabases(
  'operations: traces',
  (db) => {
    const spans = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
    const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter: metrics })
    const meterProvider = new MeterProvider({ readers: [reader] })
    const prisma = new PrismaInstrumentation()
    beforeAll(() => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
      trace.setGlobalTracerProvider(provider)
      prisma.setTracerProvider(provider)
      prisma.enable()
    })
    afterAll(async () => {
      prisma.disable()
      trace.disable()
      context.disable()
      await meterProvider.shutdown()
    })
    beforeEach(async () => {
      await db.fill(seedBlog)
      spans.reset()
    })

    const handler = (): ApiHandler<unknown> =>
      db.routes.RestApiHandler({
        endpoint: ENDPOINT,
        routes: db.routes.defineRestRoutes((app) => void app.get('/post/:id/own', (c) => c.text('own'))),
      }) as ApiHandler<unknown>
    const options = (getOrm: () => unknown = () => db.orm) => ({
      handler: handler(),
      getOrm,
      log: () => undefined,
      onResponse: tracing(),
    })
    const app = (getOrm?: () => unknown) =>
      new Hono()
        .use(httpInstrumentationMiddleware({ tracerProvider: provider, meterProvider }))
        .route('/:tenant/api', honoHandler(options(getOrm)))

    /** Returns the span of the request and the names of its descendants. */
    function seen(): { readonly server: ReadableSpan; readonly below: readonly string[] } {
      const all = spans.getFinishedSpans()
      const server = all.find(({ kind }) => kind === SpanKind.SERVER)
      if (!server) throw new Error('no span of a request')
      const isBelow = (span: ReadableSpan): boolean => {
        const parent = all.find((each) => each.spanContext().spanId === span.parentSpanContext?.spanId)
        return parent !== undefined && (parent === server || isBelow(parent))
      }
      return { server, below: all.filter(isBelow).map(({ name }) => name) }
    }

    it('adds route and operation to the Hono span above the Prisma spans', async () => {
      expect((await app().request('/acme/api/post/1', { headers: { 'x-request-id': 'r-1' } })).status).toBe(200)
      const { server, below } = seen()
      expect(server.name).toBe('GET /:tenant/api/post/:id')
      expect(server.attributes).toMatchObject({
        'http.route': '/:tenant/api/post/:id',
        'http.response.status_code': 200,
        'routewright.style': 'rest',
        'routewright.model': 'Post',
        'routewright.operation': 'get',
        'routewright.rows': 1,
        'routewright.request_id': 'r-1',
      })
      expect(below).toContain('prisma:client:operation')
      expect(below).toContain('prisma:client:db_query')
      expect(spans.getFinishedSpans()).toHaveLength(below.length + 1)
    })

    it('adds the row count of a list and the pattern of a custom route', async () => {
      await app().request('/acme/api/post?page[limit]=2')
      expect(seen().server.attributes).toMatchObject({ 'http.route': '/:tenant/api/post', 'routewright.rows': 2 })
      spans.reset()
      await app().request('/acme/api/post/1/own')
      const { name, attributes } = seen().server
      expect(name).toBe('GET /:tenant/api/post/:id/own')
      expect(attributes).not.toHaveProperty('routewright.model')
    })

    it('adds the error and its id to the span of a failed request', async () => {
      const broken = new Error('broken')
      const response = await app(() => Promise.reject(broken)).request('/acme/api/post/1')
      const { errors } = (await response.json()) as { errors: [{ id: string }] }
      const { server } = seen()
      expect(server.attributes).toMatchObject({ 'routewright.error_id': errors[0].id })
      expect(server.status.code).toBe(2)
      expect(server.events).toMatchObject([{ name: 'exception', attributes: { 'exception.message': 'getOrm failed' } }])
    })

    it('adds the route to metrics', async () => {
      await app().request('/acme/api/tag')
      await reader.forceFlush()
      const all = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      const routes = all
        .filter(({ descriptor }) => descriptor.name === 'http.server.request.duration')
        .flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes['http.route']))
      expect(routes).toContain('/:tenant/api/tag')
      expect(routes).not.toContain('/:tenant/api/*')
    })

    it('passes the route to the Node HTTP instrumentation', async () => {
      const metadata: { type: string; route?: string } = { type: 'http' }
      const key = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA')
      const api = new Hono().route('/api', honoHandler(options()))
      await context.with(context.active().setValue(key, metadata), () => api.request('/api/tag'))
      expect(metadata.route).toBe('/api/tag')
    })

    it('creates no span if none is active', async () => {
      const api = new Hono().route('/api', honoHandler(options()))
      expect((await api.request('/api/post/99')).status).toBe(404)
      expect(spans.getFinishedSpans().filter(({ name }) => !name.startsWith('prisma:'))).toEqual([])
    })
  },
  { only: ['SQLite'] },
)
