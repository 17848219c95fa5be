import type { AppName } from './contenders.js'
import { runProgram } from './program.js'

const START_COUNT = 7

/** The measurements of a contender's cold starts, one number per start. */
export interface Start {
  readonly contender: AppName
  /** Time to the first response, in milliseconds. */
  readonly firstResponseMs: number[]
  /** CPU time to the first response, in milliseconds. */
  readonly cpu: number[]
  /** Resident memory after the first response, in bytes. */
  readonly rss: number[]
}

/** Starts contenders in turn, each in a new process. */
export async function measureStarts(
  programs: string,
  names: readonly AppName[],
  url: string,
): Promise<readonly Start[]> {
  const starts = names.map((contender): Start => ({ contender, firstResponseMs: [], cpu: [], rss: [] }))
  for (let round = 0; round < START_COUNT; round++) {
    for (const start of starts) {
      const { firstResponseMs, cpu, rss } = JSON.parse(
        await runProgram(programs, 'start-up', [start.contender, url]),
      ) as {
        readonly firstResponseMs: number
        readonly rss: number
        readonly cpu: NodeJS.CpuUsage
      }
      start.firstResponseMs.push(firstResponseMs)
      start.cpu.push((cpu.user + cpu.system) / 1000)
      start.rss.push(rss)
    }
  }
  return starts
}
