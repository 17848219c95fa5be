import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { ROOT } from '../../scripts/prepare-fixtures.js'

// Runs in a copy, because the demo generates the blog's client, which other tests use at the same time.
let clone: string

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'routewright-clone-'))
  const paths = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'demo',
    'fixtures/.prettierrc.json',
    'fixtures/blog',
    'scripts',
  ]
  const packages = ['generator/package.json', 'generator/dist', 'generator/templates']
  for (const path of [...paths, ...packages]) {
    await cp(join(ROOT, path), join(clone, path), {
      recursive: true,
      filter: (source) => relative(ROOT, source) !== ['fixtures', 'blog', 'client'].join(sep),
    })
  }
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'dir')
})
afterAll(() => rm(clone, { recursive: true, force: true }))

it('demo: serves the blog from a fresh clone and prints working commands', { timeout: 120_000 }, async () => {
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs')
  // Without the variable that prevents a download by Prisma, because the demo must set it.
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: '4870' }
  delete env['PRISMA_SCHEMA_ENGINE_BINARY']
  const args = [tsx, '--tsconfig', 'demo/tsconfig.json', 'demo/main.ts', '--check']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: clone, env })
  expect(stdout).toContain('34 files, all up to date')
  expect(stdout).not.toContain('FAIL')
  expect(stdout.match(/^ok .*REST:/gm)?.length).toBeGreaterThan(5)
  expect(stdout.match(/^ok .*RPC:/gm)?.length).toBeGreaterThan(4)
})
