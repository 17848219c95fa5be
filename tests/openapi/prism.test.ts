import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { type Example, examplesFor } from '../../demo/examples.js'
import { type DemoServer, serveBlog } from '../../demo/server.js'
import { commandsOf, curlRequest } from '../docs/support/shell.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { freePort } from '../support/servers/programs.js'
import { forPrism, writtenOut } from './support/for-prism.js'
import { type Prism, startPrism } from './support/prism.js'
import { GENERATED, hasTools } from './support/tools.js'

const STYLES = ['rest', 'rpc'] as const
type Style = (typeof STYLES)[number]

/** The operations in the demo's commands. */
const REQUESTED_METHODS = {
  rest: {
    '/comment/{id}': ['get'],
    '/post': ['get', 'post'],
    '/post/{id}': ['patch'],
    '/post/{id}/publish': ['post'],
    '/post/{id}/relationships/author': ['patch'],
    '/post/{id}/relationships/tags': ['post'],
    '/user': ['post'],
    '/user/{id}': ['get'],
    '/user/{id}/posts': ['get'],
  },
  rpc: {
    '/category/findUnique': ['get'],
    '/comment/delete': ['delete'],
    '/post/findMany': ['get'],
    '/post/groupBy': ['get'],
    '/post/publish': ['post'],
    '/post/update': ['patch'],
    '/user/create': ['post'],
  },
} as const

/** Wrong statements in the document: the original text, its replacement, and the demo command that reveals it. */
const MUTATIONS: readonly (readonly [lie: string, style: Style, from: RegExp, to: string, title: string])[] = [
  [
    'total typed as string',
    'rest',
    /"total":\{"type":"integer"/g,
    '"total":{"type":"string"',
    'REST: the posts of a user',
  ],
  [
    'missing request media type',
    'rest',
    /"requestBody":\{"required":true,"content":\{"[^"]+"/g,
    '"requestBody":{"required":true,"content":{"text/plain"',
    'REST: change a post',
  ],
  [
    'row count typed as string',
    'rpc',
    /"_count":\{"anyOf":\[\{"type":"integer"\}/g,
    '"_count":{"anyOf":[{"type":"string"}',
    'RPC: groupBy',
  ],
]

describeDatabases(
  'OpenAPI: Prism between the demo requests and the blog',
  (db) => {
    let server: DemoServer
    let examples: readonly Example[]
    const texts = new Map<Style, string>()
    const prisms = new Map<Style, Prism>()

    beforeAll(async () => {
      await db.fill(seedBlog)
      server = await serveBlog(db.orm, await freePort())
      await mkdir(GENERATED, { recursive: true })
      for (const style of STYLES) {
        const document = await (await fetch(`${server.url}/api/${style}/openapi.json`)).json()
        texts.set(
          style,
          JSON.stringify(
            style === 'rest' ? writtenOut(document, REQUESTED_METHODS.rest) : forPrism(document, REQUESTED_METHODS.rpc),
          ),
        )
        prisms.set(style, await prismOf(style, texts.get(style) ?? ''))
      }
    }, 300_000)
    beforeEach(async () => {
      await db.fill(seedBlog)
      examples = await examplesFor(server.url, db.orm)
    })
    afterAll(async () => {
      for (const prism of prisms.values()) await prism.close()
      await server?.close()
    })

    it.runIf(hasTools)('reports no violation for the valid demo requests and their responses', async () => {
      const right = examples.filter(({ status }) => status !== 422)
      expect(right).toHaveLength(examples.length - 1)
      expect(right.map(({ status }) => status)).toContain(409)
      const results = []
      for (const example of right) results.push(await sendThroughPrism(example, prisms))
      expect(results).toEqual(right.map(({ title, status }) => ({ title, status, violations: [] })))
    })

    it.runIf(hasTools)('reports the invalid demo request, but no violation in its 422 response', async () => {
      const wrong = exampleOf('REST: values that break the validation rules')
      const { status, violations } = await sendThroughPrism(wrong, prisms)
      expect(status).toBe(422)
      for (const name of ['email', 'password']) expect(JSON.stringify(violations)).toContain(`"attributes","${name}"]`)
      const prism = await prismOf('rest', texts.get('rest') ?? '', '--validate-request=false')
      const result = await sendThroughPrism(wrong, new Map([['rest', prism]])).finally(() => prism.close())
      expect(result).toEqual({ title: wrong.title, status: 422, violations: [] })
    })

    it.runIf(hasTools).each(MUTATIONS)('%s: reports a violation', async (_mutation, style, from, to, title) => {
      const text = texts.get(style) ?? ''
      const lying = text.replace(from, to)
      expect(lying).not.toBe(text)
      const prism = await prismOf(style, lying)
      const { violations } = await sendThroughPrism(exampleOf(title), new Map([[style, prism]])).finally(() =>
        prism.close(),
      )
      expect(violations).not.toEqual([])
    })

    function exampleOf(title: string): Example {
      const example = examples.find((one) => one.title === title)
      if (!example) throw new Error(`The demo has no line "${title}".`)
      return example
    }

    async function prismOf(style: Style, text: string, ...options: readonly string[]): Promise<Prism> {
      const file = join(GENERATED, `demo.${style}.json`)
      await writeFile(file, text)
      return startPrism(file, `${server.url}/api/${style}`, ...options)
    }

    /** Sends a command of the demo through Prism. */
    async function sendThroughPrism({ title, curl }: Example, through: ReadonlyMap<Style, Prism>) {
      const [words = []] = commandsOf(curl)
      const { url, init } = curlRequest(words)
      const style = STYLES.find((one) => url.startsWith(`${server.url}/api/${one}/`))
      const prism = through.get(style ?? 'rest')
      if (!prism) throw new Error(`${url} is not asked through Prism.`)
      const response = await fetch(url.replace(`${server.url}/api/${style}`, prism.url), init)
      return { title, status: response.status, violations: violationsIn(response, await response.text()) }
    }
  },
  { only: ['SQLite'] },
)

/** Returns the violations that Prism reports in a header, or in its own response. */
function violationsIn({ headers }: Response, text: string): readonly unknown[] {
  const violations = headers.get('sl-violations')
  if (violations !== null) return JSON.parse(violations) as unknown[]
  return text.includes('stoplight.io/prism/errors') ? [JSON.parse(text)] : []
}
