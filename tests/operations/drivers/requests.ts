import { expect } from 'vitest'

import type { SendRequests, Blog, Orm, RequestName } from './driver.js'

/** The requests by name: reads and writes of both styles, of different rows. */
const REQUESTS = {
  'REST read': { path: '/category' },
  'RPC read': { path: '/category/findMany?q={}' },
  'REST write': {
    path: '/category/1',
    method: 'PATCH',
    body: { data: { type: 'category', id: '1', attributes: { readers: '11' } } },
  },
  'RPC write': {
    path: '/category/update',
    method: 'PATCH',
    body: {
      where: { id: 2 },
      data: { readers: { increment: 10 }, posts: { updateMany: { where: {}, data: { content: 'seen' } } } },
    },
  },
} as const satisfies Record<RequestName, object>

const ALL: readonly RequestName[] = ['REST read', 'RPC read', 'REST write', 'RPC write']

/** Sends requests and summarizes the statuses in the notation of the page: `503`, or `reads 200, writes 504`. */
export interface RequestSender {
  readonly sendRequests: SendRequests
  summarize(): string
}

/** Creates a client of both styles that records statuses. */
export function createRequestSender({ routes }: Pick<Blog, 'routes'>, log: (error: unknown) => void): RequestSender {
  const statusesByKind = new Map<string, Set<string>>()
  const rest = routes.RestApiHandler({ endpoint: 'http://localhost/api' })
  const rpc = routes.RPCApiHandler()
  const send = async (orm: Orm, name: RequestName) => {
    const { path, ...init } = REQUESTS[name]
    const isRest = name.startsWith('REST')
    const { method = 'GET', body = undefined } = 'body' in init ? init : {}
    const headers = { 'Content-Type': isRest ? 'application/vnd.api+json' : 'application/json' }
    const request = new Request(`http://localhost/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const context = { getOrm: () => orm, prefix: '/api', log: (_: string, error: unknown) => log(error) }
    const response = await (isRest ? rest : rpc).fetch(request, context)
    const text = await response.text()
    const { status } = response
    if (status >= 500) expect(response.headers.get('Retry-After'), `${name}: ${text}`).toBe('1')
    const kind = name.endsWith('read') ? 'reads' : 'writes'
    const statuses = statusesByKind.get(kind) ?? new Set()
    statuses.add(text.includes('check before you retry it') ? `${status} unknown` : String(status))
    statusesByKind.set(kind, statuses)
  }
  return {
    async sendRequests(orm, meanwhile, names = ALL) {
      await Promise.all([...names.map((name) => send(orm, name)), meanwhile?.()])
    },
    summarize() {
      const kinds = [...statusesByKind]
        .map(([kind, statuses]) => [kind, [...statuses].toSorted().join(' or ')] as const)
        .toSorted()
      const [[, first = ''] = []] = kinds
      const isOne = kinds.length > 1 && kinds.every(([, summary]) => summary === first)
      return isOne ? first : kinds.map(([kind, summary]) => `${kind} ${summary}`).join('; ')
    },
  }
}
