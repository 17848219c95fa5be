/**
 * What pages by cursor, lists without a total and included lists with a limit cost: `npm run bench:lists [-- --rounds 15 --posts 1000000]`. A
 * million posts, of which 100 have 200 comments each, on SQLite in memory. In turns; the median of the rounds, and of their ratios, by the
 * processor's time.
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
