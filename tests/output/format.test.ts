import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GENERATED_HEADER, type ImportSpec, type RenderedFile } from '../../generator/emit/files.js'
import { createFormatter } from '../../generator/emit/format.js'
import { folderWith, write } from './folders.js'

const HEADER = `${GENERATED_HEADER}\n// Source: model Post. Regenerate with \`prisma generate\`.`

function rendered(body: string, imports: readonly ImportSpec[] = [], path = 'post/rest.ts'): RenderedFile {
  return { path, header: HEADER, imports, body }
}

/** A project with its own cache folder, so that tests are independent. */
const project = (files: Readonly<Record<string, string>> = {}) => folderWith({ 'node_modules/.keep': '', ...files })

async function format(folder: string, file: RenderedFile, style: 'prettier' | 'none' = 'prettier'): Promise<string> {
  const formatter = await createFormatter({ outputDir: join(folder, 'src/routes'), format: style })
  return (await formatter.format([file]))[0]?.text ?? ''
}

/** A local prettier that reports that it ran. */
const LOCAL_PRETTIER = {
  'node_modules/prettier/package.json': '{ "name": "prettier", "version": "3.0.0", "main": "./index.cjs" }',
  'node_modules/prettier/index.cjs': `
    exports.version = '3.0.0'
    exports.clearConfigCache = async () => {}
    exports.resolveConfigFile = async () => null
    exports.resolveConfig = async () => null
    exports.format = async (text) => text + '// formatted by the project\\n'
  `,
}

describe('formatter import block', () => {
  const imports: ImportSpec[] = [
    { from: './resource.js', names: [{ name: 'postResource' }] },
    { from: 'zod', names: [{ name: 'z' }] },
    { from: '../../client/client.js', typeOnly: true, names: [{ name: 'Prisma' }] },
    { from: '@routewright/runtime', names: [{ name: 'restRoutes' }] },
    { from: '@routewright/runtime', typeOnly: true, names: [{ name: 'RestApi' }, { name: 'ApiEnv' }] },
    {
      from: 'hono',
      names: [
        { name: 'Hono', alias: 'HonoApp' },
        { name: 'Context', typeOnly: true },
      ],
    },
    { from: 'nothing', names: [] },
  ]

  it('lists packages before relative paths, one line per specifier', async () => {
    expect(await format(project(), rendered('\n\nexport {}\n\n', imports))).toBe(`${HEADER}

import { type ApiEnv, type RestApi, restRoutes } from "@routewright/runtime";
import { type Context, Hono as HonoApp } from "hono";
import { z } from "zod";
import type { Prisma } from "../../client/client.js";
import { postResource } from "./resource.js";

export {};
`)
  })

  it('does not depend on the order of the collected imports', async () => {
    const folder = project()
    const backwards = [...imports].reverse().map((spec) => ({ ...spec, names: [...spec.names].reverse() }))
    expect(await format(folder, rendered('export {}', backwards))).toBe(
      await format(folder, rendered('export {}', imports)),
    )
  })

  it('imports a name used as type and value once, as a value', async () => {
    const twice: ImportSpec[] = [
      { from: 'hono', typeOnly: true, names: [{ name: 'Hono' }] },
      { from: 'hono', names: [{ name: 'Hono' }] },
      { from: 'hono', names: [{ name: 'Hono', alias: 'Hono', typeOnly: true }] },
    ]
    expect(await format(project(), rendered('export {}', twice))).toContain('\nimport { Hono } from "hono";\n')
  })

  it('is omitted if nothing is imported', async () => {
    expect(await format(project(), rendered('export {}'))).toBe(`${HEADER}\n\nexport {};\n`)
  })

  it('escapes quotes and backslashes in a specifier', async () => {
    const unusual: ImportSpec[] = [{ from: 'a"b\\c', names: [{ name: 'd' }] }]
    expect(await format(project(), rendered('export {}', unusual), 'none')).toContain(
      String.raw`import { d } from "a\"b\\c";`,
    )
  })

  it('uses LF line endings if the template has CRLF', async () => {
    const text = await format(project(), rendered('a()\r\n\r\nb()\r\n', imports.slice(0, 1)), 'none')
    expect(text).toBe(`${HEADER}\n\nimport { postResource } from "./resource.js";\n\na()\n\nb()\n`)
  })

  it('precedes the unformatted body with format = "none"', async () => {
    const body = "export const  a = 'as rendered'"
    const text = await format(project({ '.prettierrc': '{ not json' }), rendered(body, imports.slice(0, 1)), 'none')
    expect(text).toBe(`${HEADER}\n\nimport { postResource } from "./resource.js";\n\n${body}\n`)
  })
})

describe('formatter syntax check', () => {
  it.each(['prettier', 'none'] as const)(
    'format %s: rejects invalid syntax with file, line and text',
    async (style) => {
      const attempt = format(project(), rendered('export const a = 1\nexport const b = {\n  c: 1 d: 2,\n}'), style)
      await expect(attempt).rejects.toThrow(
        /^routewright: post\/rest\.ts, line 6, would not be valid TypeScript: .*c: 1 d: 2/s,
      )
    },
  )

  it.each(['prettier', 'none'] as const)('format %s: reports the errors of all files in one message', async (style) => {
    const formatter = await createFormatter({ outputDir: join(project(), 'routes'), format: style })
    const files = ['a/rest.ts', 'b/rest.ts', 'c/rest.ts'].map((path) =>
      rendered(path.startsWith('b') ? '' : '}', [], path),
    )
    await expect(formatter.format(files)).rejects.toThrow(/a\/rest\.ts, line 4.*\n.*c\/rest\.ts, line 4/)
  })

  it.each([
    ['prettier 2, which accepts JSX in any file', '2.8.8', {}],
    ['a configured parser', '3.0.0', { parser: 'babel-ts' }],
    ['a plugin, which may bring a parser', '3.0.0', { plugins: ['prettier-plugin-of-theirs'] }],
  ])('%s: still rejects JSX', async (_, version, config) => {
    const takesAll = `
      exports.version = '${version}'
      exports.clearConfigCache = async () => {}
      exports.resolveConfigFile = async () => __filename
      exports.resolveConfig = async () => (${JSON.stringify(config)})
      exports.format = async (text) => text
    `
    const folder = project({ ...LOCAL_PRETTIER, 'node_modules/prettier/index.cjs': takesAll })
    expect(await format(folder, rendered('export {}'))).toContain('export {}')
    await expect(format(folder, rendered('export const a = <b>c</b>'))).rejects.toThrow(
      /post\/rest\.ts, line 4, would not be valid TypeScript/,
    )
  })

  it('checks more files than one parser batch holds', async () => {
    const formatter = await createFormatter({ outputDir: join(project(), 'routes'), format: 'none' })
    const files = Array.from({ length: 150 }, (_, index) =>
      rendered(`export const a = ${index}`, [], `m${index}/rest.ts`),
    )
    const texts = (await formatter.format(files)).map(({ path, text }) => [path, text])
    expect(texts).toEqual(files.map(({ path, body }) => [path, `${HEADER}\n\n${body}\n`]))
    const broken = [...files.slice(0, 149), rendered('}', [], 'last/rest.ts')]
    await expect(formatter.format(broken)).rejects.toThrow(/last\/rest\.ts, line 4/)
  })
})

describe('prettier formatting', () => {
  const body = 'export function a() {\n  return "b"\n}'

  it('uses the defaults if no configuration exists', async () => {
    expect(await format(project(), rendered(body))).toBe(`${HEADER}\n\nexport function a() {\n  return "b";\n}\n`)
  })

  it("follows the project's configuration and its overrides by path", async () => {
    const folder = project({
      '.prettierrc': JSON.stringify({
        semi: false,
        singleQuote: true,
        overrides: [{ files: 'src/routes/**/rest.ts', options: { tabWidth: 8 } }],
      }),
    })
    expect(await format(folder, rendered(body))).toContain("export function a() {\n        return 'b'\n}\n")
    expect(await format(folder, rendered(body, [], 'post/rpc.ts'))).toContain(
      "export function a() {\n  return 'b'\n}\n",
    )
  })

  it('follows configurations in the output folder and in model folders', async () => {
    const folder = project({
      '.prettierrc': '{ "semi": false }',
      'src/routes/.editorconfig': '[*.ts]\nindent_style = tab\n',
      'src/routes/post/.prettierrc.json': '{ "singleQuote": true }',
    })
    expect(await format(folder, rendered(body))).toContain("export function a() {\n\treturn 'b';\n}\n")
    expect(await format(folder, rendered(body, [], 'tag/rest.ts'))).toContain(
      'export function a() {\n\treturn "b"\n}\n',
    )
    write(folder, 'src/routes/.prettierrc', '{ "tabWidth": 3, "useTabs": false }')
    expect(await format(folder, rendered(body, [], 'tag/rest.ts'))).toContain(
      'export function a() {\n   return "b";\n}\n',
    )
  })

  it('follows .editorconfig for tabs and CRLF', async () => {
    const folder = project({ '.editorconfig': 'root = true\n[*]\nindent_style = tab\nend_of_line = crlf\n' })
    const text = await format(folder, rendered(body))
    expect(text).toContain('export function a() {\r\n\treturn "b";\r\n}\r\n')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(await format(folder, rendered(body))).toBe(text)
  })

  it('resolves the configuration once per file', async () => {
    const counting = LOCAL_PRETTIER['node_modules/prettier/index.cjs'].replace(
      'exports.resolveConfig = async () => null',
      "exports.resolveConfig = async (path) => require('node:fs').appendFileSync(__dirname + '/../../asked', path + ' ')",
    )
    const folder = project({ ...LOCAL_PRETTIER, 'node_modules/prettier/index.cjs': counting, '.editorconfig': '' })
    await format(folder, rendered(body))
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(`${join(folder, 'src/routes/post/rest.ts')} `)
  })

  it('writes CRLF if endOfLine is "crlf"', async () => {
    const text = await format(project({ '.prettierrc': '{ "endOfLine": "crlf" }' }), rendered(body))
    expect(text.startsWith(`${GENERATED_HEADER}\r\n`)).toBe(true)
  })

  it('uses the configured parser', async () => {
    const folder = project({ '.prettierrc': '{ "parser": "babel" }' })
    await expect(format(folder, rendered('export const a = 1 as const'))).rejects.toThrow(
      /prettier cannot format .*post\/rest\.ts/,
    )
  })

  it('ignores insertPragma and requirePragma', async () => {
    const folder = project({ '.prettierrc': '{ "insertPragma": true, "requirePragma": true }' })
    expect(await format(folder, rendered(body))).toBe(`${HEADER}\n\nexport function a() {\n  return "b";\n}\n`)
  })

  it('uses the prettier installed closest above the output folder', async () => {
    expect(await format(project(LOCAL_PRETTIER), rendered(body))).toBe(
      `${HEADER}\n\n${body}\n// formatted by the project\n`,
    )
  })

  it("rejects with the cause if the project's prettier does not load", async () => {
    const folder = project({
      ...LOCAL_PRETTIER,
      'node_modules/prettier/index.cjs': 'throw new Error("broken install")',
    })
    await expect(format(folder, rendered(body))).rejects.toThrow(
      /prettier cannot format .*broken install.*format = "none"/,
    )
  })

  it('rejects if the configuration is invalid', async () => {
    const attempt = format(project({ '.prettierrc': '{ not json' }), rendered(body))
    await expect(attempt).rejects.toThrow(/^routewright: prettier cannot format .*post\/rest\.ts/)
  })

  it('rejects if a plugin inserts text above the first line', async () => {
    const plugin = `
      import typescript from ${JSON.stringify(import.meta.resolve('prettier/plugins/typescript'))}
      const { parsers: { typescript: parser } } = typescript
      export const parsers = { typescript: { ...parser, preprocess: (text) => '/* licence */\\n' + text } }
    `
    const folder = project({ 'plugin.mjs': plugin, '.prettierrc': '{ "plugins": ["./plugin.mjs"] }' })
    await expect(format(folder, rendered(body))).rejects.toThrow(/plugin inserted text above the first line/)
  })

  it('uses another local plugin after the configuration changed', async () => {
    const plugin = (name: string) => `
      import typescript from ${JSON.stringify(import.meta.resolve('prettier/plugins/typescript'))}
      const { parsers: { typescript: parser } } = typescript
      export const parsers = { typescript: { ...parser, preprocess: (text) => text.replace('function a', 'function ${name}') } }
    `
    const folder = project({ 'one.mjs': plugin('one'), '.prettierrc': '{ "plugins": ["./one.mjs"] }' })
    expect(await format(folder, rendered(body))).toContain('function one()')
    write(folder, 'two.mjs', plugin('two'))
    write(folder, '.prettierrc', '{ "plugins": ["./two.mjs"] }')
    expect(await format(folder, rendered(body))).toContain('function two()')
  })
})

describe('module loading of the formatter', () => {
  const PROGRAM = new URL('programs/format-once.ts', import.meta.url).pathname
  const MORPH = expect.stringMatching(/ts-morph/)
  const PARSER = expect.stringMatching(/prettier\/plugins\/typescript/)

  function loaded(outputDir: string, body: string): string[] {
    const output = execFileSync(process.execPath, ['--import', 'tsx', PROGRAM, outputDir, body], { encoding: 'utf8' })
    return JSON.parse(output)
  }

  it('loads a parser only if a file changed', () => {
    const outputDir = join(project(), 'routes')
    const first = loaded(outputDir, 'export const a = 1')
    expect(first).toContainEqual(PARSER)
    expect(first).not.toContainEqual(MORPH)
    const second = loaded(outputDir, 'export const a = 1')
    expect(second).not.toContainEqual(PARSER)
    expect(second).not.toContainEqual(MORPH)
    expect(loaded(outputDir, 'export const a = 2')).toContainEqual(PARSER)
  })

  it('loads ts-morph only for changed files with a custom parser', () => {
    const folder = project({ '.prettierrc': '{ "parser": "babel-ts" }' })
    const outputDir = join(folder, 'routes')
    expect(loaded(outputDir, 'export const a = 1')).toContainEqual(MORPH)
    expect(loaded(outputDir, 'export const a = 1')).not.toContainEqual(MORPH)
  })
})
