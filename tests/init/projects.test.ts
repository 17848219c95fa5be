import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { filesOf, makeFolder, manifestOf, MODELS, runInit, SCHEMA } from './support.js'

const TSCONFIG = JSON.stringify({ compilerOptions: { module: 'nodenext' } })
const PROJECT = { 'package.json': manifestOf(['express']), 'tsconfig.json': TSCONFIG, 'prisma/schema.prisma': SCHEMA }

/** Returns a generator block of an existing project. */
const routes = (more = '', provider = 'routewright') =>
  `generator api {\n  provider = "${provider}"\n  output   = "../src/routes"\n${more}}\n\n`

const stepsOf = (out: string) => [...out.matchAll(/^ {2}\d+\. (.*)$/gm)].map(([, step]) => step)

describe('routewright init: schema location', () => {
  const rest = { 'package.json': manifestOf(['hono']), 'tsconfig.json': TSCONFIG, 'src/a.ts': '' }

  it.each<[string, string, Record<string, string>, string]>([
    ['schema.prisma in the root', 'schema.prisma', {}, ''],
    [
      'path in prisma.config.ts',
      'db/main.prisma',
      { 'prisma.config.ts': 'export default { schema: "db/main.prisma" }\n' },
      '',
    ],
    [
      'path in package.json',
      'db/main.prisma',
      { 'package.json': manifestOf(['hono'], { prisma: { schema: 'db/main.prisma' } }) },
      ' --schema db/main.prisma',
    ],
    ['schema folder', 'prisma/schema/a.prisma', {}, ' --schema prisma/schema'],
  ])('%s: adds the generator to the schema', async (_, file, more, flag) => {
    const folder = makeFolder({ ...rest, [file]: SCHEMA, ...more })
    const { out } = await runInit(folder)
    const upwards = file.includes('/') ? '../'.repeat(file.split('/').length - 1) : './'
    expect(filesOf(folder)[file]).toContain(`output   = "${upwards}src/routes"\n}\n\ndatasource`)
    expect(stepsOf(out)).toContain(`npx prisma generate${flag}`)
    expect(out.includes('Add it to prisma.config.ts')).toBe(flag !== '')
  })

  it('accepts a --schema path outside the app folder', async () => {
    const folder = makeFolder({ 'packages/db/schema.prisma': SCHEMA })
    const app = makeFolder(rest, path.join(folder, 'apps/web'))
    const { out } = await runInit(app, { schema: '../../packages/db/schema.prisma' })
    const files = filesOf(folder)
    expect(files['packages/db/schema.prisma']).toContain('output   = "../../apps/web/src/routes"')
    expect(files['apps/web/src/db.ts']).toContain('from "../../../packages/src/generated/prisma/client.js"')
    expect(stepsOf(out)).toContain('npx prisma generate --schema ../../packages/db/schema.prisma')
  })

  it('changes only the file with the client generator', async () => {
    const folder = makeFolder({
      ...rest,
      'prisma.config.ts': 'export default { schema: "prisma" }\n',
      'prisma/a.prisma': 'datasource db {\n  provider = "sqlite"\n}\n',
      'prisma/b.prisma': SCHEMA.slice(0, SCHEMA.indexOf('datasource')),
      'prisma/note.prisma': SCHEMA.slice(SCHEMA.indexOf('model')),
    })
    const before = filesOf(folder)
    await runInit(folder)
    const after = filesOf(folder)
    const changed = Object.keys(before).filter((name) => before[name] !== after[name])
    expect(changed).toEqual(['prisma/b.prisma'])
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['missing schema', rest, /no schema was found: .*Specify it with --schema/],
    ['invalid schema', { ...rest, 'schema.prisma': 'model A {\n' }, /the schema cannot be read[^]*Fix the schema/],
    ['missing package.json', { 'schema.prisma': SCHEMA }, /there is no package\.json in .*in the folder of your app/],
    [
      'schema without a datasource',
      { ...rest, 'schema.prisma': SCHEMA.slice(0, SCHEMA.indexOf('datasource')) },
      /the schema has no datasource\. Add one/,
    ],
  ])('%s: rejects and writes nothing', async (_, files, message) => {
    const folder = makeFolder(files)
    const before = filesOf(folder)
    await expect(runInit(folder)).rejects.toThrow(message)
    expect(filesOf(folder)).toEqual(before)
  })
})

describe('routewright init: existing generators', () => {
  const project = (block: string, packages = ['express', 'hono']) =>
    makeFolder({
      'package.json': manifestOf(packages),
      'tsconfig.json': TSCONFIG,
      'prisma/schema.prisma': block + SCHEMA,
    })

  it.each(['routewright', 'npx routewright', './node_modules/.bin/routewright', 'node ../routewright/dist/main.js'])(
    'provider %s: keeps the routes generator',
    async (provider) => {
      const folder = project(routes('  adapters = ["express"]\n', provider))
      await runInit(folder)
      const files = filesOf(folder)
      expect(files['prisma/schema.prisma']).toBe(routes('  adapters = ["express"]\n', provider) + SCHEMA)
      expect(files['index.ts']).toContain('from "./src/routes/express.js"')
    },
  )

  it('mounts only the styles of the routes generator', async () => {
    const folder = project(routes('  adapters = ["express"]\n  styles   = ["rest"]\n'))
    await runInit(folder)
    expect(filesOf(folder)['index.ts']).toContain('handler: RestApiHandler({ endpoint: "http://localhost:3000/api" })')
  })

  it('keeps adapters of another framework and prints the mismatch', async () => {
    const folder = project(routes())
    const before = filesOf(folder)
    const { out } = await runInit(folder)
    expect(out).toContain('adapters = ["hono"], but the app uses Express. Add "express"')
    expect(filesOf(folder)).toEqual(before)
  })

  it('keeps the "node" adapter after hono was installed', async () => {
    const folder = project(routes('  adapters = ["node"]\n'), ['hono', 'zod'])
    await runInit(folder)
    expect(filesOf(folder)['index.ts']).toContain('createNodeHandler')
  })

  it('rejects unknown generator options', async () => {
    await expect(runInit(project(routes('  adaptors = ["hono"]\n')))).rejects.toThrow('unknown option "adaptors"')
  })

  it('uses a free generator name and the first client generator', async () => {
    const other = `generator routes {\n  provider = "echo"\n}\n\ngenerator edge {\n  provider = "prisma-client"\n  output   = "../edge"\n}\n\n`
    const folder = project(other)
    const { out } = await runInit(folder)
    const written = filesOf(folder)['prisma/schema.prisma'] ?? ''
    expect(written).toContain('generator routewright {\n  provider = "routewright"\n')
    expect(written).toContain('  client   = "edge"\n}')
    expect(out).toContain('several client generators (edge, client). The routes use edge')
  })

  it('adds a client generator if the schema has none', async () => {
    const folder = makeFolder({ ...PROJECT, 'prisma/schema.prisma': MODELS })
    const { out } = await runInit(folder)
    const client = 'generator client {\n  provider = "prisma-client"\n  output   = "../generated/prisma"\n}\n'
    const files = filesOf(folder)
    expect(files['prisma/schema.prisma']).toContain(`provider = "sqlite"\n}\n\n${client}\ngenerator routes {`)
    expect(files['db.ts']).toContain('from "./generated/prisma/client.js"')
    expect(out).toContain('The schema has no client generator')
  })

  it('imports @prisma/client for a prisma-client-js generator', async () => {
    const schema = `generator client {\n  provider = "prisma-client-js"\n}\n\n${MODELS}`
    const folder = makeFolder({ ...PROJECT, 'prisma/schema.prisma': schema })
    await runInit(folder)
    expect(filesOf(folder)['db.ts']).toContain('from "@prisma/client"')
  })
})

describe('routewright init: next steps', () => {
  it('lists only missing packages and steps', async () => {
    const folder = makeFolder({
      ...PROJECT,
      'package.json': manifestOf(['express', '@prisma/client', 'prisma', '@types/node']),
      'pnpm-lock.yaml': '',
      'prisma/schema.prisma': SCHEMA.replace('text String', '/// @zod.max(10)\n  text String'),
    })
    const steps = stepsOf((await runInit(folder)).out)
    expect(steps).toEqual([
      'pnpm add @routewright/runtime hono zod @prisma/adapter-libsql@7',
      'pnpm add -D routewright @types/express',
      'pnpm exec prisma generate',
      'Set DATABASE_URL in the environment to the URL of your database.',
      'Start index.ts. It listens on port 3000.',
    ])
    const again = stepsOf((await runInit(folder)).out)
    expect(again).toEqual(steps.slice(0, 3))
  })

  it.each([
    ['package-lock.json', ['npm install ', 'npm install -D ', 'npx prisma generate']],
    ['yarn.lock', ['yarn add ', 'yarn add -D ', 'yarn prisma generate']],
    ['bun.lock', ['bun add ', 'bun add -d ', 'bunx prisma generate']],
  ])('%s: prints commands of its package manager', async (lockfile, commands) => {
    const steps = stepsOf((await runInit(makeFolder({ ...PROJECT, [lockfile]: '' }))).out)
    for (const [index, command] of commands.entries()) expect(steps[index]).toMatch(new RegExp(`^${command}`))
  })

  it('names the command that creates the extended tsconfig.json', async () => {
    const folder = makeFolder({
      'package.json': manifestOf(['@sveltejs/kit']),
      'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }',
      'prisma/schema.prisma': SCHEMA,
    })
    const { out } = await runInit(folder)
    expect(out).toContain('Run `npx svelte-kit sync` before `prisma generate`')
    expect(filesOf(folder)['src/hooks.server.ts']).toContain('from "$lib/server/routes/sveltekit"')
  })

  it.each<[object, string]>([
    [{ strict: false, module: 'nodenext' }, 'Note: tsconfig.json turns strictNullChecks off'],
    [{ module: 'nodenext' }, 'Note: tsconfig.json does not set strict.'],
    [
      { strict: true, module: 'CommonJS' },
      'Note: tsconfig.json has module "commonjs" and no moduleResolution. With this setting, TypeScript before 6',
    ],
    [
      { strict: true, module: 'esnext', moduleResolution: 'Node' },
      'Note: tsconfig.json has moduleResolution "node10". With this setting, TypeScript does not',
    ],
    [{ strictNullChecks: true, module: 'esnext', moduleResolution: 'bundler' }, ''],
  ])('%j: notes only unsupported compiler options', async (compilerOptions, note) => {
    const folder = makeFolder({ ...PROJECT, 'tsconfig.json': JSON.stringify({ compilerOptions }) })
    const { out } = await runInit(folder)
    if (note === '') expect(out).not.toContain('Note:')
    else expect(out).toContain(note)
  })

  it.each<[framework: string, compilerOptions: object, typescript: string, note: string]>([
    [
      'hono',
      { types: [] },
      '5.9.3',
      'tsconfig.json has "types": [], so Node\'s types are not included, but src/db.ts needs them',
    ],
    ['elysia', { types: ['vitest'] }, '5.9.3', 'Set "types": ["vitest", "node"].'],
    ['@nestjs/common', {}, '7.0.2', 'tsconfig.json does not set "types", so Node\'s types are not included'],
    ['hono', {}, '5.9.3', ''],
    ['hono', { types: ['node/fs'] }, '7.0.2', ''],
    ['hono', { types: ['bun'] }, '7.0.2', ''],
    ['express', { types: [] }, '7.0.2', ''],
  ])(
    '%s, %j, TypeScript %s: notes missing Node types if db.ts needs them',
    async (framework, options, typescript, note) => {
      const compilerOptions = { strict: true, module: 'nodenext', ...options }
      const folder = makeFolder({
        'package.json': manifestOf([framework]),
        'tsconfig.json': JSON.stringify({ compilerOptions }),
        'prisma/schema.prisma': SCHEMA,
        'node_modules/typescript/package.json': JSON.stringify({ name: 'typescript', version: typescript }),
        'src/other.ts': '',
      })
      const { out } = await runInit(folder)
      expect(filesOf(folder)['src/db.ts']).toContain('process.env')
      if (note === '') expect(out).not.toContain('Note:')
      else expect(out).toContain(note)
      // An existing client needs no setup.
      expect((await runInit(folder)).out).not.toContain('process.env')
    },
  )

  const outside: string[] = []
  afterAll(() => Promise.all(outside.map((folder) => rm(folder, { recursive: true }))))

  it('notes a missing tsconfig.json', async () => {
    // Not in the repository, because that has a tsconfig.json above its tests.
    const folder = await mkdtemp(path.join(tmpdir(), 'routewright-init-'))
    outside.push(folder)
    makeFolder({ 'package.json': manifestOf(['express']), 'server.js': 'express()', 'schema.prisma': SCHEMA }, folder)
    const { out } = await runInit(folder)
    expect(out).toContain('There is no tsconfig.json.')
    expect(filesOf(folder)['api.ts']).toContain('from "./routes/express.ts"')
    expect(out).toContain('Use api.ts in server.js:')
  })
})
