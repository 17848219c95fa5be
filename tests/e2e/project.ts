import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { runCli } from '../../generator/cli.js'

const ROOT = path.resolve(import.meta.dirname, '../..')
const GENERATED = path.join(ROOT, 'tests/.generated')

/** The exit code and the output of a command. */
export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A user's project on disk, with this package installed as by npm: its built files, with its bin in the PATH. */
export interface Project {
  readonly folder: string
  write(files: Readonly<Record<string, string>>): void
  /** Runs the real `prisma generate`. */
  prismaGenerate(...args: string[]): Promise<Result>
  /** Runs the installed `routewright` command. */
  installedRoutewright(...args: string[]): Promise<Result>
  /** Runs the `routewright` command in this process, which is much faster. Only one such command can run at a time. */
  routewright(...args: string[]): Promise<Result>
  /**
   * Type-checks the project with the options of its tsconfig.json and additional ones.
   * @param compiler package name of the compiler. Default: the newest
   */
  typecheck(compilerOptions?: object, compiler?: 'typescript' | 'typescript-5.9'): Promise<Result>
}

/**
 * Creates a project. It stays on disk until the next run, so that failures can be inspected.
 * @param files path → text
 */
export function makeProject(files: Readonly<Record<string, string>>): Project {
  mkdirSync(GENERATED, { recursive: true })
  const folder = mkdtempSync(path.join(GENERATED, 'project-'))
  const bin = path.join(folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  // A junction, because Windows requires privileges for symbolic links. Other systems ignore the type.
  symlinkSync(path.join(ROOT, 'generator'), path.join(folder, 'node_modules/routewright'), 'junction')
  const main = path.join(ROOT, 'generator/dist/main.js')
  if (!existsSync(main)) throw new Error('The package is not built: run `npm run build` first, as `npm test` does.')
  writeFileSync(path.join(bin, 'routewright'), `#!/bin/sh\nexec node "${main}" "$@"\n`)
  chmodSync(path.join(bin, 'routewright'), 0o755)
  writeFileSync(path.join(bin, 'routewright.cmd'), `@"${process.execPath}" "${main}" %*\r\n`)

  const run = (command: string, args: readonly string[]): Promise<Result> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
        PRISMA_SCHEMA_ENGINE_BINARY: process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ?? process.execPath,
        NO_COLOR: '1',
        // Otherwise Prisma starts a process for each command to check for updates.
        CHECKPOINT_DISABLE: '1',
      }
      execFile(command, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr })
      })
    })
  const node = (script: string, ...args: string[]) => run(process.execPath, [path.join(ROOT, script), ...args])
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
  }
  write({
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
    // Overrides the configuration of the repository.
    '.prettierrc': '{}',
    '.editorconfig': 'root = true\n',
    ...files,
  })
  return {
    folder,
    write,
    prismaGenerate: (...args) => node('node_modules/prisma/build/index.js', 'generate', ...args),
    installedRoutewright: (...args) => run(process.execPath, [main, ...args]),
    routewright: async (...args) => {
      const before = process.cwd()
      let [stdout, stderr] = ['', '']
      process.chdir(folder)
      try {
        const code = await runCli(args, { out: (text) => (stdout += text), error: (text) => (stderr += text) })
        return { code, stdout, stderr }
      } finally {
        process.chdir(before)
      }
    },
    typecheck: (compilerOptions = {}, compiler = 'typescript') => {
      write({
        'tsconfig.check.json': JSON.stringify({
          extends: './tsconfig.json',
          compilerOptions: { noEmit: true, skipLibCheck: true, types: ['node'], ...compilerOptions },
          include: ['src'],
        }),
      })
      return node(`node_modules/${compiler}/bin/tsc`, '-p', 'tsconfig.check.json')
    },
  }
}
