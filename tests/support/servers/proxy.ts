import { createServer, type AddressInfo, connect, type Server, type Socket } from 'node:net'

/** Which way bytes go: from clients to the server, or back. */
export type Way = 'requests' | 'answers'

/** A wire between clients and a server that can be held, cut and laid to another server. */
export interface Proxy {
  /** Where clients connect, on 127.0.0.1. */
  readonly port: number
  /** How many connections are open. */
  readonly connections: number
  /** Passes everything on again, with what was held back meanwhile. */
  pass(): void
  /**
   * Keeps all connections, takes new ones, and holds back what is sent, until {@link pass}: a network that loses every packet.
   * @param ways default: both
   */
  stall(...ways: readonly Way[]): void
  /** Resets all connections. New ones are taken. */
  cut(): void
  /** Resets all connections and takes no more, as a machine where no server runs. */
  rejectConnections(): Promise<void>
  /** Takes connections again on the same port. */
  accept(): Promise<void>
  /** Lays new connections to another port, as after a failover. Those that are open stay. */
  aim(port: number): void
  close(): Promise<void>
}

/** How a proxy is made. */
export interface ProxyOptions {
  /** Where the server listens, on 127.0.0.1. */
  readonly to: number
  /** Is shown whatever goes over the wire, before it is passed on or held back. */
  readonly watch?: (bytes: Buffer, way: Way, proxy: Proxy) => void
}

/** One connection of a client, and its other half. */
interface Pair {
  readonly requests: Half
  readonly responses: Half
}

interface Half {
  readonly from: Socket
  readonly to: Socket
  readonly pending: Buffer[]
  /** Whether the sender has said all it had to say. */
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
      // A connection that breaks on one side breaks on the other.
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
