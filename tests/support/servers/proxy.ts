import { createServer, type AddressInfo, connect, type Server, type Socket } from 'node:net'

/** Direction of bytes: from clients to the server, or back. */
export type Way = 'requests' | 'answers'

/** A proxy between clients and a server that can stall, cut and redirect connections. */
export interface Proxy {
  /** Port for clients, on 127.0.0.1. */
  readonly port: number
  /** Number of open connections. */
  readonly connections: number
  /** Forwards everything again, including the bytes that were held back. */
  pass(): void
  /**
   * Keeps all connections and accepts new ones, but holds back all bytes until {@link pass}, like a network that loses
   * every packet.
   * @param ways default: both
   */
  stall(...ways: readonly Way[]): void
  /** Resets all connections. New ones are accepted. */
  cut(): void
  /** Resets all connections and refuses new ones, like a machine without a server. */
  rejectConnections(): Promise<void>
  /** Accepts connections again, on the same port. */
  accept(): Promise<void>
  /** Forwards new connections to another port, as after a failover. Open connections stay. */
  aim(port: number): void
  close(): Promise<void>
}

/** Options for a proxy. */
export interface ProxyOptions {
  /** Port of the server on 127.0.0.1. */
  readonly to: number
  /** Called with all bytes before they are forwarded or held back. */
  readonly watch?: (bytes: Buffer, way: Way, proxy: Proxy) => void
}

/** A client connection and the matching server connection. */
interface Pair {
  readonly requests: Half
  readonly responses: Half
}

interface Half {
  readonly from: Socket
  readonly to: Socket
  readonly pending: Buffer[]
  /** Whether the sender has ended its side. */
  ended: boolean
}

/** Starts a proxy on a free port. */
export async function startProxy({ to, watch }: ProxyOptions): Promise<Proxy> {
  const pairs = new Set<Pair>()
  const stalled = new Set<Way>()
  let target = to
  const flush = ({ to, pending, ended }: Half) => {
    for (const bytes of pending.splice(0)) to.write(bytes)
    if (ended) to.end()
  }
  const carry = (half: Half, way: Way) => {
    half.from.on('data', (bytes: Buffer) => {
      watch?.(bytes, way, proxy)
      half.pending.push(bytes)
      if (!stalled.has(way)) flush(half)
    })
    half.from.on('end', () => {
      half.ended = true
      if (!stalled.has(way)) flush(half)
    })
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const pair: Pair = {
      requests: { from: client, to: upstream, pending: [], ended: false },
      responses: { from: upstream, to: client, pending: [], ended: false },
    }
    pairs.add(pair)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      // An error on one side resets the other side.
      socket.on('error', () => other.resetAndDestroy())
      socket.on('close', () => pairs.delete(pair))
    }
    carry(pair.requests, 'requests')
    carry(pair.responses, 'answers')
  })
  const cut = () => {
    for (const { requests } of pairs) {
      requests.from.resetAndDestroy()
      requests.to.resetAndDestroy()
    }
    pairs.clear()
  }
  let port = await listen(server, 0)
  const proxy: Proxy = {
    get port() {
      return port
    },
    get connections() {
      return pairs.size
    },
    pass() {
      stalled.clear()
      for (const { requests, responses } of pairs) {
        flush(requests)
        flush(responses)
      }
    },
    stall(...ways) {
      for (const way of ways.length > 0 ? ways : (['requests', 'answers'] as const)) stalled.add(way)
    },
    cut,
    async rejectConnections() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      await closed
    },
    async accept() {
      port = await listen(server, port)
    },
    aim(to) {
      target = to
    },
    async close() {
      if (server.listening) await proxy.rejectConnections()
    },
  }
  return proxy
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  return address.port
}
