import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { writeToDisk } from '../../generator/init/apply-changes.js'
import { confirm } from '../../generator/commands/init.js'
import { filesOf, makeFolder, manifestOf, runInit, SCHEMA } from './support.js'

const TSCONFIG = JSON.stringify({ compilerOptions: { module: 'nodenext' } })
const PROJECT = { 'package.json': manifestOf(['express']), 'tsconfig.json': TSCONFIG, 'prisma/schema.prisma': SCHEMA }

const stepsOf = (out: string) => [...out.matchAll(/^ {2}\d+\. (.*)$/gm)].map(([, step]) => step)

describe('routewright init asks', () => {
  it('once for each file, and shows before what will be written', async () => {
    const folder = makeFolder(PROJECT)
    const asked: string[] = []
    let shown = ''
    const run = await runInit(folder, {
      ask: async (question) => {
        asked.push(question)
        shown = JSON.stringify(filesOf(folder))
        return true
      },
    })
    expect(asked).toEqual(['Change prisma/schema.prisma?', 'Write db.ts?', 'Write index.ts?'])
    expect(JSON.parse(shown)).not.toHaveProperty(['db.ts'])
    expect(run.out).toContain(
      'Added to prisma/schema.prisma:\n  + generator routes {\n  +   provider = "routewright"\n',
    )
    for (const line of readFileSync(path.join(folder, 'index.ts'), 'utf8').trim().split('\n')) {
      expect(run.out).toContain(`  + ${line}`.trimEnd())
    }
  })

  it('and leaves out what is declined, and says what that means', async () => {
    const folder = makeFolder(PROJECT)
    const run = await runInit(folder, { ask: async (question) => question.includes('index') })
    expect(run.code).toBe(0)
    expect(run.out).toContain(
      'Left out prisma/schema.prisma. Without these lines, nothing is generated.\n' +
        'Left out db.ts. Export your Prisma client from there, or change the import in index.ts.\n' +
        'Wrote index.ts\n',
    )
    expect(stepsOf(run.out)).toContain('Start index.ts; it listens on port 3000.')
    expect(run.out).not.toContain('Set DATABASE_URL')
    expect(filesOf(folder)['prisma/schema.prisma']).toBe(SCHEMA)
  })

  it('and writes nothing where it is stopped', async () => {
    const folder = makeFolder(PROJECT)
    const before = filesOf(folder)
    const run = await runInit(folder, { ask: async (question) => (question.includes('index') ? undefined : true) })
    expect(run).toMatchObject({ code: 2, error: '\nroutewright: stopped; nothing was written.\n' })
    expect(filesOf(folder)).toEqual(before)
  })

  it('and writes nothing where nobody can answer', async () => {
    const folder = makeFolder(PROJECT)
    const before = filesOf(folder)
    const run = await runInit(folder, { yes: false })
    expect(run.code).toBe(2)
    expect(run.error).toContain('--yes')
    expect(run.out).toContain('New file index.ts:\n')
    expect(filesOf(folder)).toEqual(before)
  })

  it('until the answer is yes or no', async () => {
    const answer = async (...lines: readonly string[]) => {
      const [input, output] = [new PassThrough(), new PassThrough()]
      let prompts = ''
      output.on('data', (data: Buffer) => {
        prompts += data
        const next = lines[prompts.split('(Y/n)').length - 2]
        if (next === undefined) input.end()
        else input.write(`${next}\n`)
      })
      return [await confirm(input, output, 'Well?'), prompts.split('Well? (Y/n) ').length - 1]
    }
    expect(await answer('')).toEqual([true, 1])
    expect(await answer('what', ' Yes ')).toEqual([true, 2])
    expect(await answer('N')).toEqual([false, 1])
    expect(await answer()).toEqual([undefined, 1])
  })
})

describe('routewright init writes all or nothing', () => {
  it('takes back what it wrote before a failure', async () => {
    const folder = makeFolder({ ...PROJECT, 'src/a.ts': '' })
    const before = filesOf(folder)
    const run = runInit(folder, {
      write: (change) => {
        if (change.name === 'src/index.ts') throw new Error('the disk is full')
        return writeToDisk(change)
      },
    })
    await expect(run).rejects.toThrow('the disk is full')
    expect(filesOf(folder)).toEqual(before)
  })

  it('does not write over what has changed while it asked', async () => {
    const folder = makeFolder(PROJECT)
    const schema = path.join(folder, 'prisma/schema.prisma')
    const run = runInit(folder, {
      ask: async () => {
        writeFileSync(schema, `${SCHEMA}// new\n`)
        return true
      },
    })
    await expect(run).rejects.toThrow('prisma/schema.prisma has changed in the meantime')
    expect(readFileSync(schema, 'utf8')).toBe(`${SCHEMA}// new\n`)
    expect(filesOf(folder)).not.toHaveProperty(['index.ts'])
  })

  it('keeps the line endings of a schema', async () => {
    const folder = makeFolder({ ...PROJECT, 'prisma/schema.prisma': SCHEMA.replaceAll('\n', '\r\n') })
    await runInit(folder)
    const written = filesOf(folder)['prisma/schema.prisma'] ?? ''
    expect(written).toContain('generator routes {\r\n')
    expect(written.replaceAll('\r\n', '')).not.toContain('\n')
  })
})
