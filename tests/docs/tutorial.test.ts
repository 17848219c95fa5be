import path from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { hasBrowser, openBrowser } from '../support/browser.js'
import { ROOT } from './support/pages.js'
import { makeTutorialApp } from './support/tutorial-app.js'
import { follow, openIssueList, stepsOf } from './support/tutorial-steps.js'

const app = await makeTutorialApp()
afterAll(() => app.close())

describe('docs tutorial', { timeout: 300_000 }, () => {
  let failed: string | undefined

  it.each(stepsOf().map((step) => [step.title, step] as const))('%s', async (title, step) => {
    // Each step continues the one before it.
    if (failed !== undefined) expect.fail(`Not run, because this step failed: ${failed}`)
    failed = title
    await follow(app, step)
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
      const page = await openIssueList(browser, url)
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
