import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { PrismaLibSql } from '@prisma/adapter-libsql'

import { freePort } from '../../support/servers/programs.js'
import { ROOT } from './pages.js'
import { curlRequest } from './shell.js'

/** The URL of the app on the page. The test serves it on a free port. */
const DOCUMENTED_URL = 'http://localhost:3000'

const IS_WINDOWS = process.platform === 'win32'

/** The exit code of a command, with its output and errors. */
export interface CommandResult {
  readonly code: number
  readonly output: string
}

/** A response of the app. Its text contains the URLs of the page. */
export interface AppResponse {
  readonly status: number
  readonly text: string
}

/** The app of the tutorial in a folder outside of the repository. */
export interface TutorialApp {
  /** Writes a file. */
  write(file: string, text: string): void
  /** Replaces the blocks of a schema that have the same names as the given ones, and appends the others. */
  editSchema(file: string, blocks: string): void
  /** Runs a command of the page. */
  run(words: readonly string[]): Promise<CommandResult>
  /** Sends the request of a `curl` command to the server. */
  curl(words: readonly string[]): Promise<AppResponse>
  /** Returns the current URL of the server. */
  url(): Promise<string>
  /** Stops the server and removes the folder. */
  close(): Promise<void>
}

/** Variables of this process that would change the results of commands: those of Vitest, npm, Git and the app. */
const REMOVED = /^(VITEST|npm_|GIT_|GITHUB_|ROUTEWRIGHT_|(NODE_ENV|TEST|MODE|DEV|PROD|SSR|BASE_URL|DATABASE_URL|PORT)$)/

/** Installs packages with the arguments of `npm install`. */
export type InstallPackages = (folder: string, args: readonly string[]) => unknown

/**
 * Creates the empty folder in which the tutorial starts.
 * @param install default: links the packages of the repository, and only those that the command names
 */
export async function makeTutorialApp(install: InstallPackages = linkPackages): Promise<TutorialApp> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'routewright-tutorial-')))
  const port = await freePort()
  const env: NodeJS.ProcessEnv = { ...process.env }
  for (const name of Object.keys(env)) if (REMOVED.test(name)) delete env[name]
  Object.assign(env, {
    PORT: String(port),
    NO_COLOR: '1',
    // Nothing is downloaded. `npx` fails if no package on the page contains the command.
    npm_config_offline: 'true',
    npm_config_yes: 'false',
    npm_config_update_notifier: 'false',
    PRISMA_SCHEMA_ENGINE_BINARY: process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ?? process.execPath,
    CHECKPOINT_DISABLE: '1',
    GIT_CONFIG_GLOBAL: path.join(folder, 'no-git-config'),
  })
  for (const role of ['AUTHOR', 'COMMITTER']) {
    Object.assign(env, { [`GIT_${role}_NAME`]: 'Reader', [`GIT_${role}_EMAIL`]: 'reader@example.com' })
  }
  let server: ChildProcess | undefined
  let isCurrent = false

  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
    isCurrent = false
  }
  const execute = (command: string, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<CommandResult> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...env, ...variables }, maxBuffer: 1 << 26 }
      // On Windows, `npm` and `npx` are scripts.
      const shell = IS_WINDOWS && command !== 'git'
      const quoted = shell ? args.map((word) => (/\s/.test(word) ? `"${word}"` : word)) : args
      execFile(command, quoted, { ...options, shell }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        const output = `${stdout}${stderr}`
        resolve({ code, output: IS_WINDOWS ? output.replaceAll('\\', '/') : output })
      })
    })

  /** The commands that the test replaces. All others run as on the page. */
  const replacements: readonly (readonly [
    command: string,
    run: (args: readonly string[], variables: NodeJS.ProcessEnv) => unknown,
  ])[] = [
    // The temporary folder is the empty folder.
    ['mkdir issue-tracker', () => {}],
    ['cd issue-tracker', () => {}],
    ['npm install', (args) => install(folder, args)],
    // Creates the same tables from SQL, because Prisma's schema engine must be downloaded.
    [
      'npx prisma db push',
      async (args, variables) => {
        await stop()
        await createDatabase(folder, args, variables['DATABASE_URL'])
      },
    ],
    // Before each request, the server is started again if anything has changed. `tsx watch` restarts it at an unknown time.
    ['npm run dev', () => {}],
  ]

  const stop = async () => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill()
    await ended
  }
  const url = async () => {
    if (isCurrent) return `http://localhost:${port}`
    await stop()
    const started = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], { cwd: folder, env })
    server = started
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const collect = (chunk: Buffer) => {
        output += String(chunk)
        if (output.includes(`Listening on http://localhost:${port}\n`)) resolve()
      }
      started.stdout.on('data', collect)
      started.stderr.on('data', collect)
      started.once('exit', () => reject(new Error(`The server ended:\n${output}`)))
    })
    isCurrent = true
    return `http://localhost:${port}`
  }
  return {
    write,
    editSchema: (file, blocks) => write(file, withBlocks(readFileSync(path.join(folder, file), 'utf8'), blocks)),
    async run(all) {
      isCurrent = false
      const start = all.findIndex((word) => !/^[A-Z_]+=/.test(word))
      const variables = Object.fromEntries(all.slice(0, start).map((word) => word.split('=')))
      const words = all.slice(start)
      const [replaced, replace] =
        replacements.find(([command]) => `${words.join(' ')} `.startsWith(`${command} `)) ?? []
      if (replaced === undefined) return execute(words[0] ?? '', words.slice(1), variables)
      await replace?.(words.slice(replaced.split(' ').length), variables)
      return { code: 0, output: '' }
    },
    async curl(words) {
      const request = curlRequest(words)
      if (!request.url.startsWith(`${DOCUMENTED_URL}/`)) throw new Error(`${request.url} is not a URL of the app.`)
      const current = await url()
      const response = await fetch(request.url.replace(DOCUMENTED_URL, current), request.init)
      return { status: response.status, text: (await response.text()).replaceAll(current, DOCUMENTED_URL) }
    },
    url,
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Links packages of the repository and their commands, and adds them to `package.json` like `npm install`. */
function linkPackages(folder: string, args: readonly string[]): void {
  const manifestFile = path.join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const group = args.includes('--save-dev') ? 'devDependencies' : 'dependencies'
  for (const specifier of args.filter((word) => !word.startsWith('-'))) {
    const [, name = '', major] = /^(@?[^@]+)(?:@(\d+))?$/.exec(specifier) ?? []
    const source = realpathSync(path.join(ROOT, 'node_modules', name))
    const { version, bin = {} } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'))
    if (major !== undefined && !version.startsWith(`${major}.`)) throw new Error(`${name} is ${version}.`)
    manifest[group] = { ...manifest[group], [name]: `^${version}` }
    const link = path.join(folder, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(source, link, 'junction')
    for (const [command, file] of Object.entries<string>(typeof bin === 'string' ? { [name]: bin } : bin)) {
      linkCommand(path.join(folder, 'node_modules/.bin'), command, path.join(source, file))
    }
  }
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2))
}

function linkCommand(bin: string, command: string, file: string): void {
  mkdirSync(bin, { recursive: true })
  if (IS_WINDOWS) writeFileSync(path.join(bin, `${command}.cmd`), `@"${process.execPath}" "${file}" %*\r\n`)
  else symlinkSync(file, path.join(bin, command))
}

/** Creates the tables of the schema. With `--force-reset`, replaces an existing database. */
async function createDatabase(folder: string, args: readonly string[], databaseUrl = 'file:./dev.db'): Promise<void> {
  const file = path.join(folder, databaseUrl.replace('file:', ''))
  if (args.includes('--force-reset')) rmSync(file)
  // Runs in a new process, because each process can create only one schema engine.
  const tables = mkdtempSync(path.join(folder, 'tables-'))
  const script = ['--import', 'tsx', 'scripts/create-tables.ts', path.join(folder, 'prisma/schema.prisma'), tables]
  await promisify(execFile)(process.execPath, script, { cwd: ROOT })
  const connection = await new PrismaLibSql({ url: `file:${file}` }).connect()
  await connection.executeScript(readFileSync(path.join(tables, 'tables.sql'), 'utf8'))
  await connection.dispose()
  rmSync(tables, { recursive: true })
}

/** Returns a schema in which the given blocks, each with the comments above it, replace those with the same names. */
export function withBlocks(schema: string, blocks: string): string {
  let edited = schema
  for (const [block, kind, name] of blocks.matchAll(/(?:^\/\/\/.*\n)*^(\w+) (\w+) \{\n[^]*?^\}\n/gm)) {
    const existing = new RegExp(`(?:^///.*\\n)*^${kind} ${name} \\{\\n[^]*?^\\}\\n`, 'm')
    edited = existing.test(edited) ? edited.replace(existing, () => block) : `${edited}\n${block}`
  }
  return edited
}
