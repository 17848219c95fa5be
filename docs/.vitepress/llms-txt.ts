import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { SIDEBAR } from './sidebar.js'

const DOCS = path.resolve(import.meta.dirname, '..')

/** Writes `llms.txt`, an index of the pages, and `llms-full.txt`, their text, into the built site. */
export function writeLlmsTxt(folder: string, base: string): void {
  const intro = '# Routewright\n\n> A Prisma generator that writes typed Hono routers for REST (JSON:API) and RPC.\n'
  const pages = SIDEBAR.flatMap(({ items }) => items)
  const index = SIDEBAR.map(({ text, items }) => {
    const links = items.map((item) => `- [${item.text}](${base}${item.link.slice(1)})`)
    return [`## ${text}`, '', ...links].join('\n')
  })
  const texts = pages.map(({ link }) => readFileSync(path.join(DOCS, fileOf(link)), 'utf8').trim())
  writeFileSync(path.join(folder, 'llms.txt'), `${[intro, ...index].join('\n\n')}\n`)
  writeFileSync(path.join(folder, 'llms-full.txt'), `${[intro, ...texts].join('\n\n')}\n`)
}

function fileOf(link: string): string {
  return link === '/introduction' ? 'README.md' : `${link.slice(1)}.md`
}
