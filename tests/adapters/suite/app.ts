import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Timeout for building an app on a busy machine, in milliseconds. */
export const BUILD_TIMEOUT = 300_000

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** The values that the modules of a built app look up by mount path: `globalThis.served("/v1/echo")`. */
const served = new Map<string, unknown>()
Reflect.set(globalThis, 'served', (mount: string) => served.get(mount))

/** Makes a value available at a mount path to the modules of a built app, which run in this process. */
export function serveInApps(mount: string, value: unknown): void {
  served.set(mount, value)
}

/**
 * Writes an app and builds it with its framework's command, unless the same app was built before. Cold builds take many
 * seconds.
 * @param name package name of the framework, whose version is part of the cache key
 * @param files path → text
 * @param command a script below node_modules and its arguments
 * @returns the app's folder
 */
export async function buildApp(
  name: string,
  files: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<string> {
  const all = { 'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }), ...files }
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))
  const hash = createHash('sha256')
    .update(JSON.stringify([ROOT, version, all, command]))
    .digest('hex')
    .slice(0, 12)
  const folder = path.join(ROOT, 'tests/.generated', `app-${name.replaceAll('/', '-')}-${hash}`)
  const done = path.join(folder, 'built')
  if (existsSync(done)) return folder
  rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const [script = '', ...args] = command
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' }
  await new Promise<void>((resolve, reject) => {
    execFile(
      process.execPath,
      [path.join(ROOT, 'node_modules', script), ...args],
      { cwd: folder, env },
      (error, stdout, stderr) => (error ? reject(new Error(`${stdout}\n${stderr}`, { cause: error })) : resolve()),
    )
  })
  writeFileSync(done, '')
  return folder
}
