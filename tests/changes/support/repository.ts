import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { vi } from 'vitest'

import { runCli } from '../../../generator/cli.js'
import { folderWith, write } from '../../output/folders.js'

const ROOT = resolve(import.meta.dirname, '../../..')

/** A git repository with a project. */
export interface TestRepository {
  readonly folder: string
  git(...args: string[]): string
  /** Writes files and commits all changes. `undefined` removes a file. */
  commit(files: Readonly<Record<string, string | undefined>>): void
  write(files: Readonly<Record<string, string | undefined>>): void
  /** Runs the `routewright` command in the repository. */
  run(...args: string[]): Promise<Ended>
  /** Runs the command in a pull request to a branch, like GitHub. */
  runFor(branch: string | undefined, ...args: string[]): Promise<Ended>
}

/** The exit code and the output of a command. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Creates a repository with the branch `main`. */
export function repositoryWith(files: Readonly<Record<string, string>>): TestRepository {
  const repository = repositoryAt(folderWith())
  repository.git('init', '-q', '-b', 'main')
  repository.write({ '.gitignore': 'node_modules\n', 'package.json': '{}' })
  repository.commit(files)
  return repository
}

/** Opens an existing repository. */
export function repositoryAt(folder: string): TestRepository {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
    return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const writeAll = (files: Readonly<Record<string, string | undefined>>) => {
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) rmSync(join(folder, path), { recursive: true })
      else write(folder, path, text)
    }
  }
  return {
    folder,
    git,
    write: writeAll,
    commit(files) {
      writeAll(files)
      git('add', '-A')
      git('commit', '-q', '-m', 'A change')
    },
    run(...args) {
      return this.runFor(undefined, ...args)
    },
    async runFor(branch, ...args) {
      const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
      // The tests themselves run in another repository.
      vi.stubEnv('GITHUB_BASE_REF', branch)
      vi.stubEnv('ROUTEWRIGHT_CHANGES', undefined)
      let [out, error] = ['', '']
      try {
        const code = await runCli(args, { out: (text) => (out += text), error: (text) => (error += text) })
        return { code, out, error }
      } finally {
        cwd.mockRestore()
        vi.unstubAllEnvs()
      }
    },
  }
}
