import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { readTree } from '../support/generate.js'
import { makeProject, type Project } from './project.js'

const SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

generator routes {
  provider = "routewright"
  output   = "../src/routes"
}

datasource db {
  provider = "sqlite"
}

model User {
  id    Int    @id @default(autoincrement())
  email String @unique
  posts Post[]
}

model Post {
  id       Int    @id @default(autoincrement())
  title    String
  author   User   @relation(fields: [authorId], references: [id])
  authorId Int
}
`
const TSCONFIG = JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true } })

const project = (schema = SCHEMA): Project => makeProject({ 'prisma/schema.prisma': schema, 'tsconfig.json': TSCONFIG })

/** A project and the output of its first `prisma generate`, which runs only once because it takes seconds. */
const firstRun = () => (first ??= firstRunOf(project()))
const firstRunOf = async (app: Project) => ({ app, ...(await app.prismaGenerate()) })
let first: ReturnType<typeof firstRunOf> | undefined

/** A new project with generated routes. */
const generatedProject = async (): Promise<Project> => {
  const first = await firstRun()
  expect(first.code, first.stderr).toBe(0)
  const app = project()
  cpSync(file(first.app, 'src'), file(app, 'src'), { recursive: true, preserveTimestamps: true })
  return app
}

const file = ({ folder }: Project, name: string) => path.join(folder, name)

describe('prisma generate with the built executable', () => {
  it('writes the routes, and writes nothing in a second run', async () => {
    const { app, ...first } = await firstRun()
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout).toContain('routewright: wrote src/routes/post/rest.ts\n')
    expect(first.stdout).toContain('Generated Routes')
    const written = readTree(file(app, 'src/routes'))
    expect([...written.keys()]).toEqual([
      'client.ts',
      'hono.ts',
      'index.ts',
      'orm.ts',
      'post/calls.ts',
      'post/resource.ts',
      'post/rest.ts',
      'post/rpc.ts',
      'user/calls.ts',
      'user/resource.ts',
      'user/rest.ts',
      'user/rpc.ts',
    ])
    const before = statSync(file(app, 'src/routes/post/rest.ts')).mtimeMs
    const second = await app.prismaGenerate()
    expect(second.stdout).not.toMatch(/routewright: (wrote|removed)/)
    expect(statSync(file(app, 'src/routes/post/rest.ts')).mtimeMs).toBe(before)
    expect(readTree(file(app, 'src/routes'))).toEqual(written)
  })

  it('removes emitted files of a renamed model and keeps custom files', async () => {
    const app = await generatedProject()
    app.write({ 'src/routes/post/notes.md': 'mine', 'src/routes/custom.ts': 'export {}\n' })
    app.write({ 'prisma/schema.prisma': SCHEMA.replaceAll('Post', 'Article') })
    const { stdout } = await app.routewright('generate')
    expect(stdout).toContain('routewright: removed src/routes/post/rest.ts\n')
    expect([...readTree(file(app, 'src/routes')).keys()].filter((name) => !/^(article|user)\//.test(name))).toEqual([
      'client.ts',
      'custom.ts',
      'hono.ts',
      'index.ts',
      'orm.ts',
      'post/notes.md',
    ])
  })

  it('exits with 2 without writing if a custom file would be overwritten', async () => {
    const app = project()
    app.write({ 'src/routes/index.ts': 'export const mine = 1\n' })
    const { code, stderr } = await app.routewright('generate')
    expect(code).toBe(2)
    expect(stderr).toContain('src/routes/index.ts')
    expect([...readTree(file(app, 'src/routes')).keys()]).toEqual(['index.ts'])
  })

  it('exits with 1 and keeps the files if the schema is invalid', async () => {
    const app = await generatedProject()
    const before = readTree(file(app, 'src/routes'))
    app.write({ 'prisma/schema.prisma': SCHEMA.replace('  title ', '  /// @api.secret\n  title ') })
    const { code, stderr } = await app.prismaGenerate()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /routewright: prisma\/schema\.prisma:\d+: model Post, field title: "@api\.secret" is not allowed on a field\./,
    )
    expect(readTree(file(app, 'src/routes'))).toEqual(before)
  })

  it('reports an unknown option and a missing client option', async () => {
    const app = project(SCHEMA.replace('provider = "routewright"', 'provider = "routewright"\n  adapter = "hono"'))
    expect((await app.routewright('generate')).stderr).toContain('unknown option "adapter". Did you mean "adapters"?')

    const second = 'generator other {\n  provider = "prisma-client"\n  output   = "../src/generated/other"\n}\n'
    app.write({ 'prisma/schema.prisma': second + SCHEMA })
    expect((await app.routewright('generate')).stderr).toContain('several client generators: "other", "client".')

    const chosen = (second + SCHEMA).replace('provider = "routewright"', 'provider = "routewright"\n  client = "other"')
    app.write({ 'prisma/schema.prisma': chosen })
    expect((await app.routewright('generate')).code).toBe(0)
    expect(readFileSync(file(app, 'src/routes/orm.ts'), 'utf8')).toContain('"../generated/other/client.js"')
  })

  it("formats files with the project's Prettier and .editorconfig settings", async () => {
    const app = project()
    app.write({
      '.prettierrc': JSON.stringify({ semi: false, singleQuote: true }),
      '.editorconfig': 'root = true\n[*]\nindent_style = tab\n',
    })
    await app.routewright('generate')
    expect(readFileSync(file(app, 'src/routes/post/resource.ts'), 'utf8')).toMatch(/^\tmodel: 'Post',$/m)
  })

  it('applies styles, format, runtimeImport, adapters and templates options', async () => {
    const options =
      'styles = ["rpc"]\n  format = "none"\n  runtimeImport = "@acme/routes"\n  templates = "./templates"\n  adapters = []'
    const app = project(SCHEMA.replace('provider = "routewright"', `provider = "routewright"\n  ${options}`))
    app.write({
      'prisma/templates/rpc.hbs':
        'export const {{names.rpc}} = rpc.router({{names.resource}}, (app) => own(app, rpc.UPDATE_METHODS))',
    })
    const { code, stderr } = await app.routewright('generate')
    expect(code, stderr).toBe(0)
    expect([...readTree(file(app, 'src/routes')).keys()]).toEqual([
      'client.ts',
      'index.ts',
      'orm.ts',
      'post/calls.ts',
      'post/resource.ts',
      'post/rpc.ts',
      'user/calls.ts',
      'user/resource.ts',
      'user/rpc.ts',
    ])
    const text = readFileSync(file(app, 'src/routes/post/rpc.ts'), 'utf8')
    expect(text).toContain('export const postRpc = rpc.router(postResource, (app) => own(app, rpc.UPDATE_METHODS))')
    expect(text).toMatch(/from ["']@acme\/routes\/rpc["']/)
    app.write({ 'prisma/templates/rpcs.hbs': '' })
    expect((await app.routewright('generate')).stderr).toContain('unknown template "rpcs.hbs". Did you mean "rpc"?')
  })
})

describe('routewright check', () => {
  it('exits with 0 for unchanged files, also with CRLF line endings', async () => {
    const app = await generatedProject()
    expect(await app.installedRoutewright('check')).toEqual({
      code: 0,
      stdout: 'routewright: 12 files match the schema.\n',
      stderr: '',
    })
    const rest = file(app, 'src/routes/post/rest.ts')
    writeFileSync(rest, readFileSync(rest, 'utf8').replaceAll('\n', '\r\n'))
    expect((await app.routewright('check', '--schema', 'prisma/schema.prisma')).code).toBe(0)
  })

  it('exits with 1 and prints a diff of edited, missing and orphaned files', async () => {
    const app = await generatedProject()
    const routes = file(app, 'src/routes')
    const rest = path.join(routes, 'post/rest.ts')
    writeFileSync(rest, readFileSync(rest, 'utf8').replace('app.delete', 'app.remove'))
    rmSync(path.join(routes, 'user/rpc.ts'))
    mkdirSync(path.join(routes, 'tag'))
    writeFileSync(
      path.join(routes, 'tag/rest.ts'),
      '// Code generated by routewright. DO NOT EDIT.\n// Source: model Tag. Regenerate with `prisma generate`.\n',
    )
    const before = readTree(routes)
    const { code, stdout, stderr } = await app.routewright('check')
    expect(code).toBe(1)
    expect(stdout).toContain('--- a/src/routes/post/rest.ts\n+++ b/src/routes/post/rest.ts\n')
    expect(stdout).toContain('-  app.remove("/:id", rest.delete(api, calls.delete));\n+  app.delete(')
    expect(stdout).toContain('--- /dev/null\n+++ b/src/routes/user/rpc.ts\n')
    expect(stdout).toContain('--- a/src/routes/tag/rest.ts\n+++ /dev/null\n')
    expect(stderr).toContain('Run `prisma generate` and commit the result.')
    expect(readTree(routes)).toEqual(before)
  })

  it('reads the schema folder of prisma.config.ts, also with only `--generator routes`', async () => {
    const app = project()
    mkdirSync(file(app, 'db/models'), { recursive: true })
    renameSync(file(app, 'prisma/schema.prisma'), file(app, 'db/models/schema.prisma'))
    app.write({
      'db/models/tag.prisma': 'model Tag {\n  id Int @id\n}\n',
      'prisma.config.ts': 'export default { schema: "db/models" }\n',
    })
    const text = readFileSync(file(app, 'db/models/schema.prisma'), 'utf8').replaceAll('"../src', '"../../src')
    app.write({ 'db/models/schema.prisma': text })
    const generated = await app.prismaGenerate('--generator', 'routes')
    expect(generated.code, generated.stderr).toBe(0)
    expect(existsSync(file(app, 'src/generated'))).toBe(false)
    expect(readFileSync(file(app, 'src/routes/orm.ts'), 'utf8')).toContain('"../generated/prisma/client.js"')
    expect(existsSync(file(app, 'src/routes/tag/rest.ts'))).toBe(true)
    expect(await app.routewright('check')).toMatchObject({ code: 0, stdout: expect.stringContaining('16 files') })
  })

  it('exits with 2 for an invalid or missing schema or generator block', async () => {
    const app = project()
    app.write({ 'prisma/schema.prisma': SCHEMA.replace('title    String', 'title    Strnig') })
    const broken = await app.routewright('check')
    expect(broken.code).toBe(2)
    expect(broken.stderr).toContain('Strnig')
    expect(broken.stderr).not.toMatch(/node_modules|\n\s+at /)
    expect(await app.routewright('check', '--schema', 'nowhere.prisma')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere.prisma'),
    })
    app.write({ 'prisma/schema.prisma': SCHEMA.replace('"routewright"', '"something-else"') })
    expect(await app.routewright('check')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no generator with provider = "routewright"'),
    })
  })

  it('prints usage and version, and exits with 2 for unknown arguments', async () => {
    const app = project()
    expect(await app.routewright('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: routewright <command> [options]'),
    })
    expect(await app.installedRoutewright('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
    expect(await app.routewright()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: routewright <command> [options]'),
    })
    expect(await app.routewright('check', '--nope')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--nope'),
    })
  })
})
