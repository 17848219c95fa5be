import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { repositoryWith, type TestRepository } from '../changes/support/repository.js'
import { write } from '../output/folders.js'
import { blocksOfKind } from './support/kinds.js'
import { blockWith, formatLocation, ROOT } from './support/pages.js'
import { subscriberSchema } from './support/schema.js'

const MAIN = join(ROOT, 'generator/dist/main.js')

/** Creates a repository with the README's schema and a branch with edits of it. */
function branchWith(edits: readonly string[]): TestRepository {
  const schema = subscriberSchema()
  const repository = repositoryWith({
    'prisma.config.ts': 'export default { schema: "prisma/schema.prisma" }\n',
    'prisma/schema.prisma': schema,
  })
  repository.git('checkout', '-q', '-b', 'feature')
  repository.commit({ 'prisma/schema.prisma': edits.reduce(edited, schema) })
  return repository
}

/** Applies an edit to a schema: `-<line>`, `+<line>` at the end of the model, `<text> => <text>`. */
function edited(schema: string, edit: string): string {
  const [from = '', to] = edit.split(' => ')
  const changed =
    to !== undefined
      ? schema.replace(from, to)
      : edit.startsWith('-')
        ? schema.replace(new RegExp(`^ *${edit.slice(1)}\\n`, 'm'), '')
        : schema.replace(/\n}\n*$/, `\n  ${edit.slice(1)}\n}\n`)
  expect(changed).not.toBe(schema)
  return changed
}

describe('docs: routewright changes', () => {
  it.each(blocksOfKind('changes').map((block) => [formatLocation(block), block] as const))(
    '%s: equals the output of the command',
    async (_location, { marker, text }) => {
      const [, kind, edits = ''] = /^(changes|comment): (.*)$/.exec(marker) ?? []
      const repository = branchWith(edits.split('; '))
      const { out } = await repository.run('changes', '--format', kind === 'comment' ? 'markdown' : 'text')
      expect(out.replace('<!-- routewright changes -->\n', '')).toBe(text)
    },
  )

  it.each(blocksOfKind('accepting').map((block) => [formatLocation(block), block] as const))(
    '%s: accepts the breaking change with exit code 0',
    async (_location, { text }) => {
      const repository = repositoryWith({ 'schema.prisma': schemaWith('  nick String?\n') })
      repository.git('checkout', '-q', '-b', 'feature')
      repository.commit({ 'schema.prisma': schemaWith(''), 'routewright.changes': text })
      const { code, out } = await repository.run('changes', '--fail-on', 'breaking')
      expect(out).toContain('accepted: it was always null')
      expect(code).toBe(0)
    },
  )
})

function schemaWith(line: string): string {
  return subscriberSchema().replace(/\/\/\/ Someone.*[^]*$/, `model Person {\n  id Int @id\n${line}}\n`)
}

interface Workflow {
  readonly on: string
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: { readonly changes: { readonly steps: readonly Step[] } }
}

interface Step {
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

describe('docs: pull request workflow', () => {
  const { on, permissions, jobs }: Workflow = parse(blockWith('workflow').text)

  it('runs on pull requests with full history and permission to comment', () => {
    expect(on).toBe('pull_request')
    expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
    expect(jobs.changes.steps.find(({ uses }) => uses?.startsWith('actions/checkout'))?.with).toEqual({
      'fetch-depth': 0,
    })
  })

  it('comments, adds an annotation and fails on a breaking change', () => {
    const origin = branchWith(['String   @unique => String? @unique'])
    // A checkout as actions/checkout creates it: the merge of both branches, without its own branch.
    const runner = join(origin.folder, '.runner')
    mkdirSync(runner)
    origin.git('clone', '-q', origin.folder, join(runner, 'repo'))
    const git = (...args: string[]) => execFileSync('git', args, { cwd: `${runner}/repo`, stdio: 'pipe' })
    git('checkout', '-q', '--detach', 'origin/feature')
    git('branch', '-q', '-D', 'feature')
    const program = (name: string, lines: string) => {
      write(runner, `bin/${name}`, `#!/bin/sh\n${lines}\n`)
      chmodSync(join(runner, 'bin', name), 0o755)
    }
    // Replacements for GitHub's CLI and the registry.
    program('npm', 'exit 0')
    program('npx', `shift; exec "${process.execPath}" "${MAIN}" "$@"`)
    program('gh', `echo "$@" > "${runner}/gh.txt"; for last; do :; done; cp "$last" "${runner}/comment.md"`)
    const results = jobs.changes.steps.flatMap(({ run, env = {} }) => {
      if (run === undefined) return []
      const values = Object.entries(env).map(([name, value]) => [name, value.replace(/\$\{\{.*\}\}/, '7')])
      const environment = {
        ...process.env,
        PATH: `${runner}/bin:${process.env['PATH'] ?? ''}`,
        GITHUB_BASE_REF: 'main',
        RUNNER_TEMP: runner,
        ...Object.fromEntries(values),
      }
      return [outcomeOf(run, join(runner, 'repo'), environment)]
    })
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 1])
    expect(readFileSync(join(runner, 'gh.txt'), 'utf8')).toMatch(
      /^pr comment 7 --edit-last --create-if-none --body-file/,
    )
    const comment = readFileSync(join(runner, 'comment.md'), 'utf8')
    expect(comment).toMatch(/^<!-- routewright changes -->\n\*\*API changes\*\*: 1 breaks callers/)
    expect(results.at(-1)?.out).toMatch(
      /^::error file=prisma\/schema\.prisma,line=\d+,title=Breaking::`Subscriber\.email` can now be null in responses/m,
    )
  })
})

/** Runs a step like a GitHub runner. */
function outcomeOf(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): { readonly code: number; readonly out: string } {
  try {
    return { code: 0, out: execFileSync('bash', ['-e', '-c', script], { cwd, env, encoding: 'utf8', stdio: 'pipe' }) }
  } catch (error) {
    const { status = 1, stdout = '' } = Object(error) as { readonly status?: number; readonly stdout?: string }
    return { code: status, out: stdout }
  }
}
