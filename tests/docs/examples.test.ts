import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { SIDEBAR } from '../../docs/.vitepress/sidebar.js'
import { linkDocs, siteOf } from '../../scripts/link-docs.js'
import { type ExportedValue, readExports } from './support/exports.js'
import { blocksOfKind } from './support/kinds.js'
import { anchorsOf, ROOT } from './support/pages.js'

const { values, compile } = readExports()

/** Marks values that users do not call. They have neither an example nor a link. */
const USED_BY_EMITTED_CODE = /\b(?:Called|Used) by the emitted\s`([\w.]+)`/

/** The entries that only emitted routers import. */
const EMITTED_ENTRY = /^@routewright\/runtime\/(rest|rpc): /

/** Returns the emitted file or function that uses a value, or undefined if users call it. */
function emittedUser({ title, text }: ExportedValue): string | undefined {
  const [, entry] = EMITTED_ENTRY.exec(title) ?? []
  return entry === undefined ? USED_BY_EMITTED_CODE.exec(text)?.[1]?.split(/\.(?!ts$)/)[0] : `${entry}.ts`
}

const isEmittedOnly = (value: ExportedValue) => emittedUser(value) !== undefined
const rows = (some: readonly ExportedValue[]) => some.map((value) => [value.title, value] as const)
const forUsers = values.filter((value) => !isEmittedOnly(value))

/** Templates, and emitted files for the parts that are not in templates. */
const EMITTED = [path.join(ROOT, 'generator/templates'), path.join(ROOT, 'fixtures/blog/expected/post')].flatMap(
  (folder) =>
    readdirSync(folder).map((name) => ({
      name: name.replace(/\.hbs$/, '.ts'),
      text: readFileSync(path.join(folder, name), 'utf8'),
    })),
)

/** The generator's list of the functions that enable features. `index.ts` calls them. */
const FEATURES = { name: 'index.ts', text: readFileSync(path.join(ROOT, 'generator/emit/features-view.ts'), 'utf8') }

describe('exported values for users', () => {
  it.each(rows(forUsers))('%s: has one example of at most 8 lines that uses it', (_title, { name, examples }) => {
    expect(examples).toHaveLength(1)
    expect(examples[0]?.trim().split('\n').length).toBeLessThanOrEqual(8)
    expect(examples[0]).toMatch(new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from '@routewright/`, 'm'))
  })

  it.each(rows(forUsers))('%s: links to an existing section of the docs', (_title, { links }) => {
    expect(links).toHaveLength(1)
    const [, page = '', anchor] = /^\[[^\]]+\]\(docs\/([\w-]+)\.md(?:#([\w-]+))?\)$/.exec(links[0] ?? '') ?? []
    expect(SIDEBAR.flatMap(({ items }) => items.map(({ link }) => link))).toContain(`/${page}`)
    if (anchor !== undefined) expect(anchorsOf(`docs/${page}.md`)).toContain(anchor)
  })

  it('have examples that compile with the routes of the blog', () => {
    expect(compile()).toEqual([])
  })
})

describe('exported values for emitted code', () => {
  it.each(rows(values.filter(isEmittedOnly)))('%s: is used where its comment or entry says', (_title, value) => {
    const user = emittedUser(value)
    const users = [...EMITTED, FEATURES]
      .filter((file) => new RegExp(`\\b${value.name}\\b`).test(file.text))
      .flatMap((file) => [file.name, ...exportsOf(file.text)])
    expect(users).toContain(user)
  })
})

describe('emitted functions', () => {
  // Only routers import calls.
  const templates = EMITTED.filter(({ name, text }) => name !== 'calls.ts' && !text.startsWith('// Code generated'))
  const compiled = [...blocksOfKind('typescript'), ...blocksOfKind('project'), ...blocksOfKind('recipe')]
  const imports = compiled.flatMap(({ text }) =>
    [...text.matchAll(/^import \{([^}]*)\} from/gm)].map(([, names]) => names),
  )

  it.each(templates.flatMap(({ text }) => exportsOf(text)))('%s: is used in a compiled block of the docs', (name) => {
    expect(imports.filter((names = '') => new RegExp(`\\b${name}\\b`).test(names))).not.toHaveLength(0)
  })
})

describe('linkDocs', () => {
  it('makes links to docs pages absolute', () => {
    expect(linkDocs('@see [Hooks](docs/hooks.md#reference)', siteOf('Owner/name'))).toBe(
      '@see [Hooks](https://owner.github.io/name/hooks#reference)',
    )
  })
})

/** Returns the names of the functions and constants that a file exports. */
function exportsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name = '']) => name))]
}
