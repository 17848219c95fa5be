/**
 * What several changes at once cost: `npm run bench:at-once [-- --rounds 15]`. A hundred creates by atomic operations and by an RPC transaction,
 * beside a transaction written by hand and one statement for all, on SQLite in memory. In turns; the median of the rounds, and of their
 * ratios, by the processor's time.
 */
import { parseArgs } from 'node:util'

import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { bundlePrograms } from './prepare/bundle.js'
import { runProgram } from './run/program.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })
const programs = await bundlePrograms(['concurrency'], 'sqlite')
const { tables } = preparedFixture('bench')
console.log(await runProgram(programs, 'concurrency', [tables, values.rounds]))
