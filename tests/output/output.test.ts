import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EmittedFile } from '../../generator/emit/files.js'
import { applyPlan } from '../../generator/output/apply.js'
import { planOutput } from '../../generator/output/plan-output.js'
import { folderWith, modelFile, read, rootFile, write } from './folders.js'

const files = [
  rootFile('index.ts'),
  rootFile('hono.ts'),
  modelFile('post/resource.ts', 'Post'),
  modelFile('post/rest.ts', 'Post'),
  modelFile('post-tag/rest.ts', 'PostTag'),
]

/** A process that has ended has this number: none gets one so high. */
const NO_PROCESS = 4_194_305

async function output(folder: string, wanted: readonly EmittedFile[]): Promise<string[]> {
  const lines: string[] = []
  await applyPlan(await planOutput(folder, wanted), (line) => lines.push(line))
  return lines
}

const asRecord = (emitted: readonly EmittedFile[]) => Object.fromEntries(emitted.map(({ path, text }) => [path, text]))

describe('a first run', () => {
  it('writes every file into a folder that did not exist, and says so', async () => {
    const folder = join(folderWith(), 'src/routes')
    const lines = await output(folder, files)
    expect(read(folder)).toEqual(asRecord(files))
    const shown = relative(process.cwd(), folder)
    expect(lines).toEqual([
      `routewright: wrote ${shown}/post-tag/rest.ts`,
      `routewright: wrote ${shown}/post/resource.ts`,
      `routewright: wrote ${shown}/post/rest.ts`,
      `routewright: wrote ${shown}/hono.ts`,
      `routewright: wrote ${shown}/index.ts`,
      'routewright: 5 files written, 0 unchanged',
    ])
  })
})

describe('a run without changes', () => {
  it('touches no file and says so in one line', async () => {
    const folder = folderWith(asRecord(files))
    const old = new Date('2020-01-01T00:00:00Z')
    for (const { path } of files) utimesSync(join(folder, path), old, old)
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
    for (const { path } of files) expect(statSync(join(folder, path)).mtime).toEqual(old)
  })

  it('leaves the line endings of a checkout alone', async () => {
    const checkout = Object.fromEntries(files.map(({ path, text }) => [path, text.replaceAll('\n', '\r\n')]))
    const folder = folderWith(checkout)
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
    expect(read(folder)).toEqual(checkout)
  })
})

describe('a change', () => {
  it('writes the files that differ, and no others', async () => {
    const folder = folderWith(asRecord(files))
    const old = new Date('2020-01-01T00:00:00Z')
    for (const { path } of files) utimesSync(join(folder, path), old, old)
    const changed = modelFile('post/rest.ts', 'Post', 'export const a = 1')
    const lines = await output(folder, [...files.filter(({ path }) => path !== changed.path), changed])
    expect(lines.at(-1)).toBe('routewright: 1 file written, 4 unchanged')
    expect(read(folder)['post/rest.ts']).toBe(changed.text)
    expect(statSync(join(folder, 'post/resource.ts')).mtime).toEqual(old)
  })

  it('keeps the permissions of a file', async () => {
    const folder = folderWith(asRecord(files))
    chmodSync(join(folder, 'index.ts'), 0o640)
    await output(folder, [rootFile('index.ts', 'export const a = 1')])
    expect(statSync(join(folder, 'index.ts')).mode & 0o777).toBe(0o640)
  })

  it('overwrites what was edited by hand below our header', async () => {
    const folder = folderWith({ 'index.ts': `${rootFile('index.ts').text}// edited\n` })
    await output(folder, [rootFile('index.ts')])
    expect(read(folder)).toEqual(asRecord([rootFile('index.ts')]))
  })
})

describe('many files', () => {
  const models = (count: number) => Array.from({ length: count }, (_, index) => `Model${index}`)
  const filesOf = (names: readonly string[]) =>
    names.flatMap((model) => ['rest.ts', 'rpc.ts'].map((name) => modelFile(`${model.toLowerCase()}/${name}`, model)))

  it('are named up to twenty, and counted by their kind beyond that', async () => {
    const twenty = folderWith()
    const named = await output(twenty, filesOf(models(10)))
    expect(named).toHaveLength(21)
    const folder = folderWith()
    expect(await output(folder, [...filesOf(models(10)), rootFile('index.ts'), rootFile('hono.ts')])).toEqual([
      `routewright: wrote 22 files in ${relative(process.cwd(), folder)}: 10 rest.ts, 10 rpc.ts, hono.ts, index.ts`,
      'routewright: 22 files written, 0 unchanged',
    ])
  })

  it('that are written do not hide the few that are removed', async () => {
    const folder = folderWith(asRecord([rootFile('express.ts'), modelFile('old/rest.ts', 'Old')]))
    const shown = relative(process.cwd(), folder)
    expect(await output(folder, filesOf(models(12)))).toEqual([
      `routewright: wrote 24 files in ${shown}: 12 rest.ts, 12 rpc.ts`,
      `routewright: removed ${shown}/express.ts`,
      `routewright: removed ${shown}/old/rest.ts`,
      'routewright: 24 files written, 2 removed, 0 unchanged',
    ])
  })

  it('that are removed are counted too', async () => {
    const folder = folderWith(asRecord(filesOf(models(12))))
    const shown = relative(process.cwd(), folder)
    expect(await output(folder, [rootFile('index.ts')])).toEqual([
      `routewright: wrote ${shown}/index.ts`,
      `routewright: removed 24 files in ${shown}: 12 rest.ts, 12 rpc.ts`,
      'routewright: 1 file written, 24 removed, 0 unchanged',
    ])
    expect(read(folder)).toEqual(asRecord([rootFile('index.ts')]))
  })
})

describe('pruning', () => {
  it('removes the files of a model that is no more and its folder, and says so', async () => {
    const orphans = ['resource.ts', 'rest.ts', 'rpc.ts'].map((name) => modelFile(`old-tag/${name}`, 'OldTag'))
    const folder = folderWith(asRecord([...files, ...orphans, rootFile('express.ts')]))
    const lines = await output(folder, files)
    const shown = relative(process.cwd(), folder)
    expect(read(folder)).toEqual(asRecord(files))
    expect(existsSync(join(folder, 'old-tag'))).toBe(false)
    expect(lines).toEqual([
      `routewright: removed ${shown}/express.ts`,
      `routewright: removed ${shown}/old-tag/resource.ts`,
      `routewright: removed ${shown}/old-tag/rest.ts`,
      `routewright: removed ${shown}/old-tag/rpc.ts`,
      'routewright: 0 files written, 4 removed, 5 unchanged',
    ])
  })

  it('touches nothing that somebody else wrote, however similar', async () => {
    const mine = {
      'old-tag/helpers.ts': '// mine\n',
      'old-tag/rest.test.ts': modelFile('', 'OldTag').text,
      'my-post/rest.ts': modelFile('', 'Post').text,
      'post/rest.ts.orig': modelFile('', 'Post').text,
      'nested/post/rest.ts': modelFile('', 'Post').text,
      'Tag/rest.ts': modelFile('', 'Tag').text,
      'express.ts': 'export const app = 1\n',
      'README.md': '# Routes\n',
      '.routewright-notes.tmp': 'mine\n',
      'post/.routewright-1.tmp': 'mine\n',
    }
    const folder = folderWith({ ...asRecord(files), ...mine, 'old-tag/rpc.ts': modelFile('', 'OldTag').text })
    await output(folder, files)
    expect(read(folder)).toEqual({ ...asRecord(files), ...mine })
  })

  it('follows no symbolic link', async () => {
    const theirs = [modelFile('old-tag/rest.ts', 'OldTag'), modelFile('tag/rest.ts', 'Tag'), rootFile('express.ts')]
    const elsewhere = folderWith(asRecord(theirs))
    const folder = folderWith(asRecord(files))
    symlinkSync(join(elsewhere, 'old-tag'), join(folder, 'old-tag'))
    symlinkSync(join(elsewhere, 'express.ts'), join(folder, 'express.ts'))
    mkdirSync(join(folder, 'tag'))
    symlinkSync(join(elsewhere, 'tag/rest.ts'), join(folder, 'tag/rest.ts'))
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
    expect(read(elsewhere)).toEqual(asRecord(theirs))
    for (const { path } of theirs) expect(existsSync(join(folder, path)), path).toBe(true)
  })
})

describe('what stands in the way', () => {
  it('is refused before anything is written', async () => {
    const folder = folderWith({ 'post/rest.ts': 'export const mine = 1\n' })
    await expect(output(folder, files)).rejects.toThrow(/post\/rest\.ts exists and was not generated by routewright/)
    expect(read(folder)).toEqual({ 'post/rest.ts': 'export const mine = 1\n' })
  })

  it('may be a folder, a file in place of a folder, or a link', async () => {
    const folder = folderWith({ 'post-tag': 'mine\n', 'elsewhere/index.ts': rootFile('').text })
    mkdirSync(join(folder, 'hono.ts'))
    symlinkSync(join(folder, 'elsewhere/index.ts'), join(folder, 'index.ts'))
    const attempt = planOutput(folder, files)
    await expect(attempt).rejects.toThrow(/hono\.ts cannot be written: it is a folder/)
    await expect(attempt).rejects.toThrow(/post-tag\/rest\.ts cannot be written: post-tag is no folder/)
    await expect(attempt).rejects.toThrow(/index\.ts cannot be written: it is a symbolic link/)
  })

  it('may be a folder that is a link out of the output folder', async () => {
    const elsewhere = folderWith({ 'rest.ts': modelFile('', 'Post').text })
    const folder = folderWith()
    symlinkSync(elsewhere, join(folder, 'post'))
    symlinkSync(join(elsewhere, 'gone'), join(folder, 'post-tag'))
    const attempt = planOutput(folder, files)
    await expect(attempt).rejects.toThrow(
      /post\/rest\.ts cannot be written: its folder is a symbolic link that leads out/,
    )
    await expect(attempt).rejects.toThrow(
      /post-tag\/rest\.ts cannot be written: its folder is a symbolic link that leads nowhere/,
    )
  })

  it('may be the output folder itself', async () => {
    const folder = folderWith({ routes: 'mine\n' })
    await expect(planOutput(join(folder, 'routes'), files)).rejects.toThrow(
      /routes is no folder.*Choose another "output"/,
    )
  })

  it('is not a link inside the output folder', async () => {
    const folder = folderWith({ 'shared/rest.ts': modelFile('', 'Post').text })
    symlinkSync(join(folder, 'shared'), join(folder, 'post'))
    expect((await planOutput(folder, [modelFile('post/rest.ts', 'Post')])).unchanged).toEqual(['post/rest.ts'])
  })
})

describe('an output folder that is a link', () => {
  it('is written through', async () => {
    const real = folderWith()
    const folder = join(folderWith(), 'routes')
    symlinkSync(real, folder)
    await output(folder, files)
    expect(read(real)).toEqual(asRecord(files))
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
  })
})

describe('temporary files', () => {
  it('of runs that were killed are removed, with a folder that holds nothing else', async () => {
    const folder = folderWith({ ...asRecord(files), [`.routewright-${NO_PROCESS}-0.tmp`]: 'half' })
    write(folder, `new-model/.routewright-${NO_PROCESS}-7.tmp`, 'half')
    write(folder, `post/.routewright-${NO_PROCESS}-8.tmp`, 'half')
    await output(folder, files)
    expect(read(folder)).toEqual(asRecord(files))
    expect(existsSync(join(folder, 'new-model'))).toBe(false)
  })

  it('of a run that is still going on are left to it', async () => {
    const theirs = { [`post/.routewright-${process.ppid}-0.tmp`]: 'half' }
    const folder = folderWith({ ...asRecord(files), ...theirs })
    await output(folder, files)
    expect(read(folder)).toEqual({ ...asRecord(files), ...theirs })
  })

  it('do not stay behind where a file cannot be written', async () => {
    const folder = folderWith(asRecord(files))
    const planned = await planOutput(folder, [rootFile('index.ts', 'export const a = 1')])
    write(folder, `.routewright-${process.pid}-0.tmp`, 'in the way')
    await expect(applyPlan({ ...planned, leftovers: [] }, () => undefined)).rejects.toThrow(/EEXIST/)
    expect(read(folder)['index.ts']).toBe(rootFile('index.ts').text)
  })
})
