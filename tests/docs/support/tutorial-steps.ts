import assert from 'node:assert/strict'

import type { Browser, Page } from 'playwright-core'

import { isObject } from '../../../runtime/values/is-object.js'
import { type Block, BLOCKS, formatLocation, pageOf } from './pages.js'
import { commandsOf } from './shell.js'
import type { AppResponse, TutorialApp } from './tutorial-app.js'

const PAGE = pageOf('docs/tutorial.md')

/** A section of the page with its blocks in order. */
export interface Step {
  readonly title: string
  readonly blocks: readonly Block[]
}

/** Logs in on the web page of the app, and waits for the list of issues. */
export async function openIssueList(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 760, height: 420 } })
  await page.goto(url)
  await page.getByPlaceholder('Token').fill('ada-token')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Prices are rounded twice').waitFor()
  return page
}

/** Returns the sections of the page that have blocks. The blocks above the first one are the step "Start". */
export function stepsOf(): Step[] {
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

/**
 * Writes the files of a step, runs its commands, and compares outputs and responses.
 * @param onCommand receives each command and request with its duration in milliseconds
 * @throws AssertionError if a result differs from the page
 */
export async function follow(
  app: TutorialApp,
  { blocks }: Step,
  onCommand: (words: readonly string[], duration: number) => void = () => {},
): Promise<void> {
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
      assert.equal(response?.status, Number(parameter), `${at}: ${response?.text}`)
      const expected: unknown = JSON.parse(block.text)
      const actual = masked(JSON.parse(response?.text ?? ''), expected)
      assert.deepEqual(actual, expected, `${at}: ${JSON.stringify(actual, null, 2)}`)
    } else {
      assert.match(action, /^(run|start|request)$/, at)
      for (const words of commandsOf(block.text)) {
        const start = performance.now()
        if (action === 'request') response = await app.curl(words)
        else {
          const result = await app.run(words)
          assert.equal(result.code, Number(parameter), `${at}: ${words.join(' ')}\n${result.output}`)
          output = result.output
        }
        onCommand(words, performance.now() - start)
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
    assert.ok(found >= 0, `${at}: "${wanted}" is missing in:\n${lines.slice(from).join('\n')}`)
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
