import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The root of the repository. */
export const ROOT = path.resolve(import.meta.dirname, '../../..')

/** A Markdown page. */
export interface Page {
  /** Relative to the repository, for example `docs/rest.md`. */
  readonly name: string
  readonly text: string
}

/** A fenced block of code on a page. */
export interface Block {
  readonly page: string
  /** Line number of its first line, starting at 1. */
  readonly line: number
  readonly language: string
  /** The text of the comment above it: `answer: 404` for `<!-- answer: 404 -->`. Empty if there is no comment. */
  readonly marker: string
  readonly text: string
}

/** Pages whose blocks, links and paths are checked. */
export const PAGES: readonly Page[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'generator/README.md',
  'runtime/README.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    // The home page of the site has no text to check.
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .sort()
    .map((name) => `docs/${name}`),
].map((name) => ({ name, text: readFileSync(path.join(ROOT, name), 'utf8') }))

/** Every block of every page, in reading order. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(blocksOf)

/** Returns the page with a name. */
export function pageOf(name: string): Page {
  const page = PAGES.find((each) => each.name === name)
  if (!page) throw new Error(`There is no page ${name}.`)
  return page
}

/** Returns the fenced blocks of a page, each with the comment directly above it. */
export function blocksOf({ name, text }: Page): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', language] = /^(\s*)```([\w-]*)\s*$/.exec(lines[at] ?? '') ?? []
    if (language === undefined) continue
    const marker = /^\s*<!-- (.+?) -->\s*$/.exec(lines[at - 1] ?? '')?.[1] ?? ''
    const first = at + 1
    let last = first
    while (last < lines.length && lines[last]?.trim() !== '```') last++
    if (last === lines.length) throw new Error(`${name}:${at + 1}: the block is not closed.`)
    const body = lines.slice(first, last).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    blocks.push({ page: name, line: first + 1, language, marker, text: `${body.join('\n')}\n` })
    at = last
  }
  return blocks
}

/** Returns a page's text with empty lines instead of fenced blocks. */
export function proseOf({ text }: Page): string {
  let inside = false
  return text
    .split('\n')
    .map((line) => {
      const fence = /^\s*```/.test(line)
      if (fence) inside = !inside
      return fence || inside ? '' : line
    })
    .join('\n')
}

/** Returns the anchors that GitHub creates for the headings of a page. */
export function anchorsOf(file: string): string[] {
  const text = proseOf({ name: file, text: readFileSync(path.join(ROOT, file), 'utf8') })
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Returns the only block of all pages with a marker. */
export function blockWith(marker: string): Block {
  const [block, another] = BLOCKS.filter((each) => each.marker === marker)
  if (!block) throw new Error(`No page has a block "${marker}".`)
  if (another) throw new Error(`${another.page} has a second block "${marker}".`)
  return block
}

/** Returns the cells of the only table with a marker, without the header and without backticks. */
export function tableWith(marker: string): string[][] {
  const found = PAGES.flatMap(({ text }) => [
    ...text.matchAll(new RegExp(`<!-- ${marker} -->\\n\\|.*\\n\\|.*\\n((?:\\|.*\\n)+)`, 'g')),
  ])
  const [table, another] = found
  if (!table) throw new Error(`No page has a table "${marker}".`)
  if (another) throw new Error(`There is a second table "${marker}".`)
  return (table[1] ?? '')
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}

/** Formats the location of a block for editors. */
export function formatLocation({ page, line }: Block): string {
  return `${page}:${line}`
}
