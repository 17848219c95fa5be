/**
 * Measures the overhead of access policies for a list: `policy.js <database url> <rounds> <result file>`. Sends the same request to the same
 * routes with the plain client and with clients that are bound to an ability, either cached or created per request. An empty extension,
 * also created per request, shows Prisma's share of the overhead.
 */
import { writeFileSync } from 'node:fs'

import { RestApiHandler, RPCApiHandler } from '../../fixtures/bench/expected/index.js'
import type { Orm } from '../contenders/contender.js'
import { createAbility, type Rules, withAbility } from '../contenders/policies.js'
import { pairedRatio } from '../measure.js'
import type { PolicyRow } from '../report/results.js'
import { createBatch, warmUp } from './batch.js'
import { openOrm } from './contenders.js'
import { toRequest } from './request.js'
import { interleave } from './samples.js'

type Handler = ReturnType<typeof RPCApiHandler>
type Call = (client: Orm) => Promise<Response>

const EMPTY = {
  query: {
    $allModels: { $allOperations: ({ args, query }: { args: never; query(args: never): unknown }) => query(args) },
  },
} as object
const OPEN_RULES: Rules = [{ action: 'read', subject: 'all' }]
const AUTHOR_RULES: Rules = [{ action: 'read', subject: 'Post', conditions: { authorId: 7 } }]

const [url = '', rounds = '', file = ''] = process.argv.slice(2)
const orm = openOrm(url)
const call =
  (handler: Handler, path: string): Call =>
  (client) =>
    handler.fetch(toRequest({ method: 'GET', path }), { getOrm: () => client })
const rest = RestApiHandler({ endpoint: 'http://localhost' })
const rpc = RPCApiHandler()
const query = (args: object) => `/post/findMany?q=${encodeURIComponent(JSON.stringify(args))}`
const lists: Readonly<Record<string, readonly [list: Call, filtered: Call]>> = {
  'REST list': [call(rest, '/post?page[limit]=20'), call(rest, '/post?page[limit]=20&filter[authorId]=7')],
  'RPC findMany': [call(rpc, query({ take: 20 })), call(rpc, query({ take: 20, where: { authorId: 7 } }))],
}

const rows: PolicyRow[] = []
for (const [name, [list, filtered]] of Object.entries(lists)) {
  for (const [condition, rules, withoutRules] of [
    ['no conditions', OPEN_RULES, list],
    ['rule on an indexed column', AUTHOR_RULES, filtered],
  ] as const) {
    const ability = createAbility(rules)
    const clients = {
      'cached ability': () => withAbility(orm, ability),
      'new ability per request': () => withAbility(orm, createAbility(rules)),
    }
    for (const [kind, client] of Object.entries(clients)) {
      rows.push(await measure(`${name}, ${condition}, ${kind}`, withoutRules, () => list(client())))
      process.stderr.write('.')
    }
  }
}
writeFileSync(file, JSON.stringify(rows))
process.exit(0)

async function measure(name: string, without: Call, withRules: () => Promise<Response>): Promise<PolicyRow> {
  const contenders = {
    without: () => without(orm),
    empty: () => without(orm.$extends(EMPTY) as unknown as Orm),
    rules: withRules,
  }
  const batches = []
  for (const [contender, fetch] of Object.entries(contenders)) {
    const batch = createBatch(
      () => async () => {
        const response = await fetch()
        const text = await response.text()
        if (!response.ok) throw new Error(text)
      },
      '',
    )
    const size = await warmUp(batch)
    batches.push({ contender, batch: () => batch(size) })
  }
  const samples = await interleave(batches, Number(rounds))
  const cpu = (contender: keyof typeof contenders) => samples.find((one) => one.contender === contender)?.cpu ?? []
  return {
    list: name,
    rules: pairedRatio(cpu('rules'), cpu('without')),
    emptyExtension: pairedRatio(cpu('empty'), cpu('without')),
  }
}
