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

/** The id of a process that has ended. No process has such a high id. */
const NO_PROCESS = 4_194_305

async function output(folder: string, wanted: readonly EmittedFile[]): Promise<string[]> {
  const lines: string[] = []
  await applyPlan(await planOutput(folder, wanted), (line) => lines.push(line))
  return lines
}

const asRecord = (emitted: readonly EmittedFile[]) => Object.fromEntries(emitted.map(({ path, text }) => [path, text]))

describe('output folder: first run', () => {
  it('creates the folder and logs every written file', async () => {
    const folder = join(folderWith(), 'src/routes')
    const lines = await output(folder, files)
    expect(read(folder)).toEqual(asRecord(files))
    const relativePath = relative(process.cwd(), folder)
    expect(lines).toEqual([
      `routewright: wrote ${relativePath}/post-tag/rest.ts`,
      `routewright: wrote ${relativePath}/post/resource.ts`,
      `routewright: wrote ${relativePath}/post/rest.ts`,
      `routewright: wrote ${relativePath}/hono.ts`,
      `routewright: wrote ${relativePath}/index.ts`,
      'routewright: 5 files written, 0 unchanged',
    ])
  })
})

describe('output folder: run without changes', () => {
  it('leaves all files untouched and logs one line', async () => {
    const folder = folderWith(asRecord(files))
    const old = new Date('2020-01-01T00:00:00Z')
    for (const { path } of files) utimesSync(join(folder, path), old, old)
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
    for (const { path } of files) expect(statSync(join(folder, path)).mtime).toEqual(old)
  })

  it('keeps the line endings of a checkout', async () => {
    const checkout = Object.fromEntries(files.map(({ path, text }) => [path, text.replaceAll('\n', '\r\n')]))
    const folder = folderWith(checkout)
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
    expect(read(folder)).toEqual(checkout)
  })
})

describe('output folder: changed files', () => {
  it('writes only the files that differ', async () => {
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

  it('overwrites manual edits below the generated header', async () => {
    const folder = folderWith({ 'index.ts': `${rootFile('index.ts').text}// edited\n` })
    await output(folder, [rootFile('index.ts')])
    expect(read(folder)).toEqual(asRecord([rootFile('index.ts')]))
  })
})

describe('log of written and removed files', () => {
  const models = (count: number) => Array.from({ length: count }, (_, index) => `Model${index}`)
  const filesOf = (names: readonly string[]) =>
    names.flatMap((model) => ['rest.ts', 'rpc.ts'].map((name) => modelFile(`${model.toLowerCase()}/${name}`, model)))

  it('names up to 20 files and summarizes more', async () => {
    const twenty = folderWith()
    const named = await output(twenty, filesOf(models(10)))
    expect(named).toHaveLength(21)
    const folder = folderWith()
    expect(await output(folder, [...filesOf(models(10)), rootFile('index.ts'), rootFile('hono.ts')])).toEqual([
      `routewright: wrote 22 files in ${relative(process.cwd(), folder)}: 10 rest.ts, 10 rpc.ts, hono.ts, index.ts`,
      'routewright: 22 files written, 0 unchanged',
    ])
  })

  it('names removed files even if written files are summarized', async () => {
    const folder = folderWith(asRecord([rootFile('express.ts'), modelFile('old/rest.ts', 'Old')]))
    const relativePath = relative(process.cwd(), folder)
    expect(await output(folder, filesOf(models(12)))).toEqual([
      `routewright: wrote 24 files in ${relativePath}: 12 rest.ts, 12 rpc.ts`,
      `routewright: removed ${relativePath}/express.ts`,
      `routewright: removed ${relativePath}/old/rest.ts`,
      'routewright: 24 files written, 2 removed, 0 unchanged',
    ])
  })

  it('summarizes more than 20 removed files', async () => {
    const folder = folderWith(asRecord(filesOf(models(12))))
    const relativePath = relative(process.cwd(), folder)
    expect(await output(folder, [rootFile('index.ts')])).toEqual([
      `routewright: wrote ${relativePath}/index.ts`,
      `routewright: removed 24 files in ${relativePath}: 12 rest.ts, 12 rpc.ts`,
      'routewright: 1 file written, 24 removed, 0 unchanged',
    ])
    expect(read(folder)).toEqual(asRecord([rootFile('index.ts')]))
  })
})

describe('removal of orphaned files', () => {
  it('removes and logs the files of a removed model with its folder', async () => {
    const orphans = ['resource.ts', 'rest.ts', 'rpc.ts'].map((name) => modelFile(`old-tag/${name}`, 'OldTag'))
    const folder = folderWith(asRecord([...files, ...orphans, rootFile('express.ts')]))
    const lines = await output(folder, files)
    const relativePath = relative(process.cwd(), folder)
    expect(read(folder)).toEqual(asRecord(files))
    expect(existsSync(join(folder, 'old-tag'))).toBe(false)
    expect(lines).toEqual([
      `routewright: removed ${relativePath}/express.ts`,
      `routewright: removed ${relativePath}/old-tag/resource.ts`,
      `routewright: removed ${relativePath}/old-tag/rest.ts`,
      `routewright: removed ${relativePath}/old-tag/rpc.ts`,
      'routewright: 0 files written, 4 removed, 5 unchanged',
    ])
  })

  it('keeps handwritten files and copies of generated files', async () => {
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

  it('does not follow symbolic links', async () => {
    const linkedFiles = [
      modelFile('old-tag/rest.ts', 'OldTag'),
      modelFile('tag/rest.ts', 'Tag'),
      rootFile('express.ts'),
    ]
    const elsewhere = folderWith(asRecord(linkedFiles))
    const folder = folderWith(asRecord(files))
    symlinkSync(join(elsewhere, 'old-tag'), join(folder, 'old-tag'))
    symlinkSync(join(elsewhere, 'express.ts'), join(folder, 'express.ts'))
    mkdirSync(join(folder, 'tag'))
    symlinkSync(join(elsewhere, 'tag/rest.ts'), join(folder, 'tag/rest.ts'))
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
    expect(read(elsewhere)).toEqual(asRecord(linkedFiles))
    for (const { path } of linkedFiles) expect(existsSync(join(folder, path)), path).toBe(true)
  })
})

describe('output folder: conflicts', () => {
  it('rejects a handwritten file before it writes other files', async () => {
    const folder = folderWith({ 'post/rest.ts': 'export const mine = 1\n' })
    await expect(output(folder, files)).rejects.toThrow(/post\/rest\.ts exists and was not generated by routewright/)
    expect(read(folder)).toEqual({ 'post/rest.ts': 'export const mine = 1\n' })
  })

  it('rejects a folder, a file used as folder and a symbolic link', async () => {
    const folder = folderWith({ 'post-tag': 'mine\n', 'elsewhere/index.ts': rootFile('').text })
    mkdirSync(join(folder, 'hono.ts'))
    symlinkSync(join(folder, 'elsewhere/index.ts'), join(folder, 'index.ts'))
    const attempt = planOutput(folder, files)
    await expect(attempt).rejects.toThrow(/hono\.ts cannot be written: it is a folder/)
    await expect(attempt).rejects.toThrow(/post-tag\/rest\.ts cannot be written: post-tag is not a folder/)
    await expect(attempt).rejects.toThrow(/index\.ts cannot be written: it is a symbolic link/)
  })

  it('rejects a model folder that links outside the output folder', async () => {
    const elsewhere = folderWith({ 'rest.ts': modelFile('', 'Post').text })
    const folder = folderWith()
    symlinkSync(elsewhere, join(folder, 'post'))
    symlinkSync(join(elsewhere, 'gone'), join(folder, 'post-tag'))
    const attempt = planOutput(folder, files)
    await expect(attempt).rejects.toThrow(
      /post\/rest\.ts cannot be written: its folder is a symbolic link to a folder outside the output folder/,
    )
    await expect(attempt).rejects.toThrow(/post-tag\/rest\.ts cannot be written: its folder is a broken symbolic link/)
  })

  it('rejects an output path that is a file', async () => {
    const folder = folderWith({ routes: 'mine\n' })
    await expect(planOutput(join(folder, 'routes'), files)).rejects.toThrow(
      /routes is not a folder.*Choose a different "output"/,
    )
  })

  it('accepts a link inside the output folder', async () => {
    const folder = folderWith({ 'shared/rest.ts': modelFile('', 'Post').text })
    symlinkSync(join(folder, 'shared'), join(folder, 'post'))
    expect((await planOutput(folder, [modelFile('post/rest.ts', 'Post')])).unchanged).toEqual(['post/rest.ts'])
  })
})

describe('output folder that is a symbolic link', () => {
  it('writes to the target of the link', async () => {
    const real = folderWith()
    const folder = join(folderWith(), 'routes')
    symlinkSync(real, folder)
    await output(folder, files)
    expect(read(real)).toEqual(asRecord(files))
    expect(await output(folder, files)).toEqual(['routewright: 5 files, all up to date'])
  })
})

describe('temporary files', () => {
  it('removes leftovers of killed runs and folders that become empty', async () => {
    const folder = folderWith({ ...asRecord(files), [`.routewright-${NO_PROCESS}-0.tmp`]: 'half' })
    write(folder, `new-model/.routewright-${NO_PROCESS}-7.tmp`, 'half')
    write(folder, `post/.routewright-${NO_PROCESS}-8.tmp`, 'half')
    await output(folder, files)
    expect(read(folder)).toEqual(asRecord(files))
    expect(existsSync(join(folder, 'new-model'))).toBe(false)
  })

  it('keeps files of a run that is still active', async () => {
    const tempFiles = { [`post/.routewright-${process.ppid}-0.tmp`]: 'half' }
    const folder = folderWith({ ...asRecord(files), ...tempFiles })
    await output(folder, files)
    expect(read(folder)).toEqual({ ...asRecord(files), ...tempFiles })
  })

  it('keeps the old file if the temporary file already exists', async () => {
    const folder = folderWith(asRecord(files))
    const planned = await planOutput(folder, [rootFile('index.ts', 'export const a = 1')])
    write(folder, `.routewright-${process.pid}-0.tmp`, 'in the way')
    await expect(applyPlan({ ...planned, leftovers: [] }, () => undefined)).rejects.toThrow(/EEXIST/)
    expect(read(folder)['index.ts']).toBe(rootFile('index.ts').text)
  })
})
