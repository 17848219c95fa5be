import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { folderWith } from '../output/folders.js'
import { SCHEMA_HEAD } from '../support/generate.js'
import { repositoryAt, repositoryWith } from './support/repository.js'

const USER = 'model User {\n  id Int @id\n  email String\n  name String?\n}\n'
const SCHEMA = SCHEMA_HEAD + USER
const NICK = SCHEMA.replace('  name String?\n', '  name String?\n  nick String?\n')
const WITHOUT_NAME = SCHEMA.replace('  name String?\n', '')

/** Creates a repository with a schema on `main` and another branch. */
function onBranch(schema = SCHEMA) {
  const repository = repositoryWith({ 'schema.prisma': schema })
  repository.git('checkout', '-q', '-b', 'feature')
  return repository
}

describe('routewright changes', () => {
  it('prints each change of the branch with its location and id', async () => {
    const repository = onBranch()
    repository.commit({ 'schema.prisma': NICK })
    const { code, out, error } = await repository.run('changes')
    expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(out.split('\n')).toEqual([
      'Changes since the merge base with main: 1 exposes more of the API.',
      '',
      'Newly exposed',
      '  `User.nick` can now be read and used in filters and sort orders by callers who may list `User`, and written by callers who may create or update `User` (REST attribute, filter, sort; RPC `select`, `where`, `orderBy`, `groupBy` and `data`).',
      expect.stringMatching(/^ {4}schema\.prisma:\d+ routes\/user\/resource\.ts \[field-added User\.nick\]$/),
      '',
    ])
  })

  it('includes uncommitted changes and compares with the merge base of main', async () => {
    const repository = onBranch()
    repository.git('checkout', '-q', 'main')
    repository.commit({ 'schema.prisma': WITHOUT_NAME })
    repository.git('checkout', '-q', 'feature')
    expect((await repository.run('changes')).out).toBe('The API has not changed since the merge base with main.\n')
    repository.write({ 'schema.prisma': NICK })
    expect((await repository.run('changes')).out).toContain('[field-added User.nick]')
    expect((await repository.run('changes', 'main')).out).toContain('[field-added User.name]')
  })

  it('exits with 1 only if a change matches --fail-on', async () => {
    const repository = onBranch()
    repository.commit({ 'schema.prisma': WITHOUT_NAME })
    expect((await repository.run('changes', '--fail-on', 'exposure')).code).toBe(0)
    expect((await repository.run('changes', '--fail-on', 'none')).code).toBe(0)
    const { code, error } = await repository.run('changes', '--fail-on', 'breaking')
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('  field-removed User.name: reason\n') })
    expect((await repository.run('changes', '--fail-on', 'exposure,breaking')).code).toBe(1)
    for (const args of [
      ['--fail-on', 'all'],
      ['--format', 'xml'],
      ['main', 'feature'],
      ['--out', 'x'],
    ]) {
      expect(await repository.run('changes', ...args)).toMatchObject({
        code: 2,
        error: expect.stringContaining('Usage: routewright <command> [options]'),
      })
    }
  })

  it('reads all files of a schema folder', async () => {
    const files = {
      'prisma.config.ts': 'export default { schema: "prisma" }\n',
      'prisma/main.prisma': SCHEMA_HEAD,
      'prisma/models/user.prisma': USER,
    }
    const repository = repositoryWith(files)
    repository.git('checkout', '-q', '-b', 'feature')
    repository.write({ 'prisma/models/user.prisma': undefined, 'prisma/person.prisma': USER })
    expect((await repository.run('changes')).out).toMatch(/^The API has not changed/)
    repository.write({ 'prisma/person.prisma': USER.replace('name String?', 'name String') })
    expect((await repository.run('changes')).out).toMatch(/prisma\/person\.prisma:\d+ .*\[field-not-null User\.name/)
  })

  it('finds a schema that the branch moved', async () => {
    const repository = repositoryWith({
      'schema.prisma': SCHEMA,
      'other/schema.prisma': SCHEMA_HEAD + 'model Other {\n  id Int @id\n}\n',
    })
    repository.git('checkout', '-q', '-b', 'feature')
    repository.write({
      'schema.prisma': undefined,
      'db/schema/main.prisma': SCHEMA_HEAD,
      'db/schema/user.prisma': USER.replace('  name String?\n', ''),
    })
    const { out } = await repository.run('changes', '--schema', 'db/schema')
    expect(out).toMatch(/^The schema of .+ is in schema\.prisma\.\n/)
    expect(out).toContain('1 breaks callers')
    expect(out).toContain('schema.prisma:')
    expect(out).toContain('[field-removed User.name]')
  })

  it('prints "New API" if the base has no routes generator', async () => {
    for (const schema of [SCHEMA.replace('routewright', 'other'), undefined]) {
      const repository = repositoryWith(schema === undefined ? { 'README.md': '' } : { 'schema.prisma': schema })
      repository.git('checkout', '-q', '-b', 'feature')
      repository.write({ 'schema.prisma': SCHEMA })
      const { code, out } = await repository.run('changes')
      expect(code).toBe(0)
      expect(out).toMatch(/^New API: the merge base with main has no API\.\n/)
      expect(out).toContain('[model-added User]')
    }
  })

  it('exits with 2 without a repository, without commits or for an unknown commit', async () => {
    const outside = repositoryAt(folderWith({ 'schema.prisma': SCHEMA, 'package.json': '{}' }))
    expect(await outside.run('changes')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/is not in a git repository\./),
    })
    outside.git('init', '-q', '-b', 'main')
    expect(await outside.run('changes')).toMatchObject({ code: 2, error: expect.stringMatching(/no commits yet\./) })
    const repository = onBranch()
    expect(await repository.run('changes', 'nowhere')).toMatchObject({
      code: 2,
      error: expect.stringContaining('the commit "nowhere" was not found in this repository.'),
    })
    expect(await repository.run('changes', '--', '--output=x')).toMatchObject({ code: 2 })
  })

  it('exits with 2 and prints a git fetch command in a shallow clone', async () => {
    const origin = onBranch()
    for (const at of [1, 2, 3]) origin.commit({ 'README.md': `${at}` })
    origin.commit({ 'schema.prisma': NICK })
    origin.git('checkout', '-q', 'main')
    const folder = join(folderWith(), 'clone')
    execFileSync('git', ['clone', '-q', '--depth=1', '--branch=feature', `file://${origin.folder}`, folder])
    const clone = repositoryAt(realpathSync(folder))
    const { code, error } = await clone.run('changes')
    expect(code).toBe(2)
    const [, command = ''] = /This clone is shallow\. Run: (git fetch .*)$/m.exec(error) ?? []
    expect(command).not.toBe('')
    execFileSync('sh', ['-c', command], { cwd: clone.folder, stdio: 'pipe' })
    expect((await clone.run('changes')).out).toContain('[field-added User.nick]')
  })

  it('prints a git fetch command if the merge base is missing', async () => {
    const origin = onBranch()
    origin.commit({ 'README.md': '1' })
    origin.commit({ 'schema.prisma': NICK })
    origin.git('checkout', '-q', 'main')
    origin.commit({ 'README.md': 'main' })
    const folder = join(folderWith(), 'clone')
    execFileSync('git', [
      'clone',
      '-q',
      '--depth=1',
      '--no-single-branch',
      '--branch=feature',
      `file://${origin.folder}`,
      folder,
    ])
    const clone = repositoryAt(realpathSync(folder))
    const { error } = await clone.run('changes')
    expect(error).toContain(
      'this clone is shallow and does not contain the merge base with origin/main. Run: git fetch',
    )
    execFileSync('sh', ['-c', /Run: (git fetch [^(]*)/.exec(error)?.[1] ?? ''], { cwd: clone.folder, stdio: 'pipe' })
    expect((await clone.run('changes')).out).toContain('[field-added User.nick]')
  })

  it('labels changes with the generator block if there are several', async () => {
    const admin = 'generator admin {\n  provider = "routewright"\n  output = "./admin"\n  styles = ["rpc"]\n}\n'
    const repository = onBranch(SCHEMA.replace('"./routes"', '"./routes"\n  gone = "yes"'))
    repository.write({ 'schema.prisma': admin + SCHEMA })
    const { out } = await repository.run('changes')
    expect(out).toContain('  [admin] `User` is now exposed')
    expect(out).not.toContain('[routes]')
    repository.commit({ 'schema.prisma': admin + SCHEMA })
    repository.write({ 'schema.prisma': admin + NICK })
    const several = (await repository.run('changes', 'HEAD')).out
    expect(several).toContain('  [admin] `User.nick` can now be read')
    expect(several).toContain('  [routes] `User.nick` can now be read')
  })

  it('exits with 2 if the schema of the base is invalid', async () => {
    const repository = onBranch('generator routes {\n  provider = "routewright"\n}\nmodel {\n')
    repository.write({ 'schema.prisma': SCHEMA })
    expect(await repository.run('changes')).toMatchObject({
      code: 2,
      error: expect.stringContaining('the schema of the merge base with main cannot be read'),
    })
  })
})

describe('accepted changes', () => {
  const accepting = (reason: string) =>
    SCHEMA.replace('  name String?\n', `  /// @api.accept("${reason}")\n  name String\n`)

  it('accepts a change by a comment above it', async () => {
    const repository = onBranch()
    repository.commit({ 'schema.prisma': accepting('nobody left it out (see #12)') })
    const { code, out } = await repository.run('changes', '--fail-on', 'breaking')
    expect(code).toBe(0)
    expect(out).toContain('    accepted: nobody left it out (see #12)\n')
  })

  it('does not accept a change by a comment that existed before', async () => {
    const repository = onBranch(accepting('nobody left it out').replace('name String', 'name String?'))
    repository.commit({ 'schema.prisma': accepting('nobody left it out') })
    expect((await repository.run('changes', '--fail-on', 'breaking')).code).toBe(1)
    repository.write({ 'schema.prisma': accepting('nor wrote null') })
    expect((await repository.run('changes', '--fail-on', 'breaking')).code).toBe(0)
  })

  it('suggests a comment only if the changed line is in the schema', async () => {
    const repository = onBranch()
    const suggested = async (schema: string) => {
      repository.write({ 'schema.prisma': schema })
      const { code, error } = await repository.run('changes', '--fail-on', 'breaking')
      expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('a line in routewright.changes') })
      return error.includes('you can write /// @api.accept("reason") above it')
    }
    expect(await suggested(SCHEMA.replace('String?', 'String'))).toBe(true)
    expect(await suggested(WITHOUT_NAME)).toBe(false)
  })

  it('accepts a removal by a line in routewright.changes', async () => {
    const repository = onBranch()
    const line = 'field-removed User.name: it was always null\n'
    repository.commit({
      'schema.prisma': WITHOUT_NAME,
      'routewright.changes': `# Accepted\n${line}field-added User.x: no\n`,
    })
    const { code, out } = await repository.run('changes', '--fail-on', 'breaking')
    expect(code).toBe(0)
    expect(out).toContain('accepted: it was always null')
    expect(out).toContain('routewright.changes: "field-added User.x: no" does not match any change.')
    repository.git('branch', '-f', 'main', 'feature')
    repository.commit({ 'schema.prisma': SCHEMA })
    repository.git('branch', '-f', 'main', 'feature')
    repository.commit({ 'schema.prisma': WITHOUT_NAME })
    expect((await repository.run('changes', '--fail-on', 'breaking')).code).toBe(1)
  })

  it('exits with 2 for an acceptance without a reason', async () => {
    const repository = onBranch()
    repository.write({ 'schema.prisma': SCHEMA.replace('  name', '  /// @api.accept()\n  name') })
    expect(await repository.run('changes')).toMatchObject({
      code: 2,
      error: expect.stringContaining('"@api.accept" requires a reason. Write @api.accept("reason").'),
    })
  })
})

describe('GITHUB_BASE_REF', () => {
  it('sets the base branch of the comparison', async () => {
    const repository = onBranch()
    repository.git('branch', 'release')
    repository.git('checkout', '-q', 'main')
    repository.commit({ 'schema.prisma': WITHOUT_NAME })
    repository.git('checkout', '-q', '-b', 'fix')
    repository.commit({ 'schema.prisma': NICK })
    expect((await repository.run('changes')).out).toMatch(/^Changes since the merge base with main/)
    const { out } = await repository.runFor('release', 'changes')
    expect(out).toMatch(/^Changes since the merge base with release: 1 exposes more of the API\.\n/)
    expect((await repository.runFor('gone', 'changes')).error).toContain(
      'the default branch was not found. Tried: origin/gone, gone.',
    )
  })
})

describe('API changes in check and generate', () => {
  it('prints the two most important changes', async () => {
    const repository = onBranch()
    await repository.run('generate')
    repository.commit({ 'schema.prisma': SCHEMA.replace('  email', '  nick String?\n  size Int?\n  on Int?\n  email') })
    for (const command of ['generate', 'check']) {
      const { code, out } = await repository.run(command)
      expect(code).toBe(0)
      const lines = out.trimEnd().split('\n').slice(-2)
      expect(lines[0]).toMatch(/^routewright: exposure: `User\.nick` can now be read/)
      expect(lines[1]).toMatch(/^routewright: exposure: `User\.size` .* 1 more: npx routewright changes$/)
    }
  })

  it('prints an exposure and a breaking change if there are both', async () => {
    const repository = onBranch()
    await repository.run('generate')
    repository.commit({ 'schema.prisma': WITHOUT_NAME.replace('  email', '  nick String?\n  size Int?\n  email') })
    for (const command of ['generate', 'check']) {
      const lines = (await repository.run(command)).out.trimEnd().split('\n').slice(-2)
      expect(lines[0]).toMatch(/^routewright: exposure: `User\.nick` can now be read/)
      expect(lines[1]).toMatch(/^routewright: breaking: `User\.name` was removed.* 1 more: npx routewright changes$/)
    }
  })

  it('prints no changes if the API, repository or base branch has none', async () => {
    const repository = onBranch()
    const expected = /^routewright: \d+ files match the schema\.\n$/
    await repository.run('generate')
    expect((await repository.run('check')).out).toMatch(expected)
    repository.write({ 'schema.prisma': NICK })
    await repository.run('generate')
    repository.git('branch', '-m', 'main', 'trunk')
    expect((await repository.run('check')).out).toMatch(expected)
    repository.write({ '.git': undefined })
    expect((await repository.run('check')).out).toMatch(expected)
  })
})
