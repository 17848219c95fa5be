import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Example } from './examples.js'

const run = promisify(execFile)

// Lets the line run as it was printed, and adds the answer's status behind its body.
const CURL = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }`

/**
 * Runs every line in a shell, one after the other, and prints the answers.
 * @returns whether each answered with the status it should
 */
export async function checkExamples(examples: readonly Example[]): Promise<boolean> {
  let good = true
  for (const { title, curl, status } of examples) {
    const { stdout } = await run('sh', ['-c', `${CURL}\n${curl}`])
    const [, body = '', answered = ''] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? []
    const ok = Number(answered) === status
    good &&= ok
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${answered}${ok ? '' : ` instead of ${status}`}  ${title}\n`)
    process.stdout.write(ok ? `     ${shortened(body)}\n` : `     ${curl}\n     ${body}\n`)
  }
  return good
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
