import { type Proxy, startProxy } from '../../support/servers/proxy.js'
import { until } from './driver.js'

/**
 * A proxy that lets no answer through once a `COMMIT` was sent, and cuts the connection when what it commits is there.
 * @param isThere asks the server itself
 */
export async function cutAtCommit(port: number, isThere: () => Promise<boolean>): Promise<Proxy> {
  return startProxy({
    to: port,
    watch(bytes, way, proxy) {
      if (way !== 'requests' || !bytes.includes('COMMIT')) return
      proxy.stall('answers')
      void until(isThere).finally(() => proxy.cut())
    },
  })
}
