/** Type-checks the repository. If the packages of `tests/frameworks` are not installed, files that import them are excluded. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { hasFrameworks, reportAbsence, WITHOUT_FRAMEWORKS } from '../tests/support/frameworks.js'
import { ROOT } from './prepare-fixtures.js'

reportAbsence('adapters and their tests are not type-checked')
const project = hasFrameworks ? ROOT : WITHOUT_FRAMEWORKS
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
process.exitCode = spawnSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' }).status ?? 1
