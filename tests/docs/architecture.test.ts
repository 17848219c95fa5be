import { existsSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { PAGES, pageOf, proseOf, ROOT, tableWith } from './support/pages.js'

const PATH = /^(\.ci|\.github|\.changeset|bench|demo|docs|fixtures|generator|runtime|scripts|tests)(\/[\w.-]+)+\/?$/

describe('ARCHITECTURE.md', () => {
  it('is one page', () => {
    expect(pageOf('ARCHITECTURE.md').text.split('\n').length - 1).toBeLessThanOrEqual(100)
  })

  it('tells where each of these changes goes', () => {
    const changes = tableWith('changes')
    expect(changes.map(([change]) => change)).toEqual([
      'a filter operator',
      'a header of answers',
      'a link',
      "an error's status",
      'a nested write',
      'a limit',
      'an adapter',
      'an annotation',
    ])
    for (const [change, ...cells] of changes) {
      for (const cell of cells) expect(/(generator|runtime|tests)\//.test(cell), change).toBe(true)
    }
  })

  it.each(PAGES.map((page) => [page.name, page] as const))('%s names paths that exist', (_name, page) => {
    const named = [...proseOf(page).matchAll(/`([^`\s]+)`/g)].flatMap(([, text = '']) =>
      PATH.test(text) ? [text] : [],
    )
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
    if (page.name === 'ARCHITECTURE.md') expect(named.length).toBeGreaterThan(40)
  })
})
