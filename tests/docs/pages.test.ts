import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { BLOCKS, PAGES, type Page, pageOf, proseOf, ROOT } from './support/pages.js'

/** Pages about one capability each; the others are lists. */
const TOPICS = PAGES.filter(
  ({ name }) => name.startsWith('docs/') && !/\/(README|performance|testbed|not-supported)\.md$/.test(name),
)

/** Pages that are linked from others, whose own blocks are not checked. */
const LINKED = ['bench/README.md', 'examples/issue-tracker/README.md'].map((name): Page => ({
  name,
  text: readFileSync(path.join(ROOT, name), 'utf8'),
}))

describe('the README', () => {
  it('can be read to its end', () => {
    expect(pageOf('README.md').text.split('\n').length - 1).toBeLessThanOrEqual(250)
  })

  it('begins with a schema of a few lines', () => {
    const schema = BLOCKS.find(({ marker }) => marker === 'in')
    expect(schema?.page).toBe('README.md')
    expect(schema?.text.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(15)
  })

  it('says of the bundle what was measured', () => {
    const rows = (name: string) =>
      [...pageOf(name).text.matchAll(/^\| (.+?) +\| +([\d.]+ kB) +\| +([\d.]+ kB) +\|$/gm)].map((row) => row.slice(1))
    expect(rows('README.md').length).toBeGreaterThan(3)
    expect(rows('docs/performance.md')).toEqual(expect.arrayContaining(rows('README.md')))
  })
})

describe('the pages', () => {
  it('are all in the index', () => {
    const index = linksOf(pageOf('docs/README.md')).map(({ file }) => file)
    for (const { name } of PAGES.filter(({ name }) => name.startsWith('docs/') && name !== 'docs/README.md')) {
      expect(index).toContain(name)
    }
  })

  it.each([...PAGES, ...LINKED].map((page) => [page.name, page] as const))(
    '%s links to what is there',
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

  it.each(TOPICS.map((page) => [page.name, page] as const))('%s begins with an example', (_name, { name, text }) => {
    const first = BLOCKS.find(({ page }) => page === name)?.line ?? Infinity
    const lines = text.split('\n')
    expect(first).toBeLessThan(35)
    expect(lines.slice(0, first - 1).filter((line) => line.startsWith('## '))).toHaveLength(0)
  })

  it.each(TOPICS.map((page) => [page.name, page] as const))(
    '%s tells what it costs, what bad input gets and what is not supported',
    (name, { text }) => {
      // Errors are what bad input gets.
      if (name === 'docs/errors.md') return
      for (const heading of ['What it costs', 'What bad input gets', 'What is not supported']) {
        expect(text).toMatch(new RegExp(`^## ${heading}$`, 'm'))
      }
    },
  )

  it('have no lines that are too long to read in an editor, tables and links aside', () => {
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
  /** Relative to the repository. */
  readonly file: string
  readonly anchor: string | undefined
}

/** The links of a page that stay in the repository. */
function linksOf(page: Page): Link[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^(https?|mailto):/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const from = path.posix.dirname(page.name)
    return [{ target, file: file === '' ? page.name : path.posix.join(from, file), anchor }]
  })
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(file: string): string[] {
  const text = proseOf({ name: file, text: readFileSync(path.join(ROOT, file), 'utf8') })
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
