import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyPlan } from '../../generator/output/apply.js'
import { planOutput } from '../../generator/output/plan-output.js'
import { folderWith, read } from './folders.js'
import { manyFiles } from './programs/many-files.js'

const PROGRAM = new URL('programs/write-many.ts', import.meta.url).pathname

/** Starts to write a generation in a process that is killed while it writes a file. Returns the files that it wrote before. */
function writeAndKill(folder: string, generation: string, diesAt: number): string[] {
  const run = spawnSync(process.execPath, ['--import', 'tsx', PROGRAM, folder, generation, String(diesAt)])
  expect(run.signal, run.stderr.toString()).toBe('SIGKILL')
  return run.stdout.toString().trim().split('\n')
}

const byPath = (generation: string) => new Map(manyFiles(generation).map(({ path, text }) => [path, text]))

describe('generator run killed during a write', () => {
  it('keeps every file complete so that the next run can finish', async () => {
    const folder = folderWith()
    const [first, second] = [byPath('first'), byPath('second')]

    expect(writeAndKill(folder, 'first', 51)).toHaveLength(50)
    const writtenFiles = Object.entries(read(folder)).filter(([path]) => path.endsWith('.ts'))
    expect(writtenFiles).toHaveLength(50)
    for (const [path, text] of writtenFiles) expect(text === first.get(path), path).toBe(true)

    await applyPlan(await planOutput(folder, manyFiles('first')), () => undefined)
    expect(new Map(Object.entries(read(folder)))).toEqual(new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1))))

    expect(writeAndKill(folder, 'second', 51)).toHaveLength(50)
    const mixed = Object.entries(read(folder)).filter(([path]) => path.endsWith('.ts'))
    expect(mixed).toHaveLength(400)
    for (const [path, text] of mixed) expect(text === first.get(path) || text === second.get(path), path).toBe(true)

    await applyPlan(await planOutput(folder, manyFiles('second')), () => undefined)
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.tmp'))
    expect(left).toEqual([])
    expect(read(folder)).toEqual(Object.fromEntries(second))
  })
})
