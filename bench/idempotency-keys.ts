/**
 * What idempotency keys cost: `npm run bench:keys [-- --rounds 36]`. A create by either style, without the option, with it and no key, with a
 * key, and with one whose answer is given again, on SQLite in memory. In turns of every order; the median of the rounds, and of their ratios, by the
 * processor's time.
 */
import { parseArgs } from 'node:util'

import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { bundlePrograms } from './prepare/bundle.js'
import { runProgram } from './run/program.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '36' } } })
const programs = await bundlePrograms(['idempotency-keys'], 'sqlite')
console.log(
  await runProgram(programs, 'idempotency-keys', [preparedFixture('payments', 'sqlite').tables, values.rounds]),
)
