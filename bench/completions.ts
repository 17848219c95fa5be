/**
 * Measures the latency of editor completions in calls of the typed clients and of a `PrismaClient`, on a schema of 100 models with a custom
 * route each. Sends the same `tsserver` requests as editors do. Each request changes the file and completes a model that was not completed
 * before, so that nothing is cached. The first request also loads the project and is not counted.
 *
 *     npm run bench:completions [-- --models 100]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ROOT } from '../scripts/prepare-fixtures.js'
import { declareForAll, prepareLarge } from './prepare/large.js'

/** The typed text. `|` is the cursor, and `M` a model that was not completed before. */
const TYPED_TEXTS = {
  'the models': 'client.|',
  'the operations of a model': 'client.M.|',
  'the arguments of findMany': 'client.M.findMany({ | })',
  'the fields of a condition': 'client.M.findMany({ where: { | } })',
  'a condition on a relation': 'client.M.findMany({ where: { owner: { | } } })',
  'what is selected of a relation': 'client.M.findMany({ select: { owner: { select: { | } } } })',
  'the data of a create': 'client.M.create({ data: { | } })',
  'the members of a result': '(await client.M.findFirstOrThrow({ include: { owner: true } })).|',
}

/** Texts with a client that also has the custom routes. */
const TYPED_ROUTES = {
  rpc: {
    'the models': 'client.|',
    'the operations and routes of a model': 'client.M.|',
    'the arguments of a route': 'client.M.confirm({ | })',
    'the members of its result': '(await client.M.confirm({ id: 1, note: "" }))?.|',
    'the fields of a condition': 'client.M.findMany({ where: { | } })',
  },
  rest: {
    'the models': 'client.|',
    'the operations and routes of a model': 'client.M.|',
    'the body of a route': 'client.M.confirm(1, { | })',
    'the members of its result': '(await client.M.confirm(1, { note: "" }))?.|',
    'the fields of a condition': 'client.M.list({ filter: { | } })',
  },
}

/** The start of a file with each client. */
const PREAMBLES = {
  prisma: `import type { PrismaClient } from './client/client.js'
declare const client: PrismaClient`,
  rpc: `import { createRpcClient } from '${join(ROOT, 'client/dist/index.js')}'
import type { Api } from './routes/client.js'
const client = createRpcClient<Api>({ url: '/api' })`,
}

/** The start of a file with each client and the custom routes. */
const ROUTE_PREAMBLES = {
  rpc: `import { createRpcClient, withRpcRoutes } from '${join(ROOT, 'client/dist/index.js')}'
import type { Api } from './routes/client.js'
import { declarations } from './declarations.js'
const client = withRpcRoutes(createRpcClient<Api>({ url: '/api' }), declarations)`,
  rest: `import { createRestClient, withRestRoutes } from '${join(ROOT, 'client/dist/index.js')}'
import type { Api } from './routes/client.js'
import { declarations } from './declarations.js'
const client = withRestRoutes(createRestClient<Api>({ url: '/api' }), declarations)`,
}

/** A response of tsserver. */
interface CompletionResponse {
  readonly body?: { readonly entries?: readonly { readonly name: string }[] }
}

/** Starts tsserver and sends requests to it. */
function editor(): {
  send(command: string, args: object): Promise<CompletionResponse>
  notify(command: string, args: object): void
} & {
  readonly process: ChildProcess
} {
  const server = join(ROOT, 'node_modules/typescript-5.9/lib/tsserver.js')
  const process = spawn(globalThis.process.execPath, [server, '--disableAutomaticTypingAcquisition'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (response: CompletionResponse) => void>()
  let seq = 0
  let text = ''
  process.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines.filter((one) => one.startsWith('{'))) {
      const message: { type: string; request_seq?: number } & CompletionResponse = JSON.parse(line)
      if (message.type === 'response') waiting.get(message.request_seq ?? 0)?.(message)
    }
  })
  const notify = (command: string, args: object): void => {
    process.stdin.write(`${JSON.stringify({ seq: ++seq, type: 'request', command, arguments: args })}\n`)
  }
  return {
    process,
    notify,
    send: (command, args) =>
      new Promise((resolve) => {
        waiting.set(seq + 1, resolve)
        notify(command, args)
      }),
  }
}

const { values } = parseArgs({ options: { models: { type: 'string', default: '100' } } })
const { folder, delegates } = prepareLarge(Number(values.models), 'postgresql', ['customRoutes'])
const { send, notify, process: server } = editor()
try {
  const file = join(folder, 'page.ts')
  let requestCount = 0
  const measureCompletion = async (preamble: string, typed: string): Promise<number> => {
    const line = typed.replace('M', delegates[requestCount++ % delegates.length] ?? '')
    const start = 'export const page = async () => '
    notify('open', { file, fileContent: `${preamble}\n${start}${line.replace('|', '')}\n` })
    const before = performance.now()
    const position = { line: preamble.split('\n').length + 1, offset: start.length + line.indexOf('|') + 1 }
    const { body } = await send('completionInfo', { file, ...position })
    if (!body?.entries?.length) throw new Error(`Nothing is proposed in ${line}`)
    return performance.now() - before
  }
  const medianOf = async (preamble: string, typed: string): Promise<number> => {
    const each: number[] = []
    for (let round = 0; round < 5; round++) each.push(await measureCompletion(preamble, typed))
    return Math.round(each.toSorted((a, b) => a - b)[2] ?? 0)
  }
  writeFileSync(file, '')
  writeFileSync(join(folder, 'declarations.ts'), declareForAll(delegates))
  console.log(`${values.models} models, the middle one of five`)
  for (const preamble of Object.values(PREAMBLES)) await measureCompletion(preamble, 'client.|')
  for (const [name, typed] of Object.entries(TYPED_TEXTS)) {
    const times: string[] = []
    for (const [client, preamble] of Object.entries(PREAMBLES)) {
      times.push(`${client} ${await medianOf(preamble, typed)} ms`)
    }
    console.log(`  ${name}: ${times.join(', ')}`)
  }
  console.log('with a custom route for each model')
  for (const client of ['rpc', 'rest'] as const) {
    await measureCompletion(ROUTE_PREAMBLES[client], 'client.|')
    for (const [name, typed] of Object.entries(TYPED_ROUTES[client])) {
      console.log(`  ${name}: ${client} ${await medianOf(ROUTE_PREAMBLES[client], typed)} ms`)
    }
  }
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}
