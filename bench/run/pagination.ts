/** Measures lists: `pagination.js <file with the tables> <number of posts> <rounds>`. See bench/pagination.ts. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'

import { PrismaClient } from '../../fixtures/bench/client/client.js'
import { RestApiHandler } from '../../fixtures/bench/expected/index.js'
import {
  toCursor,
  listAfterCursor,
  listWithoutTotal,
  listWithSomeComments,
  listWithAllCommentsLoaded,
} from '../lists/by-hand.js'
import { pairedRatio, spread, rotateContenders } from '../measure.js'

const [tables = '', posts = '', rounds = ''] = process.argv.slice(2)
const POSTS = Number(posts)
const SIZE = 20
const ROUNDS = Number(rounds)
const CALLS = 20

/** A measured function, which returns a JSON document. */
type Contender = () => Promise<string>

const HEADERS = { 'Content-Type': 'application/vnd.api+json', 'Cache-Control': 'private, no-store', Vary: 'Accept' }

/** SQL for a table of the numbers from 1. */
const numbers = (max: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${max})`

const FILL_STATEMENTS = [
  `INSERT INTO User (id, email, name, createdAt) VALUES (1, 'a@example.com', 'A', '2026-01-01T00:00:00.000+00:00')`,
  `${numbers(POSTS)} INSERT INTO Post (slug, title, body, status, views, createdAt, authorId) SELECT 'p-' || i, 'Post ' || i, ` +
    `'With some text in it. With some text in it.', 'PUBLISHED', (i * 7919) % 1000, '2026-01-01T00:00:00.000+00:00', 1 FROM n`,
  `${numbers(100 * 200)} INSERT INTO Comment (body, createdAt, postId, authorId) SELECT 'A comment', '2026-01-01T00:00:00.000+00:00', ` +
    '(i % 100) + 1, 1 FROM n',
  'CREATE INDEX posts_by_views ON Post (views, id)',
  'ANALYZE',
]

const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'routewright-lists-'))
const adapter = new PrismaLibSql({ url: `file:${join(folder, 'lists.db')}` })
const connection = await adapter.connect()
await connection.executeScript(await readFile(tables, 'utf8'))
await connection.executeScript(FILL_STATEMENTS.join(';\n'))
const orm = new PrismaClient({ adapter })
try {
  await measureAll()
} finally {
  await orm.$disconnect()
  await connection.dispose()
  await rm(folder, { recursive: true, force: true })
}

async function measureAll(): Promise<void> {
  // The comments of 100 posts exceed the default limits.
  const limits = { includedRows: 50_000, responseBytes: Infinity }
  const rest = RestApiHandler({ endpoint: 'http://localhost', limits })
  const viaRest = (query: string): Contender => {
    return async () => {
      const response = await rest.fetch(new Request(`http://localhost/post?${query}`), { getOrm: () => orm })
      const text = await response.text()
      if (response.status !== 200) throw new Error(text)
      return text
    }
  }
  /** Like the generated code, handwritten code parses a request and creates a response. */
  const handwritten = (query: string, read: (params: URLSearchParams) => Promise<string>): Contender => {
    return async () => {
      const request = new Request(`http://localhost/post?${query}`)
      const document = await read(new URL(request.url).searchParams)
      return new Response(document, { headers: HEADERS }).text()
    }
  }
  // The second to last page, by a cursor at the start of the last two pages.
  const end = JSON.parse(await viaRest(`sort=views&page[before]=&page[size]=${2 * SIZE + 1}`)())
  const [before] = end.data
  const cursorRow = await orm.post.findUniqueOrThrow({ where: { id: Number(before.id) } })
  const deep = `sort=views&page[after]=${before.meta.page.cursor}&page[size]=${SIZE}`
  const someComments = 'page[limit]=100&include=comments'

  await compare('the first page, ordered by a field', {
    'by cursor': viaRest(`sort=views&page[after]=&page[size]=${SIZE}`),
    'by offset': viaRest(`sort=views&page[limit]=${SIZE}`),
  })
  await compare(`page ${POSTS / SIZE - 1}, ordered by a field`, {
    'by cursor': viaRest(deep),
    'by cursor, by hand': handwritten(`sort=views&page[after]=${toCursor(cursorRow)}&page[size]=${SIZE}`, (params) =>
      listAfterCursor(orm, params.get('page[after]') ?? '', Number(params.get('page[size]'))),
    ),
    'by offset': viaRest(`sort=views&page[limit]=${SIZE}&page[offset]=${POSTS - 2 * SIZE}`),
  })
  await compare('a page in the order of ids', {
    'without a total': viaRest(`page[limit]=${SIZE}&page[offset]=1000&page[total]=none`),
    'without a total, by hand': handwritten(`page[limit]=${SIZE}&page[offset]=1000`, (params) =>
      listWithoutTotal(orm, Number(params.get('page[offset]')), Number(params.get('page[limit]'))),
    ),
    'with the total': viaRest(`page[limit]=${SIZE}&page[offset]=1000`),
  })
  await compare('100 posts with 5 of 200 comments each', {
    emitted: viaRest(`${someComments}&page[total]=none&includePage[comments][limit]=5`),
    'by hand, with hand-written SQL': handwritten('page[limit]=100', () => listWithSomeComments(orm, 0, 100, 5)),
    "by hand, with Prisma's take": handwritten('page[limit]=100', () => listWithAllCommentsLoaded(orm, 0, 100, 5)),
    'emitted, with all comments': viaRest(`${someComments}&page[total]=none`),
  })
}

/**
 * Measures contenders in turn, and prints their times and ratios to the first one.
 * @throws Error if the contenders return different resources
 */
async function compare(title: string, contenders: Readonly<Record<string, Contender>>): Promise<void> {
  const entries = Object.entries(contenders)
  const names = entries.map(([name]) => name)
  const times = new Map(names.map((name) => [name, [] as number[]]))
  const ids = new Map<string, string>()
  for (const [name, contender] of entries) ids.set(name, await warmUp(contender))
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of rotateContenders(names, round)) {
      const start = process.cpuUsage()
      for (let call = 0; call < CALLS; call++) {
        await contenders[name]?.()
      }
      const { user, system } = process.cpuUsage(start)
      times.get(name)?.push((user + system) / CALLS / 1000)
    }
  }
  const [first = ''] = names
  for (const name of names.filter((each) => !each.includes('all'))) {
    if (ids.get(name) !== ids.get(first)) throw new Error(`${title}, ${name}: other resources than ${first}.`)
  }
  console.log(title)
  for (const [name, taken] of times) {
    const { median } = spread(taken)
    const ratio = pairedRatio(times.get(first) ?? [], taken)
    const comparison = name === first ? '' : `; ${first} takes ${ratio.median.toFixed(2)} of it`
    console.log(`  ${name}: ${median.toFixed(2)} ms${comparison}`)
  }
}

/**
 * Warms up for 3000 calls or 5 s.
 * @returns the ids in the response
 */
async function warmUp(contender: Contender): Promise<string> {
  const end = Date.now() + 5000
  const text = await contender()
  for (let call = 0; call < 3000 && Date.now() < end; call++) await contender()
  return joinIds(text)
}

/** Returns the ids of the resources in a document. */
function joinIds(text: string): string {
  const { data, included = [] }: { data: readonly { id: string }[]; included?: readonly { id: string }[] } =
    JSON.parse(text)
  const numbers = included.map(({ id }) => Number(id)).sort((a, b) => a - b)
  return `${data.map(({ id }) => id)} ${numbers}`
}
