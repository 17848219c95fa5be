import { symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { runCli } from '../../generator/cli.js'
import { folderWith, read, write } from '../output/folders.js'
import { FORMATTED_HEAD } from '../support/generate.js'

const ROOT = resolve(import.meta.dirname, '../..')
const MODEL = 'model User {\n  id Int @id\n}\n'

/** A project with this repository's packages and a generated client. */
function project(schema = FORMATTED_HEAD + MODEL): string {
  const folder = folderWith({ 'package.json': '{}', 'schema.prisma': schema, 'client/client.ts': '' })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}

/** Runs a command on a project. Paths in the output are relative to the project. */
async function run(command: string, folder: string) {
  let [out, error] = ['', '']
  const schema = join(folder, 'schema.prisma')
  const code = await runCli([command, '--schema', schema], {
    out: (text) => (out += text),
    error: (text) => (error += text),
  })
  const printedFolder = `${relative('', folder)}/`
  return {
    code,
    out: out.replaceAll(printedFolder, '').trimEnd().split('\n'),
    error: error.replaceAll(printedFolder, ''),
  }
}

/** Runs the command without arguments in a folder. */
async function runIn(folder: string) {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  try {
    let printed = ''
    const print = (text: string) => (printed += text)
    return { code: await runCli(['generate'], { out: print, error: print }), printed }
  } finally {
    cwd.mockRestore()
  }
}

const routesIn = (folder: string, output = 'routes') => Object.keys(read(join(folder, output)))

describe('routewright generate', () => {
  it('writes and lists the files, and writes nothing in a second run', async () => {
    const folder = project()
    expect(await run('generate', folder)).toEqual({
      code: 0,
      out: [
        'routewright: wrote routes/user/calls.ts',
        'routewright: wrote routes/user/resource.ts',
        'routewright: wrote routes/user/rest.ts',
        'routewright: wrote routes/user/rpc.ts',
        'routewright: wrote routes/client.ts',
        'routewright: wrote routes/hono.ts',
        'routewright: wrote routes/orm.ts',
        'routewright: wrote routes/index.ts',
        'routewright: 8 files written, 0 unchanged',
      ],
      error: '',
    })
    expect(routesIn(folder)).toHaveLength(8)
    expect(await run('generate', folder)).toMatchObject({ code: 0, out: ['routewright: 8 files, all up to date'] })
    expect(await run('check', folder)).toMatchObject({ code: 0 })
  })

  it('writes the routes of each generator block', async () => {
    const second = 'generator admin {\n  provider = "npx routewright"\n  output = "./admin"\n  styles = ["rpc"]\n}\n'
    const folder = project(FORMATTED_HEAD + second + MODEL)
    expect(await run('generate', folder)).toMatchObject({ code: 0 })
    expect(routesIn(folder)).toContain('user/rest.ts')
    expect(routesIn(folder, 'admin')).toEqual([
      'client.ts',
      'hono.ts',
      'index.ts',
      'orm.ts',
      'user/calls.ts',
      'user/resource.ts',
      'user/rpc.ts',
    ])
  })

  it('prints notes about the schema', async () => {
    const folder = project(`${FORMATTED_HEAD}${MODEL}model Log {\n  /// @api.hidden\n  id Int @id\n}`)
    expect((await run('generate', folder)).out[0]).toMatch(/^routewright: Log has no routes/)
  })

  it('writes routes without a generated client and prints a note', async () => {
    const folder = folderWith({ 'package.json': '{}', 'schema.prisma': FORMATTED_HEAD + MODEL })
    const { code, out } = await run('generate', folder)
    expect(code).toBe(0)
    expect(routesIn(folder)).toHaveLength(8)
    expect(out).toEqual([
      'routewright: the routes require packages that are not installed. Run: npm install @routewright/runtime hono',
      ...Array.from({ length: 9 }, () => expect.any(String)),
      'routewright: the routes import a Prisma client that has not been generated yet (client). Run: npx prisma generate',
    ])
    const bare = FORMATTED_HEAD.replace('"prisma-client"', '"prisma-client-js"').replace(
      '  output   = "./client"\n',
      '',
    )
    write(folder, 'schema.prisma', bare + MODEL)
    expect((await run('generate', folder)).out.join('\n')).not.toContain('not generated yet')
  })

  it('exits with 2 and writes nothing if any block of the schema is invalid', async () => {
    const folder = project(`${FORMATTED_HEAD}model User {\n  /// @api.hiden\n  id Int @id\n}`)
    const broken = await run('generate', folder)
    expect(broken).toMatchObject({ code: 2, out: [''] })
    expect(broken.error).toMatch(/schema\.prisma:\d+: model User, field id: "@api\.hiden" is not allowed on a field\./)
    const second = 'generator admin {\n  provider = "routewright"\n  output = "./admin"\n  style = "rpc"\n}\n'
    write(folder, 'schema.prisma', FORMATTED_HEAD + second + MODEL)
    expect(await run('generate', folder)).toMatchObject({ code: 2, out: [''] })
    write(folder, 'schema.prisma', FORMATTED_HEAD.replace('routewright', 'other') + MODEL)
    expect(await run('generate', folder)).toMatchObject({
      code: 2,
      error: expect.stringContaining('no generator with'),
    })
    expect(Object.keys(read(folder)).filter((path) => /^(routes|admin)/.test(path))).toEqual([])
  })

  it('exits with 2 if the project has another major version of Prisma', async () => {
    const older = `datasource db {\n  provider = "sqlite"\n  url = "file:dev.db"\n}\n${MODEL}`
    const folder = folderWith({
      'schema.prisma': older,
      'node_modules/prisma/package.json': '{ "name": "prisma", "version": "6.19.0" }',
    })
    for (const command of ['generate', 'check']) {
      expect(await run(command, folder)).toMatchObject({
        code: 2,
        error: 'routewright: Prisma 7 is required, but this project has prisma 6.19.0. Run: npm install -D prisma@7\n',
      })
    }
  })

  it('checks the Prisma version next to the schema of another package', async () => {
    const folder = folderWith({
      'prisma.config.ts': 'export default { schema: "packages/db/schema.prisma" }\n',
      'packages/db/schema.prisma': FORMATTED_HEAD + MODEL,
      'packages/db/node_modules/@prisma/client/package.json': '{ "name": "@prisma/client", "version": "6.1.0" }',
    })
    const { code, printed } = await runIn(folder)
    expect(code).toBe(2)
    expect(printed).toMatch(
      /^routewright: Prisma 7 is required, but this project has @prisma\/client 6\.1\.0\. Run: npm install @prisma\/client@7$/m,
    )
  })

  it('names the environment variable that prisma.config.ts needs', async () => {
    const config = "import { env } from 'prisma/config'\nexport default { datasource: { url: env('NOT_SET') } }\n"
    const folder = project()
    write(folder, 'prisma.config.ts', config)
    const { code, printed } = await runIn(folder)
    expect(code).toBe(2)
    expect(printed).toBe(
      'routewright: prisma.config.ts cannot be loaded: Cannot resolve environment variable: NOT_SET. Run `npx prisma validate` to see all details.\n',
    )
  })

  it('exits with 2 for an unknown argument', async () => {
    const printed = { out: '', error: '' }
    const code = await runCli(['generate', 'everything'], {
      out: (text) => (printed.out += text),
      error: (text) => (printed.error += text),
    })
    expect(code).toBe(2)
    expect(printed).toEqual({ out: '', error: expect.stringContaining('Usage: routewright <command> [options]') })
  })
})
