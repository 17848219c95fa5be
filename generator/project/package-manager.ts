import { findUp } from './find-up.js'

const LOCKFILES = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const

const INSTALL_COMMANDS = {
  npm: { app: 'npm install', dev: 'npm install -D' },
  pnpm: { app: 'pnpm add', dev: 'pnpm add -D' },
  yarn: { app: 'yarn add', dev: 'yarn add -D' },
  bun: { app: 'bun add', dev: 'bun add -d' },
} as const

const RUN_COMMANDS = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' } as const

/**
 * Returns the command that installs packages, for the package manager of the nearest lockfile. Default: npm.
 * @param folder the folder where the upward search for a lockfile starts
 * @param kind whether the packages are dependencies or development dependencies
 */
export function installCommand(folder: string, packages: readonly string[], kind: 'app' | 'dev' = 'app'): string {
  return [INSTALL_COMMANDS[detectPackageManager(folder)][kind], ...packages].join(' ')
}

/** Returns the command that runs a bin of an installed package, such as `npx prisma generate`, for the same package manager. */
export function runCommand(folder: string, command: string): string {
  return `${RUN_COMMANDS[detectPackageManager(folder)]} ${command}`
}

function detectPackageManager(folder: string): keyof typeof INSTALL_COMMANDS {
  const name = findUp(folder, Object.keys(LOCKFILES))?.name
  return Object.entries(LOCKFILES).find(([lockfile]) => lockfile === name)?.[1] ?? 'npm'
}
