import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { ROOT } from './pages.js'
import { commandsOf } from './shell.js'

interface Manifest {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifests = ['package.json', 'generator/package.json', 'runtime/package.json', 'client/package.json'].map(
  (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Manifest,
)
const scripts = Object.keys(manifests[0]?.scripts ?? {})
/** The generators of OpenAPI clients. */
const tools = JSON.parse(readFileSync(path.join(ROOT, 'tests/openapi/tools/package.json'), 'utf8')) as Manifest
/** The frameworks of the adapters. */
const frameworks = JSON.parse(readFileSync(path.join(ROOT, 'tests/frameworks/package.json'), 'utf8')) as Manifest
const packages = new Set(
  [...manifests, tools, frameworks].flatMap(({ name, dependencies, devDependencies, peerDependencies }) => [
    name,
    ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  ]),
)
const usage = readFileSync(path.join(ROOT, 'generator/cli.ts'), 'utf8')

/** Names of Debian and Ubuntu packages with the servers that tests start. */
const DEBIAN: readonly string[] = ['mariadb-server', 'pgbouncer', 'postgresql']

/** Allowed commands. Each function receives the arguments without options and decides if they are valid. */
const ALLOWED_COMMANDS: Readonly<Record<string, (args: readonly string[], words: readonly string[]) => boolean>> = {
  'npm ci': none,
  'npm test': (args) => args.every(exists),
  'npm run': ([script = '']) => scripts.includes(script),
  'npm install': (args) => args.every((name) => packages.has(name.replace(/(?<=.)@\d+$/, ''))),
  'npx prisma': ([command = '', subcommand]) =>
    ['generate', 'validate'].includes(command) || (command === 'db' && subcommand === 'push'),
  'npx routewright': ([command = '']) => usage.includes(`\n  ${command} `),
  'gh pr': ([command]) => command === 'comment',
  'npx vitest': ([command, ...files]) => command === 'run' && files.every(exists),
  'npx openapi-typescript': readsDescription,
  'npx @hey-api/openapi-ts': readsDescription,
  'npx changeset': ([command]) => command === undefined || command === 'status',
  'npx tsc': none,
  'npx oxlint': none,
  'npx prettier': (args) => args.every(exists),
  '.ci/run': none,
  'sudo apt-get': ([command, ...names]) =>
    command === 'update' || (command === 'install' && names.every((name) => DEBIAN.includes(name))),
}

/** Returns the commands of a shell block that do not exist in this repository or in a documented app. */
export function unknownCommands(text: string): string[] {
  return commandsOf(text)
    .filter((words) => !isAllowed(words))
    .map((words) => words.join(' '))
}

function isAllowed(all: readonly string[]): boolean {
  const words = all.slice(all.findIndex((word) => !/^[A-Z_]+=/.test(word)))
  const name = Object.keys(ALLOWED_COMMANDS).find((command) =>
    command.split(' ').every((word, at) => words[at] === word),
  )
  if (name === undefined) return false
  const remaining = words.slice(name.split(' ').length)
  const end = remaining.indexOf('--')
  const args = (end < 0 ? remaining : remaining.slice(0, end)).filter((word) => !word.startsWith('-'))
  return ALLOWED_COMMANDS[name]?.(args, words) === true
}

function none(args: readonly string[]): boolean {
  return args.length === 0
}

function readsDescription([input, output, ...more]: readonly string[]): boolean {
  return input?.endsWith('/openapi.json') === true && output?.startsWith('src/') === true && more.length === 0
}

function exists(file: string): boolean {
  return existsSync(path.join(ROOT, file))
}
