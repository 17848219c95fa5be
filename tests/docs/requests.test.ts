import { Hono } from 'hono'
import { beforeEach, describe, expect, it } from 'vitest'

import { openApiWithRoutes } from '@routewright/runtime/openapi'

import { withExcerpt } from '../../demo/excerpt.js'
import { routes } from '../../demo/custom-routes.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { blockAbove, blocksOfKind, kindOf } from './support/kinds.js'
import { BLOCKS, type Block, PAGES, formatLocation } from './support/pages.js'
import { commandsOf, curlRequest } from './support/shell.js'

/** The URL of the blog under `npm run demo`. */
const DEMO = 'http://localhost:3000'

describeDatabases(
  'docs requests, sent to the demo',
  (db) => {
    beforeEach(async () => {
      await db.fill(seedBlog)
    })

    const pages = PAGES.filter(({ name }) => blocksOfKind('requests').some(({ page }) => page === name))
    it.each(pages.map(({ name }) => name))('%s: returns the documented responses', async (name) => {
      const app = new Hono()
      const orm = withExcerpt(db.orm)
      const getOrm = () => orm
      const computed = db.routes.exposeComputed(orm, { Post: ['excerpt'] })
      const openapi = openApiWithRoutes({ info: { title: 'Blog', version: '1.0.0' } })
      const rest = db.routes.RestApiHandler({
        endpoint: `${DEMO}/api/rest`,
        computed,
        routes,
        atomicOperations: true,
        openapi,
      })
      const rpc = db.routes.RPCApiHandler({ computed, routes, transactions: true, openapi })
      app.route('/api/rest', db.hono.createHonoHandler({ getOrm, handler: rest }))
      app.route('/api/rpc', db.hono.createHonoHandler({ getOrm, handler: rpc }))

      let last: TestResponse | undefined
      for (const block of BLOCKS.filter(({ page }) => page === name)) {
        const kind = kindOf(block)
        if (kind === 'requests') last = await sendAll(block, app)
        if (kind === 'answer') {
          expect(last, `${formatLocation(block)} answers nothing`).toBeDefined()
          expectToContain(last?.body, JSON.parse(block.text), formatLocation(block))
        }
      }
    })
  },
  { only: ['SQLite'] },
)

describe('docs responses', () => {
  it('follow their requests', () => {
    const lost = blocksOfKind('answer').filter((block) => {
      const above = blockAbove(block)
      return !above || kindOf(above) !== 'requests'
    })
    expect(lost.map(formatLocation)).toEqual([])
  })
})

interface TestResponse {
  readonly status: number
  readonly body: unknown
}

/** Sends the requests of a block. Each must succeed, except the last one if the block below has another status. */
async function sendAll(block: Block, app: Hono): Promise<TestResponse | undefined> {
  const below = BLOCKS[BLOCKS.indexOf(block) + 1]
  const wanted = below?.page === block.page ? /^answer: (\d+)$/.exec(below.marker)?.[1] : undefined
  let lastResponse: TestResponse | undefined
  const commands = commandsOf(block.text)
  for (const [index, words] of commands.entries()) {
    expect(words[0], `${formatLocation(block)}: only curl stands here`).toBe('curl')
    const { url, init } = curlRequest(words)
    expect(url.startsWith(`${DEMO}/api/`), `${formatLocation(block)}: ${url} is not the demo's`).toBe(true)
    const response = await app.request(new Request(url, init))
    const text = await response.text()
    const where = `${formatLocation(block)}: ${init.method} ${url}\n${text}`
    if (wanted !== undefined && index === commands.length - 1) expect(response.status, where).toBe(Number(wanted))
    else expect(response.ok, where).toBe(true)
    lastResponse = { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return lastResponse
}

/** Expects the documented members of a response. Members may be missing on the page, and the text `…` matches any value. */
function expectToContain(actual: unknown, expected: unknown, at: string): void {
  if (expected === '…') return
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const rest = expected.at(-1) === '…'
    const wanted = rest ? expected.slice(0, -1) : expected
    if (!rest) expect(actual.length, `${at} in ${JSON.stringify(actual)}`).toBe(wanted.length)
    for (const [index, each] of wanted.entries()) expectToContain(actual[index], each, `${at}[${index}]`)
  } else if (isObject(expected) && isObject(actual)) {
    for (const [key, each] of Object.entries(expected)) expectToContain(actual[key], each, `${at}.${key}`)
  } else {
    expect(actual, at).toEqual(expected)
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
