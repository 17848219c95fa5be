/**
 * Measures the overhead of access policies for a list: `npm run bench:policy`. Sends the same request to the same routes with the plain
 * client and with clients that are bound to an ability, either cached or created per request. An empty extension, also created per request,
 * shows Prisma's share of the overhead. The contenders take turns. Reports the median of the CPU time ratios per round.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createPrismaAbility, type PrismaQueryOf } from '@casl/prisma/runtime'
import { PrismaLibSql } from '@prisma/adapter-libsql'

import { type Prisma, PrismaClient } from '../fixtures/bench/client/client.js'
import { RestApiHandler, RPCApiHandler } from '../fixtures/bench/expected/index.js'
import { commentResource } from '../fixtures/bench/expected/comment/resource.js'
import { postResource } from '../fixtures/bench/expected/post/resource.js'
import { readingResource } from '../fixtures/bench/expected/reading/resource.js'
import { userResource } from '../fixtures/bench/expected/user/resource.js'
import { createPolicies } from '../runtime/policy/index.js'
import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { pairedRatio, rotateContenders } from './measure.js'

const USERS = 500
const POSTS_OF_EACH = 100
const ROUNDS = 41
const CALLS = 40
/** Number of warm-up rounds, after which the code should be optimized. */
const WARM_UP = 25

type Rules = Parameters<typeof createPrismaAbility<[string, string], PrismaQueryOf<Prisma.TypeMap>>>[0]

const enforce = createPolicies([commentResource, postResource, readingResource, userResource])

function createAbility(rules: Rules) {
  return createPrismaAbility<[string, string], PrismaQueryOf<Prisma.TypeMap>>(rules)
}

const EMPTY = {
  query: {
    $allModels: { $allOperations: ({ args, query }: { args: never; query(args: never): unknown }) => query(args) },
  },
} as object

async function fillDatabase(orm: PrismaClient): Promise<void> {
  const ids = Array.from({ length: USERS }, (_, index) => index + 1)
  await orm.user.createMany({ data: ids.map((id) => ({ email: `u${id}@example.com`, name: `User ${id}` })) })
  for (let start = 0; start < USERS; start += 20) {
    const posts = ids.slice(start, start + 20).flatMap((authorId) =>
      Array.from({ length: POSTS_OF_EACH }, (_, index) => ({
        slug: `p-${authorId}-${index}`,
        title: `Post ${index}`,
        body: 'A text of some length, as posts have. '.repeat(5),
        authorId,
      })),
    )
    await orm.post.createMany({ data: posts })
  }
}

async function measure(orm: PrismaClient): Promise<void> {
  const rest = RestApiHandler({ endpoint: 'http://localhost' })
  const rpc = RPCApiHandler()
  const openRules: Rules = [{ action: 'read', subject: 'all' }]
  const authorRules: Rules = [{ action: 'read', subject: 'Post', conditions: { authorId: 7 } }]
  const withCachedAbility = (rules: Rules) => {
    const ability = createAbility(rules)
    return () => orm.$extends(enforce(ability))
  }
  const withFreshAbility = (rules: Rules) => () => orm.$extends(enforce(createAbility(rules)))
  const restList = (path: string) => (client: PrismaClient) =>
    rest.fetch(new Request(`http://localhost${path}`), { getOrm: () => client })
  const rpcList = (args: object) => (client: PrismaClient) =>
    rpc.fetch(new Request(`http://localhost/post/findMany?q=${encodeURIComponent(JSON.stringify(args))}`), {
      getOrm: () => client,
    })
  const page = 'page[limit]=20'
  const lists = [
    ['REST list', restList(`/post?${page}`), restList(`/post?${page}&filter[authorId]=7`)],
    ['RPC findMany', rpcList({ take: 20 }), rpcList({ take: 20, where: { authorId: 7 } })],
  ] as const
  const cases = lists.flatMap(
    ([name, list, filtered]) =>
      [
        [`${name}, no conditions, the ability is kept`, list, withCachedAbility(openRules), list],
        [`${name}, no conditions, an ability for each request`, list, withFreshAbility(openRules), list],
        [`${name}, a rule on an indexed column, the ability is kept`, filtered, withCachedAbility(authorRules), list],
        [
          `${name}, a rule on an indexed column, an ability for each request`,
          filtered,
          withFreshAbility(authorRules),
          list,
        ],
      ] as const,
  )
  for (const [name, withoutPolicy, withPolicy, withRules] of cases) {
    const contenders = {
      without: () => withoutPolicy(orm),
      empty: () => withoutPolicy(orm.$extends(EMPTY) as unknown as PrismaClient),
      with: () => withRules(withPolicy() as unknown as PrismaClient),
    }
    const times: Record<keyof typeof contenders, number[]> = { without: [], empty: [], with: [] }
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const key of rotateContenders(['without', 'empty', 'with'] as const, Math.abs(round))) {
        const start = process.cpuUsage()
        for (let call = 0; call < CALLS; call++) {
          const response = await contenders[key]()
          if (response.status !== 200) throw new Error(await response.text())
          await response.text()
        }
        const { user, system } = process.cpuUsage(start)
        if (round >= 0) times[key].push((user + system) / CALLS)
      }
    }
    const ratios = (['with', 'empty'] as const).map((key) => {
      const { q1, median, q3 } = pairedRatio(times[key], times.without)
      return `× ${median.toFixed(3)} (${q1.toFixed(3)} to ${q3.toFixed(3)})`
    })
    console.log(`${name}: ${ratios[0]}; an empty extension: ${ratios[1]}`)
  }
}

const folder = await mkdtemp(join(tmpdir(), 'routewright-policy-'))
const adapter = new PrismaLibSql({ url: `file:${join(folder, 'bench.db')}` })
const connection = await adapter.connect()
await connection.executeScript(await readFile(preparedFixture('bench', 'sqlite').tables, 'utf8'))
const orm = new PrismaClient({ adapter })
try {
  await fillDatabase(orm)
  await measure(orm)
} finally {
  await orm.$disconnect()
  await connection.dispose()
  await rm(folder, { recursive: true, force: true })
}
