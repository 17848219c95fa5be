import { execFile } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

import { generate } from '../../generator/generate.js'
import { databaseModule } from '../../generator/init/mount/database-module.js'
import { loadSchema } from '../../generator/load-schema.js'
import { ADAPTERS } from '../../generator/options.js'
import { applyPlan } from '../../generator/output/apply.js'
import { planOutput } from '../../generator/output/plan-output.js'
import { hasFrameworks } from '../support/frameworks.js'
import { APPS, BUNDLER, NODE } from './apps.js'
import { copyClient, filesOf, makeFolder, manifestOf, ROOT, runInit, SCHEMA } from './support.js'

/** Declarations that the frameworks generate before an app is checked. */
const GENERATED_BY_FRAMEWORKS = `import '@tanstack/react-start'
declare module '@tanstack/react-router' {
  interface FileRoutesByPath {
    '/api/$': { id: '/api/$'; path: '/api/$'; fullPath: '/api/$'; parentRoute: import('@tanstack/react-router').AnyRoute; preLoaderRoute: unknown }
  }
}
`
const ENV = "declare module '$env/dynamic/private' {\n  export const env: Record<string, string | undefined>\n}\n"
// This package is not installed here. The fixture's client is for SQLite.
const SQLITE = `declare module '@prisma/adapter-better-sqlite3' {
  import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
  export const PrismaBetterSqlite3: new (config: { url: string }) => SqlDriverAdapterFactory
}
`

const STRICT = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
  jsx: 'react-jsx',
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
}

const namesOf = (tsconfig: string) =>
  Object.keys(APPS).filter((name) => (APPS[name]?.tsconfig === NODE) === (tsconfig === NODE))

/** All apps are in one folder, so that the compiler runs once per configuration. */
const makeApps = () =>
  makeFolder({
    'package.json': manifestOf([]),
    'frameworks.ts': GENERATED_BY_FRAMEWORKS,
    'env.d.ts': ENV,
    'sqlite.d.ts': SQLITE,
    'tsconfig.node.json': JSON.stringify({
      compilerOptions: { ...STRICT, module: 'nodenext' },
      include: ['sqlite.d.ts', ...namesOf(NODE)],
    }),
    'tsconfig.bundler.json': JSON.stringify({
      compilerOptions: {
        ...STRICT,
        module: 'esnext',
        moduleResolution: 'bundler',
        paths: { '@/*': ['./next/src/*'], '$lib/*': ['./sveltekit/src/lib/*', './sveltekit-hooks/src/lib/*'] },
      },
      include: ['sqlite.d.ts', 'env.d.ts', 'frameworks.ts', ...namesOf(BUNDLER)],
    }),
  })

/** Returns the lines that the last step shows for a file of the app. */
function linesToAdd(out: string): string {
  return (/^ +\d+\. Use [^]*?:\n([^]*)/m.exec(out)?.[1] ?? '').replace(/^ +/gm, '')
}

const apps = makeApps()

describe('routewright init', () => {
  it('is tested with an app for every adapter', () => {
    expect([...new Set(Object.values(APPS).map(({ adapter }) => adapter))].sort()).toEqual([...ADAPTERS].sort())
  })

  describe.each(Object.entries(APPS))('%s app', (name, app) => {
    const folder = path.join(apps, name)
    const appFiles = { 'prisma/schema.prisma': SCHEMA, 'src/here.ts': 'export {}\n', ...app.files }

    it('adds the generator and mounts the routes; a second run changes nothing', async () => {
      makeFolder({ 'package.json': manifestOf(app.packages), 'tsconfig.json': app.tsconfig, ...appFiles }, folder)
      const before = filesOf(folder)
      const first = await runInit(folder)
      expect(first).toMatchObject({ code: 0, error: '' })
      const after = filesOf(folder)
      const added = Object.keys(after).filter((file) => !(file in before))
      expect(added).toEqual([...(app.db === undefined ? [] : [app.db]), app.mount].sort())
      const changed = Object.keys(before).filter((file) => after[file] !== before[file])
      expect(changed).toEqual(['prisma/schema.prisma'])
      const adapters = app.adapter === 'hono' ? '' : `  adapters = ["${app.adapter}"]\n`
      const block = `generator routes {\n  provider = "routewright"\n  output   = "../${app.output}"\n${adapters}}\n\n`
      expect(after['prisma/schema.prisma']).toBe(SCHEMA.replace('datasource', `${block}datasource`))
      if (app.host !== undefined) {
        expect(linesToAdd(first.out)).toContain('api')
        appendFileSync(path.join(folder, app.host), linesToAdd(first.out))
      }

      copyClient(path.join(folder, 'src/generated/prisma'))
      for (const input of await loadSchema(path.join(folder, 'prisma/schema.prisma'))) {
        const { output, files } = await generate(input)
        await applyPlan(await planOutput(output, files), () => {})
      }
      const generated = filesOf(folder)
      expect(Object.keys(generated)).toContain(`${app.output}/${app.adapter}.ts`)
      const second = await runInit(folder)
      expect(second).toMatchObject({ code: 0, error: '' })
      expect(second.out).toContain('nothing to write')
      expect(filesOf(folder)).toEqual(generated)
    })
  })

  it.each([
    ['postgresql', []],
    ['mysql', []],
    ['sqlite', []],
    ['sqlite', ['@prisma/adapter-better-sqlite3']],
  ])('%s: creates a client with a driver adapter', (provider, packages) => {
    const client = './src/generated/prisma/client.js'
    const module = databaseModule({ provider, client, adapter: 'express', packages: new Set(packages) })
    expect(module?.driver).toMatch(/^@prisma\/adapter-/)
    // Compiled with the app below.
    writeFileSync(path.join(apps, `express/${provider}.ts`), module?.text ?? '')
  })

  it.runIf(hasFrameworks)('writes files that compile with the generated routes', async () => {
    const checks = ['tsconfig.node.json', 'tsconfig.bundler.json'].map(async (config) => {
      const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
      return await promisify(execFile)(process.execPath, [tsc, '-p', config], { cwd: apps }).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      )
    })
    expect(await Promise.all(checks)).toEqual(['', ''])
  })
})
