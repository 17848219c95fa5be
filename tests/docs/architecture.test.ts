import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { PAGES, pageOf, proseOf, ROOT, tableWith } from './support/pages.js'

const PATH =
  /^(\.ci|\.github|\.changeset|bench|client|demo|docs|fixtures|generator|runtime|scripts|tests)(\/[\w.-]+)+\/?$/

describe('ARCHITECTURE.md', () => {
  it('has at most 100 lines', () => {
    expect(pageOf('ARCHITECTURE.md').text.split('\n').length - 1).toBeLessThanOrEqual(100)
  })

  it('lists the files for each kind of change', () => {
    const changes = tableWith('changes')
    expect(changes.map(([change]) => change)).toEqual([
      'a filter operator',
      'a response header',
      'a link',
      'the status of an error',
      'a nested write',
      'a hook',
      'custom routes',
      'a limit',
      'an adapter',
      'an annotation',
    ])
    for (const [change, ...cells] of changes) {
      for (const cell of cells) expect(/(generator|runtime|tests)\//.test(cell), change).toBe(true)
    }
  })

  it.each(tableWith('layers').map(([layer = '', allowed = '']) => [layer, allowed.split(', ')] as const))(
    '%s: imports only allowed layers',
    (layer, allowed) => {
      const others = importsOf(layer)
        .filter(([, imported]) => !isWithin(imported, layer))
        .filter(([, imported]) => !allowed.some((each) => isWithin(imported, each)))
      expect(others).toEqual([])
    },
  )

  it('runtime/features: features do not import each other', () => {
    const featureOf = (file: string) => file.split('/')[2]
    const others = importsOf('runtime/features').filter(([file, imported]) => {
      return isWithin(imported, 'runtime/features') && featureOf(file) !== featureOf(imported)
    })
    expect(others).toEqual([])
  })

  it.each(['generator', 'runtime', 'client'])('%s: has no import cycles, not even of types', (name) => {
    const imports = new Map<string, string[]>()
    for (const [file, imported] of importsOf(name)) imports.set(file, [...(imports.get(file) ?? []), imported])
    const checked = new Set<string>()
    const cycleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(file)) return path.slice(path.indexOf(file))
      if (checked.has(file)) return undefined
      checked.add(file)
      for (const imported of imports.get(file) ?? []) {
        const cycle = cycleFrom(imported, [...path, file])
        if (cycle) return cycle
      }
      return undefined
    }
    for (const file of imports.keys()) expect(cycleFrom(file, [])).toBeUndefined()
  })

  it.each(['generator', 'runtime', 'client'])('%s: lists every layer', (name) => {
    const folders = readdirSync(path.join(ROOT, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
      .map((folder) => `${name}/${folder.name}`)
    const layers = tableWith('layers').map(([layer]) => layer)
    expect(layers.filter((layer) => layer?.startsWith(`${name}/`)).sort()).toEqual(folders.sort())
  })

  it.each(PAGES.map((page) => [page.name, page] as const))('%s: names existing paths', (_name, page) => {
    const named = [...proseOf(page).matchAll(/`([^`\s]+)`/g)].flatMap(([, text = '']) =>
      PATH.test(text) ? [text] : [],
    )
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
    if (page.name === 'ARCHITECTURE.md') expect(named.length).toBeGreaterThan(40)
  })
})

/** Returns the imports of a folder's files from this repository: file and imported path. */
function importsOf(folder: string): (readonly [file: string, imported: string])[] {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8')
      return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)].map(
        ([, specifier = '']) => [file, `${path.posix.join(path.posix.dirname(file), specifier)}.ts`] as const,
      )
    })
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`)
}
