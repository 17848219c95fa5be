import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { describeDrift } from '../../generator/output/drift.js'
import { planOutput } from '../../generator/output/plan-output.js'
import { generateAt } from '../support/generate.js'
import { blockAbove, blocksOfKind, kindOf } from './support/kinds.js'
import { BLOCKS, type Block, formatLocation, ROOT } from './support/pages.js'
import { subscriberSchema, wholeSchema } from './support/schema.js'

const GENERATED = path.join(ROOT, 'tests/.generated')

let folder: string
beforeAll(() => {
  mkdirSync(GENERATED, { recursive: true })
  folder = mkdtempSync(path.join(GENERATED, 'project-docs-'))
  // For the cache of formatted files. Otherwise, the cache of the repository would contain it.
  mkdirSync(path.join(folder, 'node_modules'))
  write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'nodenext' } }))
  // Overrides the configuration of the repository.
  write('.prettierrc', '{}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs: schemas', () => {
  const schemas = blocksOfKind('schema').map((block) => [formatLocation(block), block] as const)

  it.each(schemas)('%s: generates routes or the documented message', async (_location, block) => {
    const below = BLOCKS[BLOCKS.indexOf(block) + 1]
    const expectedMessage = below && kindOf(below) === 'says' ? below.text.trim() : undefined
    for (const { marker, text } of templatesOf(block)) write(`prisma/templates/${marker.slice(10)}`, text)
    const generated = await generateSchema(wholeSchema(block.text)).catch((error: unknown) => {
      if (expectedMessage !== undefined && error instanceof Error) return { rejection: error.message }
      throw error
    })
    rmSync(path.join(folder, 'prisma/templates'), { recursive: true, force: true })
    if (expectedMessage === undefined) return
    const message =
      'rejection' in generated ? generated.rejection : generated.notes.map((note) => `routewright: ${note}`).join('\n')
    expect(stripLocations(message)).toMatch(toPattern(stripLocations(expectedMessage)))
  })

  it('precede every message of the generator', () => {
    const lost = blocksOfKind('says').filter((block) => {
      const above = blockAbove(block)
      return !above || kindOf(above) !== 'schema'
    })
    expect(lost.map(formatLocation)).toEqual([])
  })
})

describe('README schema', () => {
  it.each(blocksOfKind('emitted').map((block) => [formatLocation(block), block] as const))(
    '%s: equals the generated file',
    async (_location, { marker, text }) => {
      const { byPath } = await generateSchema(subscriberSchema())
      expect(byPath.get(marker.slice('out: '.length))).toBe(text)
    },
  )

  it('generates exactly the files of the tree', async () => {
    const { byPath } = await generateSchema(subscriberSchema())
    for (const block of blocksOfKind('tree')) {
      expect(filesOf(block.text).sort(), formatLocation(block)).toEqual([...byPath.keys()].sort())
    }
  })

  it.each(blocksOfKind('drift').map((block) => [formatLocation(block), block] as const))(
    '%s: equals the drift after the edit',
    async (_location, { marker, text }) => {
      const committed = await generateSchema(subscriberSchema())
      for (const file of committed.files)
        write(path.relative(folder, path.join(committed.output, file.path)), file.text)
      const added = marker.slice('drift: '.length)
      const changed = await generateSchema(subscriberSchema().replace(/\n}\n*$/, `\n  ${added}\n}\n`))
      const drift = describeDrift(await planOutput(changed.output, changed.files))
      expect(drift.replaceAll(`${path.relative(process.cwd(), folder).replaceAll(path.sep, '/')}/`, '')).toBe(text)
    },
  )
})

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}

function generateSchema(schema: string) {
  write('prisma/schema.prisma', schema)
  return generateAt(path.join(folder, 'prisma/schema.prisma'))
}

function templatesOf({ page, text }: Block): readonly Block[] {
  return /^\s*templates\s/m.test(text) ? blocksOfKind('template').filter((block) => block.page === page) : []
}

/** Returns the paths of an indented file tree. The first line is the root folder. */
function filesOf(tree: string): string[] {
  let within = ''
  return tree
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, indent = '', name = ''] = /^(\s+)(\S+)/.exec(line) ?? []
      if (name.endsWith('/')) within = name
      return name.endsWith('/') ? [] : [indent.length > 2 ? within + name : name]
    })
}

/** Removes files and line numbers from messages, because they depend on the parts of the schema that the page omits. */
function stripLocations(text: string): string {
  return text.replaceAll(/^(routewright: )\S*schema\.prisma:\d+: /gm, '$1schema.prisma: ')
}

/** Creates a pattern from a text in which `…` matches any part of a line. */
function toPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
