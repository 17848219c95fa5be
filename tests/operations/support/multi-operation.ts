import type { ApiHandler } from '../../../runtime/http/api-handler.js'
import { ENDPOINT, MEDIA_TYPE } from '../../rest/support/client.js'

/** The two ways of doing several things at once. */
export type Style = 'REST' | 'RPC'

/** An operation in both. */
export type Both = Readonly<Record<Style, object>>

interface Routes {
  RestApiHandler(options: never): ApiHandler<never>
  RPCApiHandler(options: never): ApiHandler<never>
}

/** Of a request of several operations: its status, and the index of the one that it was refused for. */
export interface Outcome {
  readonly status: number
  readonly failed: number | undefined
  readonly text: string
}

/** Asks for several operations in one transaction, in one of the styles. */
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
