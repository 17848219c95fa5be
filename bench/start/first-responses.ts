/** The times of one start, in milliseconds. */
export interface Started {
  /** From process start until everything is imported and mounted. */
  readonly loaded: number
  /** From process start to the end of the first response. */
  readonly firstResponseMs: number
  /** CPU time to the first response. */
  readonly cpu: number
}

/** Sends requests to an app, prints the times of the start, and exits. */
export async function measureStart(
  app: { request(path: string): Response | Promise<Response> },
  paths: readonly string[],
): Promise<never> {
  const loaded = performance.now()
  let firstResponseMs = 0
  let cpu = 0
  for (const path of paths) {
    const response = await app.request(path)
    await response.text()
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
    if (firstResponseMs > 0) continue
    firstResponseMs = performance.now()
    const { user, system } = process.cpuUsage()
    cpu = (user + system) / 1000
  }
  console.log(JSON.stringify({ loaded, firstResponseMs, cpu } satisfies Started))
  process.exit(0)
}
