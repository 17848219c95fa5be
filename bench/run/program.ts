import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns a production environment, in which Prisma does not capture a stack trace for each call. */
export function asInProduction(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'production' }
}

/**
 * Runs a bundled program.
 * @param flags options for Node
 * @returns its standard output
 */
export function runProgram(
  folder: string,
  name: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, join(folder, `${name}.js`), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: asInProduction(),
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${name} ended with ${code}.\n${text}`)),
    )
  })
}

/**
 * Runs a bundled program that writes its result to the file in its last argument.
 * @returns the result
 */
export async function runForResult<T>(
  folder: string,
  name: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<T> {
  const tempFolder = mkdtempSync(join(tmpdir(), 'routewright-bench-'))
  const file = join(tempFolder, 'result.json')
  try {
    await runProgram(folder, name, [...args, file], flags)
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } finally {
    rmSync(tempFolder, { recursive: true, force: true })
  }
}
