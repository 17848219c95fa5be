/**
 * Measures how the cost of a request grows: `growth.js <database url> <rounds> <series> <result file>`. Adds rows to the database first.
 */
import { writeFileSync } from 'node:fs'

import { RestApiHandler } from '../../fixtures/bench/expected/index.js'
import type { App, Orm } from '../contenders/contender.js'
import { createAbility, withAbility } from '../contenders/policies.js'
import { spread } from '../measure.js'
import { get, pageAfter, postsWithComments, type RequestOf } from '../operations.js'
import type { Line, Point, Series } from '../report/line-chart.js'
import { createBatch, warmUp } from './batch.js'
import { openApp, openOrm } from './contenders.js'
import { toRequest } from './request.js'
import { interleave } from './samples.js'

/** Returns a call whose cost may grow with a number. */
type Contender = (x: number) => () => Promise<unknown>

interface Growth extends Omit<Series, 'lines'> {
  readonly numbers: readonly number[]
  readonly contenders: Readonly<Record<string, Contender>>
}

const PAGE_SIZE = 20
/** Copies of each row of `Post`, which result in a million rows. */
const COPIES = 9
/** The post after which posts have 100 more comments. */
const COMMENTED = 100
const COLUMNS = '"title", "body", "status", "views", "createdAt", "authorId"'
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `SELECT ${at + 1} AS i`).join(' UNION ALL ')
const FILL_STATEMENTS = [
  `INSERT INTO "Post" ("slug", ${COLUMNS}) SELECT "slug" || '-' || n.i, ${COLUMNS} FROM "Post", (${numbers(COPIES)}) AS n`,
  `INSERT INTO "Comment" ("body", "createdAt", "postId", "authorId") SELECT "body", "createdAt", "postId", "authorId"
    FROM "Comment", (${numbers(40)}) AS n WHERE "postId" > ${COMMENTED} AND "postId" <= ${COMMENTED + PAGE_SIZE}`,
  'ANALYZE',
]

const [url = '', rounds = '', only = '', file = ''] = process.argv.slice(2)
const orm = openOrm(url)
for (const statement of FILL_STATEMENTS) await orm.$executeRawUnsafe(statement)
// The deepest page by offset is beyond the default limit.
const rest = RestApiHandler({ endpoint: 'http://localhost', limits: { offset: 1_000_000 } })
const emitted = await openApp('emitted', url, orm)
const byHand = await openApp('by hand', url, orm)

const appOf = (client: Orm): App => ({ fetch: (request) => rest.fetch(request, { getOrm: () => client }) })
const fetchFrom = (app: App, request: RequestOf) => async () => {
  const response = await app.fetch(toRequest(request))
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.path}: ${text}`)
}
const compared = (request: (x: number) => RequestOf): Growth['contenders'] => ({
  generated: (x) => fetchFrom(emitted, request(x)),
  'by hand': (x) => fetchFrom(byHand, request(x)),
})

/** Values below and above those of all rows. */
const BOUNDS = {
  views: ['-1', '1000000'],
  id: ['-1', '100000000'],
  authorId: ['-1', '100000000'],
  createdAt: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
  title: ['', '~~~~'],
} as const

/** Twenty conditions that every row meets, so that only their number matters. */
const CONDITIONS = Object.entries(BOUNDS).flatMap(([field, [low, high]]) => [
  { field, operator: 'gte', value: low },
  { field, operator: 'lte', value: high },
  { field, operator: 'gt', value: low },
  { field, operator: 'lt', value: high },
])
const toPrismaValue = (field: string, value: string) =>
  field === 'title' || field === 'createdAt' ? value : Number(value)
const authorRules = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

const GROWTHS: readonly Growth[] = [
  {
    name: 'cursor',
    title: 'a page of 20 of a million posts',
    x: 'page',
    unit: 'µs',
    numbers: [1, 10, 100, 1000, 10_000, 50_000],
    contenders: {
      ...compared((page) => pageAfter((page - 1) * PAGE_SIZE)),
      'generated, by offset': (page) =>
        fetchFrom(appOf(orm), get(`/post?page[limit]=20&page[offset]=${(page - 1) * PAGE_SIZE}&page[total]=none`)),
    },
  },
  {
    name: 'includes',
    title: 'a page of 20 posts with comments',
    x: 'comments per post',
    unit: 'µs',
    numbers: [1, 3, 10, 30, 100],
    contenders: compared((limit) => postsWithComments(COMMENTED, limit)),
  },
  {
    name: 'filters',
    title: 'a list of 10 posts with a filter',
    x: 'conditions',
    unit: 'µs',
    numbers: [1, 2, 5, 10, 20],
    contenders: {
      generated: (count) => {
        const filters = CONDITIONS.slice(0, count).map(
          ({ field, operator, value }) => `filter[${field}$${operator}]=${value}`,
        )
        const path = `/post?filter[authorId]=7&page[total]=none&page[limit]=10&${filters.join('&')}`
        return fetchFrom(appOf(orm), get(path))
      },
      'bare Prisma': (count) => {
        const AND = CONDITIONS.slice(0, count).map(({ field, operator, value }) => ({
          [field]: { [operator]: toPrismaValue(field, value) },
        }))
        return () => orm.post.findMany({ where: { authorId: 7, AND }, orderBy: { id: 'asc' }, take: 11 })
      },
    },
  },
  {
    name: 'policies',
    title: 'a list of 20 posts with access rules',
    x: 'rules',
    unit: 'µs',
    numbers: [1, 2, 5, 10, 20, 50],
    contenders: {
      'with rules': (count) => {
        const rules = authorRules(count).map((authorId) => ({
          action: 'read',
          subject: 'Post',
          conditions: { authorId },
        }))
        const client = withAbility(orm, createAbility(rules))
        return fetchFrom(appOf(client), get('/post?page[limit]=20&page[total]=none'))
      },
      'as a filter': (count) => {
        return fetchFrom(
          appOf(orm),
          get(`/post?page[limit]=20&page[total]=none&filter[authorId]=${authorRules(count).join(',')}`),
        )
      },
    },
  },
]

const results: Series[] = []
for (const growth of GROWTHS) {
  if (only === '' || only.split(',').includes(growth.name)) results.push(await measure(growth))
}
writeFileSync(file, JSON.stringify(results))
process.exit(0)

async function measure({ name, title, x, unit, numbers, contenders }: Growth): Promise<Series> {
  const points = new Map<string, Point[]>(Object.keys(contenders).map((contender) => [contender, []]))
  for (const number of numbers) {
    const batches = []
    for (const [contender, prepare] of Object.entries(contenders)) {
      const call = prepare(number)
      const batch = createBatch(() => call, '')
      const size = await warmUp(batch)
      batches.push({ contender, batch: () => batch(size) })
    }
    for (const { contender, wall } of await interleave(batches, Number(rounds))) {
      points.get(contender)?.push({ x: number, ...spread(wall) })
    }
    process.stderr.write('.')
  }
  const lines = [...points].map(([contender, all]): Line => ({ name: contender, points: all }))
  return { name, title: `time of ${title}`, x, unit, lines }
}
