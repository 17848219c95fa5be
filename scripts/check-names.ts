/** Checks that no file name and no declared name contains a word from `replaced-words.ts`. Part of `npm run lint`. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { findNames, splitName } from './find-names.js'
import { ROOT } from './prepare-fixtures.js'
import { EXTERNAL_NAMES, REPLACED_WORDS } from './replaced-words.js'

/** Schemas of users and the code generated from them are not checked. */
const SKIPPED = /^scripts\/(?:replaced-words|prose\/rules)\.ts$|^fixtures\/|\/corpus\/|\/generated\//

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n')
const problems: string[] = []
for (const file of files.filter((each) => each !== '' && !SKIPPED.test(each))) {
  report(file, path.basename(file))
  if (!/\.(ts|tsx|mts)$/.test(file)) continue
  for (const { name, line } of findNames(file, readFileSync(path.join(ROOT, file), 'utf8')))
    report(`${file}:${line}`, name)
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}

function report(location: string, name: string): void {
  if (EXTERNAL_NAMES.has(name)) return
  for (const word of splitName(name)) {
    if (!Object.hasOwn(REPLACED_WORDS, word)) continue
    problems.push(`${location}: "${name}" contains "${word}". Use instead: ${REPLACED_WORDS[word]}.`)
  }
}
