import { type Proxy, startProxy } from '../../support/servers/proxy.js'
import { until } from './driver.js'

/**
 * Starts a proxy that holds back all responses after a `COMMIT`, and cuts the connection when the committed rows exist.
 * @param isThere queries the server directly
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
