import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { OPTIONAL_FILES } from '../../generator/features.js'
import { ADAPTERS } from '../../generator/options.js'
import { makeProject } from '../e2e/project.js'
import { hasFrameworks } from '../support/frameworks.js'
import { blocksOfKind } from './support/kinds.js'
import type { Block } from './support/pages.js'
import { subscriberSchemaWith } from './support/schema.js'

/** Folders of frameworks' files whose imports depend on the location. */
const FOLDERS: Readonly<Record<string, string>> = {
  next: 'app/api/',
  nuxt: 'server/api/',
  'tanstack-start': 'tanstack/',
}

const TSCONFIG = {
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
}

const sourceOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Files that pages quote completely and import. */
const DOCUMENTED_FILES: Readonly<Record<string, string>> = {
  'src/end.ts': sourceOf('demo/end.ts'),
  'src/statement-names.ts': sourceOf('bench/run/statement-names.ts'),
}

/** Other files that the frameworks need: generated routes, router files and a guard. */
const AROUND: Readonly<Record<string, string>> = {
  'src/auth.guard.ts': 'export class AuthGuard {\n  canActivate(): boolean {\n    return true\n  }\n}\n',
  'src/server/db.ts': "export * from '@/db'\n",
  'src/server/prisma-routes/nuxt.ts': "export * from '@/routes/nuxt'\n",
  'src/prisma-routes/tanstack-start.ts': "export * from '@/routes/tanstack-start'\n",
  'src/route-tree.ts': `import '@tanstack/react-start'
declare module '@tanstack/react-router' {
  interface FileRoutesByPath {
    '/api/$': { id: '/api/$'; path: '/api/$'; fullPath: '/api/$'; parentRoute: import('@tanstack/react-router').AnyRoute; preLoaderRoute: unknown }
  }
}
`,
}

describe('docs TypeScript', () => {
  it.runIf(hasFrameworks)('compiles in an app with the routes of the README', async () => {
    const schema = subscriberSchemaWith({
      adapters: JSON.stringify(ADAPTERS),
      files: JSON.stringify(OPTIONAL_FILES),
      rest: '["lifecycle"]',
      rpc: '["lifecycle"]',
      policy: '"casl"',
    })
    // The same routes, generated with the templates of the pages.
    const templateSchema = subscriberSchemaWith({ templates: '"./templates"' }).replace(
      '../src/routes',
      '../src/own-routes',
    )
    const project = makeProject({
      'prisma/schema.prisma':
        schema + (/generator routes [^}]*}/.exec(templateSchema)?.[0].replace('routes', 'own') ?? ''),
      'tsconfig.json': JSON.stringify(TSCONFIG),
      ...AROUND,
      ...DOCUMENTED_FILES,
      ...Object.fromEntries(
        blocksOfKind('template').map(({ marker, text }) => [marker.replace('template: ', 'prisma/templates/'), text]),
      ),
      ...Object.fromEntries(blocksOfKind('typescript').map((block) => [fileOf(block), `${block.text}export {}\n`])),
    })
    const { code, stderr } = await project.prismaGenerate()
    expect(code, stderr).toBe(0)
    expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('covers every adapter', () => {
    const documented = blocksOfKind('typescript').flatMap(({ marker }) => /^adapter: (.+)$/.exec(marker)?.[1] ?? [])
    expect([...new Set(documented)].sort()).toEqual([...ADAPTERS].sort())
  })
})

/** Returns the path of a block. The names contain line numbers, so that compiler errors identify the block. */
function fileOf({ page, line, marker }: Block): string {
  const [, kind, name = ''] = /^(file|adapter): (.+)$/.exec(marker) ?? []
  if (kind === 'file') return name
  const file = `${page
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()}-line-${line}.ts`
  return `src/${FOLDERS[name] ?? ''}${file}`
}
