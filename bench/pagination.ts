/**
 * Measures cursor pagination, lists without a total and included lists with a limit: `npm run bench:lists [-- --rounds 15 --posts
 * 1000000]`. Uses a million posts on SQLite in memory; 100 of them have 200 comments each. The contenders take turns. Reports medians of
 * the CPU time and of the ratios per round.
 */
import { parseArgs } from 'node:util'

import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { bundlePrograms } from './prepare/bundle.js'
import { runProgram } from './run/program.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, posts: { type: 'string', default: '1000000' } },
})
const programs = await bundlePrograms(['pagination'], 'sqlite')
const { tables } = preparedFixture('bench')
console.log(await runProgram(programs, 'pagination', [tables, values.posts, values.rounds]))
