import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { SIDEBAR } from '../../docs/.vitepress/sidebar.js'
import { anchorsOf, BLOCKS, PAGES, type Page, pageOf, proseOf, ROOT } from './support/pages.js'

/** Pages about one feature each. The others are lists. */
const TOPICS = PAGES.filter(
  ({ name }) =>
    name.startsWith('docs/') && !/\/(README|cli|comparison|glossary|performance|limitations)\.md$/.test(name),
)

const LAST_SECTIONS: readonly string[] = ['Performance', 'Errors', 'Limitations']

/** Pages that other pages link to. Their own blocks are not checked. */
const LINKED = ['bench/README.md', 'examples/issue-tracker/README.md'].map((name): Page => ({
  name,
  text: readFileSync(path.join(ROOT, name), 'utf8'),
}))

describe('README', () => {
  it('has at most 220 lines', () => {
    expect(pageOf('README.md').text.split('\n').length - 1).toBeLessThanOrEqual(220)
  })

  it('starts with a schema of at most 15 lines', () => {
    const schema = BLOCKS.find(({ marker }) => marker === 'in')
    expect(schema?.page).toBe('README.md')
    expect(schema?.text.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(15)
  })

  it('shows the measured bundle sizes', () => {
    const rows = (name: string) =>
      [...pageOf(name).text.matchAll(/^\| (.+?) +\| +([\d.]+ kB) +\| +([\d.]+ kB) +\|$/gm)].map((row) => row.slice(1))
    expect(rows('README.md').length).toBeGreaterThan(3)
    expect(rows('docs/performance.md')).toEqual(expect.arrayContaining(rows('README.md')))
  })
})

describe('docs pages', () => {
  it('appear in the index and the sidebar in the same order', () => {
    const index = linksOf(pageOf('docs/README.md')).map(({ file }) => file)
    const sidebar = SIDEBAR.flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`))
    const names = PAGES.filter(({ name }) => name.startsWith('docs/') && name !== 'docs/README.md')
    const inDocs = index.filter((file) => file.startsWith('docs/'))
    expect(sidebar.filter((file) => file !== 'docs/introduction.md')).toEqual(inDocs)
    expect([...inDocs].sort()).toEqual(names.map(({ name }) => name).sort())
  })

  it.each([...PAGES, ...LINKED].map((page) => [page.name, page] as const))(
    '%s: links to existing files and anchors',
    (_name, page) => {
      for (const { target, file, anchor } of linksOf(page)) {
        expect(existsSync(path.join(ROOT, file)), `${page.name} links to ${target}`).toBe(true)
        if (anchor === undefined) continue
        expect(
          statSync(path.join(ROOT, file)).isFile() && anchorsOf(file),
          `${page.name} links to ${target}`,
        ).toContain(anchor)
      }
    },
  )

  it.each(TOPICS.map((page) => [page.name, page] as const))('%s: starts with an example', (_name, { name, text }) => {
    const first = BLOCKS.find(({ page }) => page === name)?.line ?? Infinity
    const lines = text.split('\n')
    expect(first).toBeLessThan(35)
    expect(lines.slice(0, first - 1).filter((line) => line.startsWith('## '))).toHaveLength(0)
  })

  it.each(TOPICS.map((page) => [page.name, page] as const))(
    '%s: ends with Performance, Errors and Limitations, in this order',
    (_name, { text }) => {
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
      const last = headings.filter((heading) => LAST_SECTIONS.includes(heading))
      expect(last).toEqual(LAST_SECTIONS.filter((section) => last.includes(section)))
      expect(headings.slice(headings.length - last.length)).toEqual(last)
    },
  )

  it('have no prose lines over 145 characters', () => {
    const long = PAGES.flatMap((page) =>
      proseOf(page)
        .split('\n')
        .flatMap((line, at) => (line.length > 145 && !/^\||\]\(/.test(line) ? [`${page.name}:${at + 1}`] : [])),
    )
    expect(long).toEqual([])
  })
})

interface Link {
  readonly target: string
  /** Relative to the root of the repository. */
  readonly file: string
  readonly anchor: string | undefined
}

/** Returns the links of a page to files in the repository. */
function linksOf(page: Page): Link[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^(https?|mailto):/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const from = path.posix.dirname(page.name)
    return [{ target, file: file === '' ? page.name : path.posix.join(from, file), anchor }]
  })
}
