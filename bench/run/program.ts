import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Returns a production environment, in which Prisma does not capture a stack trace for each call. */
export function asInProduction(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'production' }
}

/**
 * Runs a bundled program.
 * @returns its standard output
 */
export function runProgram(folder: string, name: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, `${name}.js`), ...args], {
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
