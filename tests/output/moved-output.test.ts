import { mkdirSync, renameSync } from 'node:fs'
import { join, relative } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { GenerateInput } from '../../generator/generate.js'
import { loadSchema } from '../../generator/load-schema.js'
import { findPreviousOutputs } from '../../generator/output/previous-outputs.js'
import { planRoutes, writeRoutes } from '../../generator/write-routes.js'
import { folderWith, read, write } from './folders.js'

const SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "../src/client"
}
generator routes {
  provider = "routewright"
  output   = "../src/routes"
  format   = "none"
}
datasource db {
  provider = "sqlite"
}
model User {
  id Int @id
}
`
const schemaFor = (output: string, more = '') => SCHEMA.replace('"../src/routes"', JSON.stringify(output)) + more

/** A project that consists of a package.json, a schema and an empty `node_modules`, which the cache of formatted files is written to. */
function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith({ 'package.json': '{}', 'prisma/schema.prisma': SCHEMA, ...files })
  mkdirSync(join(folder, 'node_modules'))
  return folder
}

/** Generates the routes of a project. Returns the notes, with paths relative to the project. */
async function notesOf(folder: string, change: (input: GenerateInput) => GenerateInput = (input) => input) {
  const lines: string[] = []
  for (const input of await loadSchema(join(folder, 'prisma/schema.prisma'))) {
    await writeRoutes(await planRoutes(change(input)), (line) =>
      lines.push(line.replaceAll(`${relative('', folder)}/`, '')),
    )
  }
  return lines.filter((line) => /contains routes|outside/.test(line))
}

/** Generates into one folder and then into another. */
async function moved(from: string, to: string, more: Readonly<Record<string, string>> = {}) {
  const folder = project({ 'prisma/schema.prisma': schemaFor(from) })
  expect(await notesOf(folder)).toEqual([])
  for (const [path, text] of Object.entries({ 'prisma/schema.prisma': schemaFor(to), ...more }))
    write(folder, path, text)
  return folder
}

describe('note about a previous output folder', () => {
  it('names the old folder once and keeps its files', async () => {
    const folder = await moved('../src/old-routes', '../src/routes')
    const before = Object.keys(read(folder)).filter((path) => path.startsWith('src/old-routes'))
    expect(await notesOf(folder)).toEqual([
      'routewright: src/old-routes contains routes that are no longer generated. Remove it if the output folder has moved.',
    ])
    expect(Object.keys(read(folder)).filter((path) => path.startsWith('src/old-routes'))).toEqual(before)
    expect(await notesOf(folder)).toEqual([])
  })

  it('suggests removing only the files if the old folder contains the new one', async () => {
    expect(await notesOf(await moved('../src', '../src/routes'))).toEqual([
      'routewright: src contains routes that are no longer generated. Remove these files if the output folder has moved.',
    ])
  })

  it('ignores outputs of other generators in the same schema', async () => {
    const second = SCHEMA.slice(SCHEMA.indexOf('generator routes'), SCHEMA.indexOf('datasource'))
      .replace('generator routes', 'generator more')
      .replace('../src/routes', '../src/more')
    const folder = await moved('../src/routes', '../src/routes', { 'prisma/schema.prisma': SCHEMA + second })
    expect(await notesOf(folder)).toEqual([])
    // `prisma generate --generator more` does not pass the other generators.
    const alone = await moved('../src/routes', '../src/routes', { 'prisma/schema.prisma': SCHEMA + second })
    const others = (input: GenerateInput) => ({
      ...input,
      otherGenerators: [],
      loadGenerators: async () => [input.generator, ...input.otherGenerators],
    })
    expect(await notesOf(alone, others)).toEqual([])
  })

  it('ignores routes that import another Prisma client', async () => {
    const folder = await moved('../src/routes', '../src/routes')
    write(folder, 'prisma/schema.prisma', schemaFor('../src/second').replace('../src/client', '../src/other-client'))
    expect(await notesOf(folder)).toEqual([])
  })

  it('finds old routes that import the client by another path', async () => {
    const folder = await moved('../src/routes', '../api', {
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext' } }),
    })
    expect(read(folder)['src/routes/orm.ts']).toContain('"../client/client.ts"')
    expect(await notesOf(folder)).toHaveLength(1)
    expect(read(folder)['api/orm.ts']).toContain('"../src/client/client.js"')
  })

  it('skips node_modules, dist and hidden folders', async () => {
    const folder = await moved('../src/old-routes', '../src/routes')
    for (const hidden of ['node_modules', 'dist', '.backup']) {
      mkdirSync(join(folder, hidden), { recursive: true })
      renameSync(join(folder, 'src/old-routes'), join(folder, hidden, 'old-routes'))
      const search = { root: folder, outputs: [join(folder, 'src/routes')], clientImport: '../client/client.ts' }
      expect(findPreviousOutputs(search)).toEqual([])
      renameSync(join(folder, hidden, 'old-routes'), join(folder, 'src/old-routes'))
      expect(findPreviousOutputs(search)).toEqual([join(folder, 'src/old-routes')])
    }
  })

  it('stops searching at the limits for entries and time', async () => {
    const folder = await moved('../src/old-routes', '../src/routes')
    const search = { root: folder, outputs: [join(folder, 'src/routes')], clientImport: '../client/client.ts' }
    expect(findPreviousOutputs(search, { entries: 3, ms: 10_000 })).toEqual([])
    expect(findPreviousOutputs(search, { entries: 1000, ms: -1 })).toEqual([])
    expect(findPreviousOutputs(search, { entries: 1000, ms: 10_000 })).toHaveLength(1)
  })
})

describe('note about an output outside the project', () => {
  it('appears only on the first run', async () => {
    const folder = folderWith({ 'app/package.json': '{}', 'app/prisma/schema.prisma': schemaFor('../../other/routes') })
    const first = await notesOf(join(folder, 'app'))
    expect(first).toHaveLength(1)
    expect(first[0]).toMatch(
      /^routewright: .*other\/routes is outside this project\. If that is not intended, change "output" in prisma\/schema\.prisma\.$/,
    )
    expect(await notesOf(join(folder, 'app'))).toEqual([])
  })

  it('uses the repository as project if package.json is missing', async () => {
    const folder = folderWith({ '.git/HEAD': '', 'prisma/schema.prisma': schemaFor('../src/routes') })
    expect(await notesOf(folder)).toEqual([])
    write(folder, 'prisma/schema.prisma', schemaFor(join(folderWith(), 'routes')))
    expect(await notesOf(folder)).toEqual([
      expect.stringContaining('is outside this project'),
      expect.stringContaining('src/routes contains routes that are no longer generated'),
    ])
  })
})
