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

/** What the demo's lines ask. */
const ASKED = {
  rest: {
    '/comment/{id}': ['get'],
    '/post': ['get', 'post'],
    '/post/{id}': ['patch'],
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
    '/post/update': ['patch'],
    '/user/create': ['post'],
  },
} as const

/** What is said wrongly, what stands there in the document, and by which of the demo's lines it is found out. */
const LIES: readonly (readonly [lie: string, style: Style, from: RegExp, to: string, title: string])[] = [
  ['a total is a text', 'rest', /"total":\{"type":"integer"/g, '"total":{"type":"string"', 'REST: the posts of a user'],
  [
    'a body has no such media type',
    'rest',
    /"requestBody":\{"required":true,"content":\{"[^"]+"/g,
    '"requestBody":{"required":true,"content":{"text/plain"',
    'REST: change a post',
  ],
  [
    'a count of rows is a text',
    'rpc',
    /"_count":\{"anyOf":\[\{"type":"integer"\}/g,
    '"_count":{"anyOf":[{"type":"string"}',
    'RPC: groupBy',
  ],
]

describeDatabases(
  'OpenAPI: Prism between the lines of the demo and the blog',
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
          JSON.stringify(style === 'rest' ? writtenOut(document, ASKED.rest) : forPrism(document, ASKED.rpc)),
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

    it.runIf(hasTools)('has nothing to say against those that are right, nor against their answers', async () => {
      const right = examples.filter(({ status }) => status < 400)
      expect(right).toHaveLength(examples.length - 1)
      const answers = []
      for (const example of right) answers.push(await answerTo(example, prisms))
      expect(answers).toEqual(right.map(({ title, status }) => ({ title, status, violations: [] })))
    })

    it.runIf(hasTools)('refuses the one that is wrong where the blog does, whose answer is as described', async () => {
      const wrong = exampleOf("REST: what the schema's rules forbid")
      const { status, violations } = await answerTo(wrong, prisms)
      expect(status).toBe(422)
      for (const name of ['email', 'password']) expect(JSON.stringify(violations)).toContain(`"attributes","${name}"]`)
      const prism = await prismOf('rest', texts.get('rest') ?? '', '--validate-request=false')
      const answer = await answerTo(wrong, new Map([['rest', prism]])).finally(() => prism.close())
      expect(answer).toEqual({ title: wrong.title, status: 422, violations: [] })
    })

    it.runIf(hasTools).each(LIES)('tells that %s', async (_lie, style, from, to, title) => {
      const text = texts.get(style) ?? ''
      const lying = text.replace(from, to)
      expect(lying).not.toBe(text)
      const prism = await prismOf(style, lying)
      const { violations } = await answerTo(exampleOf(title), new Map([[style, prism]])).finally(() => prism.close())
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

    /** Sends a line of the demo through Prism. */
    async function answerTo({ title, curl }: Example, through: ReadonlyMap<Style, Prism>) {
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

/** What Prism says of an answer: in a header, or in place of it. */
function violationsIn({ headers }: Response, text: string): readonly unknown[] {
  const said = headers.get('sl-violations')
  if (said !== null) return JSON.parse(said) as unknown[]
  return text.includes('stoplight.io/prism/errors') ? [JSON.parse(text)] : []
}
