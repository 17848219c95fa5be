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

describe('routewright init: prompts', () => {
  it('prompts once per file and shows the changes before it writes', async () => {
    const folder = makeFolder(PROJECT)
    const questions: string[] = []
    let filesBefore = ''
    const run = await runInit(folder, {
      confirm: async (question) => {
        questions.push(question)
        filesBefore = JSON.stringify(filesOf(folder))
        return true
      },
    })
    expect(questions).toEqual(['Change prisma/schema.prisma?', 'Write db.ts?', 'Write index.ts?'])
    expect(JSON.parse(filesBefore)).not.toHaveProperty(['db.ts'])
    expect(run.out).toContain(
      'Added to prisma/schema.prisma:\n  + generator routes {\n  +   provider = "routewright"\n',
    )
    for (const line of readFileSync(path.join(folder, 'index.ts'), 'utf8').trim().split('\n')) {
      expect(run.out).toContain(`  + ${line}`.trimEnd())
    }
  })

  it('skips declined files and explains the consequences', async () => {
    const folder = makeFolder(PROJECT)
    const run = await runInit(folder, { confirm: async (question) => question.includes('index') })
    expect(run.code).toBe(0)
    expect(run.out).toContain(
      'Skipped prisma/schema.prisma. Without these lines, nothing is generated.\n' +
        'Skipped db.ts. Export your Prisma client from this path, or change the import in index.ts.\n' +
        'Wrote index.ts\n',
    )
    expect(stepsOf(run.out)).toContain('Start index.ts. It listens on port 3000.')
    expect(run.out).not.toContain('Set DATABASE_URL')
    expect(filesOf(folder)['prisma/schema.prisma']).toBe(SCHEMA)
  })

  it('exits with 2 and writes nothing if it is interrupted', async () => {
    const folder = makeFolder(PROJECT)
    const before = filesOf(folder)
    const run = await runInit(folder, { confirm: async (question) => (question.includes('index') ? undefined : true) })
    expect(run).toMatchObject({ code: 2, error: '\nroutewright: stopped. Nothing was written.\n' })
    expect(filesOf(folder)).toEqual(before)
  })

  it('exits with 2 and writes nothing without a prompt or --yes', async () => {
    const folder = makeFolder(PROJECT)
    const before = filesOf(folder)
    const run = await runInit(folder, { yes: false })
    expect(run.code).toBe(2)
    expect(run.error).toContain('--yes')
    expect(run.out).toContain('New file index.ts:\n')
    expect(filesOf(folder)).toEqual(before)
  })

  it('repeats the question until the answer is yes or no', async () => {
    const promptWith = async (...lines: readonly string[]) => {
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
    expect(await promptWith('')).toEqual([true, 1])
    expect(await promptWith('what', ' Yes ')).toEqual([true, 2])
    expect(await promptWith('N')).toEqual([false, 1])
    expect(await promptWith()).toEqual([undefined, 1])
  })
})

describe('routewright init: writes', () => {
  it('restores all files after a failed write', async () => {
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

  it('rejects if a file changed during the prompts', async () => {
    const folder = makeFolder(PROJECT)
    const schema = path.join(folder, 'prisma/schema.prisma')
    const run = runInit(folder, {
      confirm: async () => {
        writeFileSync(schema, `${SCHEMA}// new\n`)
        return true
      },
    })
    await expect(run).rejects.toThrow('prisma/schema.prisma was changed during the setup')
    expect(readFileSync(schema, 'utf8')).toBe(`${SCHEMA}// new\n`)
    expect(filesOf(folder)).not.toHaveProperty(['index.ts'])
  })

  it('keeps the line endings of the schema', async () => {
    const folder = makeFolder({ ...PROJECT, 'prisma/schema.prisma': SCHEMA.replaceAll('\n', '\r\n') })
    await runInit(folder)
    const written = filesOf(folder)['prisma/schema.prisma'] ?? ''
    expect(written).toContain('generator routes {\r\n')
    expect(written.replaceAll('\r\n', '')).not.toContain('\n')
  })
})
