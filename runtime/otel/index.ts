import { context, createContextKey, SpanStatusCode, trace } from '@opentelemetry/api'

import type { ResponseTelemetry, OnResponse } from '../http/telemetry.js'

/**
 * Adds the response to the active span of a request, for the adapter option `onResponse`. The span must be created by the instrumentation
 * of the server or the framework; without one, nothing is recorded. Spans of Prisma's instrumentation are its children.
 *
 * Sets `http.route`, `routewright.style`, `.model`, `.operation`, `.rows`, `.request_id`, and for server errors `.error_id` and the
 * exception.
 * @example
 * ```ts
 * import { tracing } from '@routewright/runtime/otel'
 * import { createHonoHandler } from './routes/hono.js'
 * import { prisma } from './db.js'
 *
 * export const app = createHonoHandler({ getOrm: () => prisma, onResponse: tracing() })
 * ```
 * @see [OpenTelemetry](docs/observability.md#opentelemetry)
 */
export function tracing(): OnResponse {
  return (telemetry) => {
    if (telemetry.route !== undefined) setServerRoute(telemetry.route)
    const span = trace.getActiveSpan()
    if (!span?.isRecording()) return
    span.setAttributes(toAttributes(telemetry))
    const { status, error } = telemetry
    if (status < 500) return
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (error instanceof Error) span.recordException(error)
  }
}

function toAttributes({
  route,
  style,
  model,
  operation,
  rows,
  requestId,
  id,
}: ResponseTelemetry): Record<string, string | number> {
  const all = {
    'http.route': route,
    'routewright.style': style,
    'routewright.model': model,
    'routewright.operation': operation,
    'routewright.rows': rows,
    'routewright.request_id': requestId,
    'routewright.error_id': id,
  }
  const attributes: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(all)) if (value !== undefined) attributes[name] = value
  return attributes
}

/**
 * The context key of the metadata that `@opentelemetry/instrumentation-http` reads. The metadata's `route` is used in the names of spans
 * and in metrics.
 */
const RPC_METADATA = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')

function setServerRoute(route: string): void {
  const metadata = context.active().getValue(RPC_METADATA)
  if (typeof metadata === 'object' && metadata !== null) Reflect.set(metadata, 'route', route)
}
