import { spawn } from 'node:child_process'

/** The result of a Git command. */
export interface GitResult {
  readonly code: number
  readonly stdout: Buffer
  readonly error: string
}

/** Timeout of a Git command in milliseconds. Commands normally take less than a second. */
const TIMEOUT = 60_000

/**
 * Runs a Git command. It takes no optional locks and never prompts.
 * @param folder the working directory
 * @param input the text for stdin
 * @returns undefined if Git cannot be started
 */
export function runGit(folder: string, args: readonly string[], input?: string): Promise<GitResult | undefined> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      // Prevents a partial clone from fetching missing objects.
      GIT_NO_LAZY_FETCH: '1',
      LC_ALL: 'C',
    }
    const child = spawn('git', [...args], { cwd: folder, env, stdio: 'pipe', timeout: TIMEOUT })
    const chunks: Buffer[] = []
    let error = ''
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => resolve({ code: code ?? 1, stdout: Buffer.concat(chunks), error }))
    // Git may exit before it has read all input.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
  })
}

/** Runs a Git command and returns its output without the final line feed, or undefined if it fails. */
export async function gitOutput(folder: string, args: readonly string[]): Promise<string | undefined> {
  const result = await runGit(folder, args)
  return result?.code === 0 ? result.stdout.toString().replace(/\n$/, '') : undefined
}
