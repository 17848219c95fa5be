/**
 * Measures several changes in one request: `npm run bench:at-once [-- --rounds 15]`. Compares 100 creates by atomic operations and by an
 * RPC transaction with a handwritten transaction and with a single statement, on SQLite in memory. The contenders take turns. Reports
 * medians of the CPU time and of the ratios per round.
 */
import { parseArgs } from 'node:util'

import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { bundlePrograms } from './prepare/bundle.js'
import { runProgram } from './run/program.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })
const programs = await bundlePrograms(['concurrency'], 'sqlite')
const { tables } = preparedFixture('bench')
console.log(await runProgram(programs, 'concurrency', [tables, values.rounds]))
