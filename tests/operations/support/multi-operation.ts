import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import { ENDPOINT, MEDIA_TYPE } from '../../rest/support/client.js'

/** The style of a request with several operations. */
export type Style = 'REST' | 'RPC'

/** One operation in both styles. */
export type Both = Readonly<Record<Style, object>>

interface Routes {
  RestApiHandler(options: never): ApiHandler<never>
  RPCApiHandler(options: never): ApiHandler<never>
}

/** The outcome of a request with several operations: its status, and the index of the failed operation. */
export interface Outcome {
  readonly status: number
  readonly failed: number | undefined
  readonly text: string
}

/** Sends several operations in one transaction, in one of the styles. */
export async function doAtOnce(
  style: Style,
  routes: Routes,
  orm: unknown,
  operations: readonly Both[],
  options: object = {},
): Promise<Outcome> {
  const styleOperations = operations.map((operation) => operation[style])
  const [handler, path, type, body] =
    style === 'REST'
      ? ([
          routes.RestApiHandler({ endpoint: ENDPOINT, atomicOperations: true, ...options } as never),
          '/operations',
          `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`,
          { 'atomic:operations': styleOperations },
        ] as const)
      : ([
          routes.RPCApiHandler({ transactions: true, ...options } as never),
          '/$transaction/sequential',
          'application/json',
          styleOperations,
        ] as const)
  const request = new Request(`http://localhost/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  })
  const context = { getOrm: () => orm, prefix: '/api', log: () => undefined }
  const response = await handler.fetch(request, context as never)
  const text = await response.text()
  const [, index] =
    /"pointer":"\/atomic:operations\/(\d+)|"message":"Operation (\d+): /.exec(text)?.filter(Boolean) ?? []
  return { status: response.status, failed: index === undefined ? undefined : Number(index), text }
}
