import path from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { isObject } from '../../runtime/values/is-object.js'
import { hasBrowser, openBrowser } from '../support/browser.js'
import { type Block, BLOCKS, formatLocation, pageOf, ROOT } from './support/pages.js'
import { commandsOf } from './support/shell.js'
import { type AppResponse, makeTutorialApp } from './support/tutorial-app.js'

const PAGE = pageOf('docs/tutorial.md')

/** A section of the page with its blocks in order. */
interface Step {
  readonly title: string
  readonly blocks: readonly Block[]
}

const app = await makeTutorialApp()
afterAll(() => app.close())

describe('docs tutorial', { timeout: 300_000 }, () => {
  let failed: string | undefined

  it.each(stepsOf().map((step) => [step.title, step] as const))('%s', async (title, step) => {
    // Each step continues the one before it.
    if (failed !== undefined) expect.fail(`Not run, because this step failed: ${failed}`)
    failed = title
    await follow(step)
    await CHECKS[title]?.()
    // The page does not run the compiler, so that a step is short. The files of each step compile.
    if (title !== 'Start') expect(await app.run(['npx', 'tsc'])).toEqual({ code: 0, output: '' })
    failed = undefined
  })

  it('has twelve numbered steps and a check for each page that the reader opens', () => {
    const numbered = stepsOf().filter(({ title }) => /^\d/.test(title))
    expect(numbered.map(({ title }) => Number.parseInt(title))).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    expect(Object.keys(CHECKS).filter((title) => !numbered.some((step) => step.title === title))).toEqual([])
  })
})

/** Checks of the pages that the reader opens in a browser. */
const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  async '9. Document the API'() {
    const response = await fetch(`${await app.url()}/api/rest/docs`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<title>Issue tracker</title>')
  },
  async '10. Add a web page'() {
    const url = await app.url()
    const html = await (await fetch(url)).text()
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec(html) ?? []
    expect((await fetch(url + script)).status).toBe(200)
    if (!hasBrowser) return
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 760, height: 420 } })
      await page.goto(url)
      await page.getByPlaceholder('Token').fill('ada-token')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Prices are rounded twice').waitFor()
      expect(await page.getByRole('listitem').allTextContents()).toEqual([
        'WEB-1: Cart is empty after login (Ada) Close',
        'WEB-3: Prices are rounded twice (Ada) Close',
        'WEB-6: Search is slow (Ben) Close',
        'WEB-2: Add a dark theme (Ben) Close',
      ])
      await page.getByRole('listitem').filter({ hasText: 'WEB-3' }).getByRole('button').click()
      await page.getByText('Add a comment before you close the issue.').waitFor()
      if (process.env['WRITE_PICTURES'])
        await page.screenshot({ path: path.join(ROOT, 'docs/images/tutorial-page.png') })
      await page.getByPlaceholder('Title').fill('?')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText('Too small: expected string to have >=3 characters').waitFor()
      await page.getByPlaceholder('Title').fill('Newsletter')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText('Newsletter (Ada)').waitFor()
    } finally {
      await browser.close()
    }
  },
}

/** Returns the sections of the page that have blocks. The blocks above the first one are the step "Start". */
function stepsOf(): Step[] {
  const blocks = BLOCKS.filter(({ page }) => page === PAGE.name)
  const headings = PAGE.text
    .split('\n')
    .flatMap((text, at) => (text.startsWith('## ') ? [{ title: text.slice(3), line: at + 1 }] : []))
  return [{ title: 'Start', line: 0 }, ...headings].flatMap(({ title, line }, at, all) => {
    const end = all[at + 1]?.line ?? Infinity
    const within = blocks.filter((block) => block.line > line && block.line < end)
    return within.length === 0 ? [] : [{ title, blocks: within }]
  })
}

/** Writes the files of a step, runs its commands, and compares outputs and responses. */
async function follow({ blocks }: Step): Promise<void> {
  let output = ''
  let response: AppResponse | undefined
  for (const block of blocks) {
    const [, kind = '', argument = ''] = /^(tutorial|step): (.+)$/.exec(block.marker) ?? []
    const [action = '', parameter = ''] = kind === 'tutorial' ? ['file', argument] : argument.split(/,? (?:exit )?/)
    const at = formatLocation(block)
    if (action === 'file') app.write(parameter, block.text)
    else if (action === 'edit') app.editSchema(parameter, block.text)
    else if (action === 'output') expectLines(output, block.text, at)
    else if (action === 'response') {
      expect(response?.status, `${at}: ${response?.text}`).toBe(Number(parameter))
      const expected: unknown = JSON.parse(block.text)
      expect(masked(JSON.parse(response?.text ?? ''), expected), at).toEqual(expected)
    } else {
      expect(action, at).toMatch(/^(run|start|request)$/)
      for (const words of commandsOf(block.text)) {
        if (action === 'request') response = await app.curl(words)
        else {
          const result = await app.run(words)
          expect(result.code, `${at}: ${words.join(' ')}\n${result.output}`).toBe(Number(parameter))
          output = result.output
        }
      }
    }
  }
}

/** Expects the lines of the page in the output, in this order. `…` matches any text within a line; a line with only `…` matches any lines. */
function expectLines(output: string, text: string, at: string): void {
  const lines = output.split('\n').map((line) => line.trim())
  let from = 0
  for (const line of text.trim().split('\n')) {
    const wanted = line.trim()
    if (wanted === '…') continue
    const found = lines.findIndex((each, index) => index >= from && matches(each, wanted))
    expect(found, `${at}: "${wanted}" is missing in:\n${lines.slice(from).join('\n')}`).toBeGreaterThanOrEqual(0)
    from = found + 1
  }
}

/** Returns a value of a response in which `…` replaces everything that the page replaces by `…`. */
function masked(actual: unknown, expected: unknown): unknown {
  if (expected === '…') return expected
  if (typeof actual === 'string' && typeof expected === 'string') return matches(actual, expected) ? expected : actual
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((each, at) => masked(each, expected[at]))
  if (isObject(actual) && isObject(expected)) {
    return Object.fromEntries(Object.entries(actual).map(([key, value]) => [key, masked(value, expected[key])]))
  }
  return actual
}

function matches(actual: string, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(actual)
}
