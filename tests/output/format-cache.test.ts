import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GENERATED_HEADER, type RenderedFile } from '../../generator/emit/files.js'
import { createFormatter } from '../../generator/emit/format.js'
import { cacheKey, openFormatCache } from '../../generator/emit/format-cache.js'
import { folderWith, read, write } from './folders.js'

const CACHE = 'node_modules/.cache/routewright'

/** A project with a prettier that records each formatted text in `formatted`. */
function project(): string {
  return folderWith({
    'config.json': '{}',
    version: '3.0.0',
    formatted: '',
    'node_modules/prettier/package.json': '{ "name": "prettier", "main": "./index.cjs" }',
    'node_modules/prettier/index.cjs': `
      const { appendFileSync, readFileSync } = require('node:fs')
      const read = (name) => readFileSync(__dirname + '/../../' + name, 'utf8')
      Object.defineProperty(exports, 'version', { get: () => read('version') })
      exports.clearConfigCache = async () => {}
      exports.resolveConfigFile = async () => __dirname + '/../../config.json'
      exports.resolveConfig = async () => JSON.parse(read('config.json'))
      exports.format = async (text) => {
        appendFileSync(__dirname + '/../../formatted', text.split('\\n').at(-2) + '\\n')
        return text + '// ' + exports.version + '\\n'
      }
    `,
  })
}

const files: RenderedFile[] = ['one', 'two', 'three'].map((name) => ({
  path: `${name}/rest.ts`,
  header: GENERATED_HEADER,
  imports: [],
  body: `export const ${name} = 1`,
}))

/** Runs the formatter. Returns the bodies that prettier formatted. */
async function formatted(folder: string, wanted: readonly RenderedFile[] = files): Promise<string[]> {
  write(folder, 'formatted', '')
  const formatter = await createFormatter({ outputDir: join(folder, 'routes'), format: 'prettier' })
  const result = await formatter.format(wanted)
  const { version } = read(folder)
  for (const [index, { path, text }] of result.entries()) {
    expect(path).toBe(wanted[index]?.path)
    expect(text).toBe(`${GENERATED_HEADER}\n\n${wanted[index]?.body}\n// ${version}\n`)
  }
  return (read(folder)['formatted'] ?? '').split('\n').filter((line) => line !== '')
}

const bodies = files.map(({ body }) => body)

describe('format cache: reuse', () => {
  it('formats no file again if nothing changed', async () => {
    const folder = project()
    expect(await formatted(folder)).toEqual(bodies)
    expect(await formatted(folder)).toEqual([])
  })

  it('formats a file again if its rendered text or path changed', async () => {
    const folder = project()
    await formatted(folder)
    const changed = {
      ...files[0],
      path: 'one/rest.ts',
      header: GENERATED_HEADER,
      imports: [],
      body: 'export const one = 2',
    }
    expect(await formatted(folder, [changed, ...files.slice(1)])).toEqual(['export const one = 2'])
    expect(await formatted(folder, [{ ...changed, path: 'moved/rest.ts' }])).toEqual(['export const one = 2'])
  })

  it('formats all files again if the configuration changed', async () => {
    const folder = project()
    await formatted(folder)
    write(folder, 'config.json', '{ "semi": false }')
    expect(await formatted(folder)).toEqual(bodies)
    expect(await formatted(folder)).toEqual([])
  })

  it('formats all files again if the prettier version changed', async () => {
    const folder = project()
    await formatted(folder)
    write(folder, 'version', '3.1.0')
    expect(await formatted(folder)).toEqual(bodies)
  })

  it('ignores cached texts with format = "none"', async () => {
    const folder = project()
    await formatted(folder)
    const formatter = await createFormatter({ outputDir: join(folder, 'routes'), format: 'none' })
    expect((await formatter.format(files))[0]?.text).toBe(`${GENERATED_HEADER}\n\n${bodies[0]}\n`)
  })

  it('formats all files again if a plugin is a local file', async () => {
    const folder = project()
    write(folder, 'config.json', '{ "plugins": ["./plugin.mjs"] }')
    expect(await formatted(folder)).toEqual(bodies)
    expect(await formatted(folder)).toEqual(bodies)
  })
})

describe('format cache: storage', () => {
  const bundleOf = (folder: string) => join(folder, CACHE, readdirSync(join(folder, CACHE))[0] ?? '')

  it('recovers from an empty, truncated or altered cache file', async () => {
    const folder = project()
    await formatted(folder)
    const name = `${CACHE}/${readdirSync(join(folder, CACHE))[0]}`
    const whole = read(folder)[name] ?? ''
    const damaged = ['', '\n', '{}', whole.slice(0, 100), whole.slice(0, -1), whole.replace('one', 'two'), `${whole} `]
    for (const text of damaged) {
      write(folder, name, text)
      expect(await formatted(folder)).toEqual(bodies)
      expect(await formatted(folder)).toEqual([])
    }
  })

  it('formats all files if the cache cannot be written', async () => {
    const folder = project()
    write(folder, 'node_modules/.cache', 'a file in its place')
    expect(await formatted(folder)).toEqual(bodies)
    expect(await formatted(folder)).toEqual(bodies)
    const readOnly = project()
    chmodSync(join(readOnly, 'node_modules'), 0o555)
    expect(await formatted(readOnly)).toEqual(bodies)
    chmodSync(join(readOnly, 'node_modules'), 0o755)
  })

  it('ignores a folder among the cache files', async () => {
    const folder = project()
    await formatted(folder)
    const bundle = bundleOf(folder)
    const other = project()
    mkdirSync(bundle.replace(folder, other), { recursive: true })
    expect(await formatted(other)).toEqual(bodies)
  })

  it('stays valid after concurrent runs', async () => {
    const folder = project()
    await Promise.all([formatted(folder), formatted(folder), formatted(folder)])
    expect(await formatted(folder)).toEqual([])
    expect(readdirSync(join(folder, CACHE))).toHaveLength(1)
  })

  it('does not rewrite the cache file if nothing changed', async () => {
    const folder = project()
    await formatted(folder)
    const old = new Date('2020-01-01T00:00:00Z')
    utimesSync(bundleOf(folder), old, old)
    await formatted(folder)
    expect(statSync(bundleOf(folder)).mtime).toEqual(old)
  })

  it('holds only the texts of the last run', async () => {
    const folder = project()
    await formatted(folder)
    await formatted(folder, files.slice(0, 1))
    expect(await formatted(folder)).toEqual(bodies.slice(1))
  })

  it('keeps at most 16 output folders', () => {
    const folder = folderWith({ 'node_modules/.keep': '' })
    for (let index = 0; index < 40; index++) {
      openFormatCache(join(folder, `routes-${index}`), folder).replace(new Map([[cacheKey([index]), 'text']]))
    }
    expect(readdirSync(join(folder, CACHE)).length).toBeLessThanOrEqual(16)
    expect(openFormatCache(join(folder, 'routes-39'), folder).get(cacheKey([39]))).toBe('text')
  })

  it('uses the nearest node_modules, then that of the working directory', () => {
    const entries = new Map([[cacheKey(['a']), 'text']])
    const near = folderWith({ 'package/node_modules/.keep': '', 'node_modules/.keep': '' })
    openFormatCache(join(near, 'package/src/routes'), near).replace(entries)
    expect(existsSync(join(near, 'package', CACHE))).toBe(true)
    expect(existsSync(join(near, CACHE))).toBe(false)

    const elsewhere = folderWith()
    openFormatCache(join(elsewhere, 'routes'), near).replace(entries)
    expect(existsSync(join(near, CACHE))).toBe(true)

    const nowhere = openFormatCache(join(elsewhere, 'routes'), elsewhere)
    nowhere.replace(entries)
    expect(nowhere.get(cacheKey(['a']))).toBeUndefined()
    expect(read(elsewhere)).toEqual({})
  })
})
