import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { makeProject } from '../e2e/project.js'
import { blocksOfKind, kindOf } from './support/kinds.js'
import { blocksOf, PAGES, formatLocation, ROOT } from './support/pages.js'

const RECIPES = blocksOfKind('recipe').map((block) => ({ ...block, file: block.marker.replace('recipe: ', '') }))

/** An app's options, as strict as they can be. */
const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
}

describe('docs recipes', () => {
  it.each(RECIPES.map((block) => [formatLocation(block), block] as const))(
    '%s: equals a whole file of the example',
    (_, recipe) => {
      const source = readFileSync(path.join(ROOT, 'examples/workspace', path.basename(recipe.file)), 'utf8')
      expect(recipe.text).toBe(source.replaceAll('../../fixtures/workspace/expected/', './routes/'))
    },
  )

  it('are the only TypeScript blocks in sections named "Recipes"', () => {
    const sections = PAGES.flatMap(({ name, text }) =>
      [...text.matchAll(/^## Recipes\n[^]*?(?=^## )/gm)].flatMap(([section]) => blocksOf({ name, text: section })),
    )
    const excerpts = sections.filter((block) => block.language === 'ts' && kindOf(block) !== 'recipe')
    expect(excerpts.map(({ page, text }) => `${page}: ${text}`)).toEqual([])
    expect(RECIPES.length).toBeGreaterThan(0)
  })

  it.each(['typescript', 'typescript-5.9'] as const)('%s: compile in an app', async (compiler) => {
    const project = makeProject({
      'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER_OPTIONS }),
      ...Object.fromEntries(RECIPES.map(({ file, text }) => [file, text])),
    })
    const copy = (from: string, to: string) =>
      cpSync(path.join(ROOT, 'fixtures/workspace', from), path.join(project.folder, 'src', to), { recursive: true })
    copy('client', 'client')
    copy('expected', 'routes')
    expect(await project.typecheck({}, compiler)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
