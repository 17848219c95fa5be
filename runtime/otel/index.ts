import { context, createContextKey, SpanStatusCode, trace } from '@opentelemetry/api'

import type { ResponseTelemetry, OnResponse } from '../http/telemetry.js'

/**
 * Adds the response to the span of a request, as the adapters' option `onResponse`. The span is the active one, as instrumentation of the
 * server or the framework has made it; without one nothing is done. What Prisma's own instrumentation tells lies below it.
 *
 * Sets `http.route`, `routewright.style`, `.model`, `.operation`, `.rows`, `.request_id`, and of a failure `.error_id` and the exception.
 */
export function tracing(): OnResponse {
  return (facts) => {
    if (facts.route !== undefined) tellServer(facts.route)
    const span = trace.getActiveSpan()
    if (!span?.isRecording()) return
    span.setAttributes(attributesOf(facts))
    const { status, error } = facts
    if (status < 500) return
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (error instanceof Error) span.recordException(error)
  }
}

function attributesOf({
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

/** Where `@opentelemetry/instrumentation-http` is told of the route, by which it names its span and its metrics. */
const RPC_METADATA = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')

function tellServer(route: string): void {
  const told = context.active().getValue(RPC_METADATA)
  if (typeof told === 'object' && told !== null) Reflect.set(told, 'route', route)
}
