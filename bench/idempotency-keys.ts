/**
 * Measures idempotency keys: `npm run bench:keys [-- --rounds 36]`. Compares a create in each style without the option, with the option but
 * no key, with a key, and with a replayed response, on SQLite in memory. The contenders take turns in all orders. Reports medians of the
 * CPU time and of the ratios per round.
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
