import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { makeProject } from '../e2e/project.js'
import { STRICT_OPTIONS } from './support/documented-app.js'
import { blocksOfKind, kindOf } from './support/kinds.js'
import { BLOCKS, formatLocation, ROOT } from './support/pages.js'

const RECIPES = blocksOfKind('recipe').map((block) => ({ ...block, file: block.marker.replace('recipe: ', '') }))

describe('docs recipes', () => {
  it.each(RECIPES.map((block) => [formatLocation(block), block] as const))(
    '%s: equals a whole file of the example',
    (_, recipe) => {
      const source = readFileSync(path.join(ROOT, 'examples/workspace', path.basename(recipe.file)), 'utf8')
      expect(recipe.text).toBe(source.replaceAll('../../fixtures/workspace/expected/', './routes/'))
    },
  )

  it('are whole files, like all TypeScript blocks of the cookbook', () => {
    const blocks = BLOCKS.filter(({ page, language }) => page === 'docs/cookbook.md' && language === 'ts')
    const excerpts = blocks.filter((block) => !['recipe', 'project'].includes(kindOf(block) ?? ''))
    expect(excerpts.map(formatLocation)).toEqual([])
    expect(RECIPES.length).toBeGreaterThan(0)
  })

  it.each(['typescript', 'typescript-5.9'] as const)('%s: compile in an app', async (compiler) => {
    const project = makeProject({
      'tsconfig.json': JSON.stringify({ compilerOptions: STRICT_OPTIONS }),
      ...Object.fromEntries(RECIPES.map(({ file, text }) => [file, text])),
    })
    const copy = (from: string, to: string) =>
      cpSync(path.join(ROOT, 'fixtures/workspace', from), path.join(project.folder, 'src', to), { recursive: true })
    copy('client', 'client')
    copy('expected', 'routes')
    expect(await project.typecheck({}, compiler)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
