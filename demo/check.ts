import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Example } from './examples.js'

const run = promisify(execFile)

// Runs the printed line unchanged and appends the response status to the body.
const CURL = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }`

/**
 * Runs all examples in a shell, one after the other, and prints the responses.
 * @returns whether all responses have the expected status
 */
export async function checkExamples(examples: readonly Example[]): Promise<boolean> {
  let isPassing = true
  for (const { title, curl, status } of examples) {
    const { stdout } = await run('sh', ['-c', `${CURL}\n${curl}`])
    const [, body = '', actualStatus = ''] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? []
    const ok = Number(actualStatus) === status
    isPassing &&= ok
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${actualStatus}${ok ? '' : ` instead of ${status}`}  ${title}\n`)
    process.stdout.write(ok ? `     ${truncate(body)}\n` : `     ${curl}\n     ${body}\n`)
  }
  return isPassing
}

function truncate(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
