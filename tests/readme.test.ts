import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { ADAPTERS, readOptions } from '../generator/options.js'
import { ERROR_CODES } from '../runtime/errors/codes.js'
import { DEFAULT_LIMITS } from '../runtime/limits.js'
import { makeProject } from './e2e/project.js'

const README = readFileSync(path.resolve(import.meta.dirname, '../README.md'), 'utf8')

/** The code block that stands below a marker. */
function code(marker: string): string {
  const found = new RegExp(`<!-- ${marker} -->\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(README)?.[1]
  if (found === undefined) throw new Error(`the README has no block "${marker}"`)
  return found
}

/** The cells of the table that stands below a marker, without their backticks. */
function table(marker: string): string[][] {
  const found = new RegExp(`<!-- ${marker} -->\n\\|.*\n\\|.*\n((?:\\|.*\n)+)`).exec(README)?.[1]
  if (found === undefined) throw new Error(`the README has no table "${marker}"`)
  return found
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}

const CLIENT = `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}
datasource db {
  provider = "sqlite"
}
`

describe('what the README shows', () => {
  it('goes in comes out, and the app around it compiles', async () => {
    const project = makeProject({
      'prisma/schema.prisma': CLIENT + code('in'),
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true } }),
      'src/app.ts': code('app'),
      'src/db.ts':
        "import { PrismaClient } from './generated/prisma/client.js'\nexport declare const prisma: PrismaClient\n",
    })
    const { code: exit, stderr } = await project.prismaGenerate()
    expect(exit, stderr).toBe(0)
    const emitted = readFileSync(path.join(project.folder, 'src/routes/subscriber/rest.ts'), 'utf8')
    expect(emitted).toBe(code('out: subscriber/rest.ts'))
    expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('is a policy that compiles', async () => {
    const schema = (CLIENT + code('in')).replace(/(provider\s*= "routewright"\n)/, '$1  policy = "casl"\n')
    const project = makeProject({
      'prisma/schema.prisma': schema,
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true } }),
      'src/app.ts': code('policy'),
      'src/db.ts':
        "import { PrismaClient } from './generated/prisma/client.js'\nexport declare const prisma: PrismaClient\n",
    })
    const { code: exit, stderr } = await project.prismaGenerate()
    expect(exit, stderr).toBe(0)
    expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
  }, 60_000)

  it('can be pasted for every framework', async () => {
    const places: Readonly<Record<string, string>> = {
      next: 'src/app/api/route',
      sveltekit: 'src/hooks.server',
      nuxt: 'src/server/api/all',
      'tanstack-start': 'src/tanstack/api',
    }
    const blocks = [...README.matchAll(/<!-- adapter: ([a-z-]+) -->\n```ts\n([^]*?)```/g)]
    expect([...new Set(blocks.map(([, adapter]) => adapter))].sort()).toEqual([...ADAPTERS].sort())
    const files = blocks.map(([, adapter = '', text = ''], index) => [
      `${places[adapter] ?? `src/${adapter}`}${index}.ts`,
      text,
    ])
    const db =
      "import type { PrismaClient } from '@/generated/prisma/client'\nexport declare const prisma: PrismaClient\n"
    const again = (adapter: string) => `export * from '@/routes/${adapter}'\n`
    const output = 'output   = "../src/routes"'
    const project = makeProject({
      'prisma/schema.prisma':
        CLIENT + code('in').replace(output, `${output}\n  adapters = ${JSON.stringify([...ADAPTERS])}`),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'esnext',
          moduleResolution: 'bundler',
          target: 'es2022',
          lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
          jsx: 'react-jsx',
          strict: true,
          experimentalDecorators: true,
          paths: { '@/*': ['./src/*'], '$lib/server/*': ['./src/*'] },
        },
      }),
      'src/db.ts': db,
      'src/server/db.ts': db,
      'src/server/routes-of-prisma/nuxt.ts': again('nuxt'),
      'src/prisma-routes/tanstack-start.ts': again('tanstack-start'),
      // What the framework's router writes.
      'src/route-tree.ts': `import '@tanstack/react-start'
declare module '@tanstack/react-router' {
  interface FileRoutesByPath {
    '/api/$': { id: '/api/$'; path: '/api/$'; fullPath: '/api/$'; parentRoute: import('@tanstack/react-router').AnyRoute; preLoaderRoute: unknown }
  }
}
`,
      ...Object.fromEntries(files),
    })
    const { code: exit, stderr } = await project.prismaGenerate()
    expect(exit, stderr).toBe(0)
    expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('is ten lines of schema, and no more', () => {
    expect(
      code('in')
        .trim()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(15)
  })

  it('names every option of the generator, and no other', () => {
    const options = readOptions({ name: 'routes', config: {}, output: '/routes', file: '/schema.prisma' })
    expect(
      table('options')
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys(options).sort())
  })

  it('names every adapter', () => {
    expect(
      table('adapters')
        .map(([name]) => name)
        .sort(),
    ).toEqual([...ADAPTERS].sort())
  })

  it('names every error code with its status', () => {
    expect(table('errors').map(([status, name]) => [name, Number(status)])).toEqual(
      Object.entries(ERROR_CODES).map(([name, { status }]) => [name, status]),
    )
  })

  it('names every limit with its default', () => {
    expect(table('limits').map(([name, value]) => [name, Number(value?.replaceAll(' ', ''))])).toEqual(
      Object.entries(DEFAULT_LIMITS),
    )
  })
})
