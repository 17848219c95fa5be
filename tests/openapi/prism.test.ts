import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { type Example, examplesFor } from '../../demo/examples.js'
import { type DemoServer, serveBlog } from '../../demo/server.js'
import { commandsOf, curlRequest } from '../docs/support/shell.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { freePort } from '../support/servers/programs.js'
import { type Prism, startPrism } from './support/prism.js'
import { GENERATED, hasTools } from './support/tools.js'

const STYLES = ['rest', 'rpc'] as const
type Style = (typeof STYLES)[number]

/** What is said wrongly, where it stands in the text of the document, and by which of the demo's lines it is found out. */
const LIES: readonly (readonly [lie: string, style: Style, from: RegExp, to: string, title: string])[] = [
  [
    'slugs are numbers',
    'rest',
    /"slug":\{"description":"[^"]*","type":"string"/g,
    '"slug":{"type":"integer"',
    'REST: change a post',
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
        texts.set(style, await (await fetch(`${server.url}/api/${style}/openapi.json`)).text())
        prisms.set(style, await prismOf(style, texts.get(style) ?? ''))
      }
    })
    beforeEach(async () => {
      await db.fill(seedBlog)
      examples = await examplesFor(server.url, db.orm)
    })
    afterAll(async () => {
      for (const prism of prisms.values()) await prism.close()
      await server?.close()
    })

    it.runIf(hasTools)('has nothing to say against any of them', async () => {
      const answers = []
      for (const example of examples) answers.push(await answerTo(example, prisms))
      expect(answers).toEqual(examples.map(({ title, status }) => ({ title, status, violations: [] })))
    })

    it.runIf(hasTools).each(LIES)('tells that %s', async (_lie, style, from, to, title) => {
      const text = texts.get(style) ?? ''
      const lying = text.replace(from, to)
      expect(lying).not.toBe(text)
      const prism = await prismOf(style, lying)
      const example = examples.find((one) => one.title === title)
      if (!example) throw new Error(`The demo has no line "${title}".`)
      const { violations } = await answerTo(example, new Map([[style, prism]])).finally(() => prism.close())
      expect(violations).not.toEqual([])
    })

    async function prismOf(style: Style, text: string): Promise<Prism> {
      const file = join(GENERATED, `demo.${style}.json`)
      await writeFile(file, text)
      return startPrism(file, `${server.url}/api/${style}`)
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
