import type { AppName } from './contenders.js'
import { runProgram } from './program.js'

const STARTS = 7

/** What one contender needs to start, one number a start. */
export interface Start {
  readonly contender: AppName
  /** Milliseconds to the first answer. */
  readonly answered: number[]
  /** Milliseconds of processor time to the first answer. */
  readonly cpu: number[]
  /** Bytes in memory then. */
  readonly rss: number[]
}

/** Starts contenders in turn, each in a new process. */
export async function measureStarts(
  programs: string,
  names: readonly AppName[],
  url: string,
): Promise<readonly Start[]> {
  const starts = names.map((contender): Start => ({ contender, answered: [], cpu: [], rss: [] }))
  for (let round = 0; round < STARTS; round++) {
    for (const start of starts) {
      const { answered, cpu, rss } = JSON.parse(await runProgram(programs, 'start-up', [start.contender, url])) as {
        readonly answered: number
        readonly rss: number
        readonly cpu: NodeJS.CpuUsage
      }
      start.answered.push(answered)
      start.cpu.push((cpu.user + cpu.system) / 1000)
      start.rss.push(rss)
    }
  }
  return starts
}
