import { spawn } from 'node:child_process'

/** How a run of git ended. */
export interface GitResult {
  readonly code: number
  readonly out: Buffer
  readonly error: string
}

/** No call of ours takes a second; one that hangs is ended, in milliseconds. */
const TIMEOUT = 60_000

/**
 * Runs git. Takes no lock and asks nobody anything.
 * @param folder where
 * @param input what it reads
 * @returns undefined where there is no git
 */
export function runGit(folder: string, args: readonly string[], input?: string): Promise<GitResult | undefined> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      // What a partial clone lacks would be fetched otherwise.
      GIT_NO_LAZY_FETCH: '1',
      LC_ALL: 'C',
    }
    const child = spawn('git', [...args], { cwd: folder, env, stdio: 'pipe', timeout: TIMEOUT })
    const out: Buffer[] = []
    let error = ''
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => resolve({ code: code ?? 1, out: Buffer.concat(out), error }))
    // Git may end before it has read everything.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
  })
}

/** What a run of git wrote, without the last line feed; undefined where it failed. */
export async function gitOutput(folder: string, args: readonly string[]): Promise<string | undefined> {
  const result = await runGit(folder, args)
  return result?.code === 0 ? result.out.toString().replace(/\n$/, '') : undefined
}
