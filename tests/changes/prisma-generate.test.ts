import { execFileSync } from 'node:child_process'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { makeProject } from '../e2e/project.js'
import { SCHEMA_HEAD } from '../support/generate.js'

const SCHEMA = `${SCHEMA_HEAD}model User {\n  id Int @id\n  name String?\n}\n`

// The tests themselves run in another repository.
beforeEach(() => {
  vi.stubEnv('GITHUB_BASE_REF', undefined)
  vi.stubEnv('ROUTEWRIGHT_CHANGES', undefined)
})
afterEach(() => vi.unstubAllEnvs())

it('`prisma generate`: prints the most important API changes in a git repository', async () => {
  const project = makeProject({ 'prisma/schema.prisma': SCHEMA })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: project.folder })
  git('init', '-q', '-b', 'main')
  git('add', 'prisma')
  git('commit', '-q', '-m', 'A schema')
  git('checkout', '-q', '-b', 'feature')
  expect((await project.prismaGenerate()).stdout).not.toMatch(/exposure:|breaking:/)
  project.write({ 'prisma/schema.prisma': SCHEMA.replace('name String?', 'name String\n  apiToken String?') })
  const { code, stdout, stderr } = await project.prismaGenerate()
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).toMatch(
    /routewright: exposure: `User\.apiToken` can now be read.*\nroutewright: breaking: `User\.name` is no longer nullable.* 1 more: npx routewright changes\n/,
  )
})
