/** What one start took, in milliseconds. */
export interface Started {
  /** From the start of the process to when everything is imported and mounted. */
  readonly loaded: number
  /** From the start of the process to the end of the first answer. */
  readonly answered: number
  /** Of the processor's time, to the first answer. */
  readonly cpu: number
}

/** Asks an app for some answers, prints what the start took, and ends the process. */
export async function answer(
  app: { request(path: string): Response | Promise<Response> },
  paths: readonly string[],
): Promise<never> {
  const loaded = performance.now()
  let answered = 0
  let cpu = 0
  for (const path of paths) {
    const response = await app.request(path)
    await response.text()
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
    if (answered > 0) continue
    answered = performance.now()
    const { user, system } = process.cpuUsage()
    cpu = (user + system) / 1000
  }
  console.log(JSON.stringify({ loaded, answered, cpu } satisfies Started))
  process.exit(0)
}
