import { readFile } from 'node:fs/promises'

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hasBrowser, openBrowser } from '../support/browser.js'
import { type RunningExample, startExample } from './clone.js'

let example: RunningExample
let browser: Browser

/** A user's browser page, and the errors in its console. */
interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: string[]
}
let ada: Visitor
let cleo: Visitor

async function visit(): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 760 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    baseURL: example.url,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    // The browser logs each error response, which these tests cause on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { context, page, complaints }
}

async function logIn({ page }: Visitor, email: string, password = 'correct horse'): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Returns the titles in the list, in order. */
const titles = (page: Page) => page.locator('td.what a').allTextContents()

/** Waits until a text is visible. */
const waitForText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

describe.skipIf(!hasBrowser)('issue tracker in a browser', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    example = await startExample()
    browser = await openBrowser()
    ada = await visit()
    cleo = await visit()
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await example?.close()
  })

  it('prints the URL and an account at start', () => {
    expect(example.printed()).toContain(`The issue tracker: ${example.url}`)
    expect(example.printed()).toContain('ada@example.com')
  })

  it('rejects a wrong password and logs in two users', async () => {
    await logIn(ada, 'ada@example.com', 'wrong horse')
    await ada.page.getByRole('alert').waitFor()
    expect(await ada.page.getByRole('alert').textContent()).toBe(
      'There is no user with this email address and password.',
    )
    await logIn(ada, 'ada@example.com')
    await logIn(cleo, 'cleo@example.com')
    await waitForText(ada.page, 'Ada Moreau')
    await waitForText(cleo.page, 'Cleo Lindqvist')
    await ada.page.getByText('1–10 of 42').waitFor()
    await cleo.page.getByText('1–10 of 14').waitFor()
  })

  it('filters, searches, sorts and pages the list', async () => {
    const { page } = ada
    await page.getByRole('link', { name: 'Next →' }).click()
    await page.getByText('11–20 of 42').waitFor()
    await page.getByLabel('Status').selectOption('Done')
    await page.getByText('1–10 of 12').waitFor()
    expect(new Set(await page.locator('td .status').allTextContents())).toEqual(new Set(['Done']))
    await page.getByLabel('Project').selectOption('WEB · Web shop')
    await page.getByText('1–6 of 6').waitFor()
    await page.getByRole('link', { name: 'Issue', exact: true }).click()
    await page.locator('th[aria-sort=ascending]').waitFor()
    const isSorted = async () => {
      const now = await titles(page)
      return now.length === 6 && String(now) === String([...now].sort())
    }
    await expect.poll(isSorted).toBe(true)
    const up = await titles(page)
    await page.getByRole('link', { name: 'Issue', exact: true }).click()
    await expect.poll(() => titles(page)).toEqual([...up].reverse())
    // The URL contains the whole state, so the page can be shared and reloaded.
    await page.reload()
    await expect.poll(() => titles(page)).toEqual([...up].reverse())

    await page.goto('/')
    await page.getByLabel('Search').fill('VOUCHER')
    await page.getByText('1–2 of 2').waitFor()
    expect((await titles(page)).sort()).toEqual([
      'Refunds of vouchers are rounded twice',
      'Vouchers can be used from two tabs at once',
    ])
    await page.getByLabel('Search').fill('no such words')
    await waitForText(page, 'No issue fits.')
  })

  it('hides issues of other teams, in the API too', async () => {
    await cleo.page.goto('/?q=vouchers')
    await waitForText(cleo.page, 'No issue fits.')
    await cleo.page.goto('/issues/2')
    await waitForText(cleo.page, 'There is no such issue.')
    await cleo.page.goto('/issues/2/edit')
    await waitForText(cleo.page, 'There is no such issue.')
    const results = await cleo.page.evaluate(async () => {
      const { token } = JSON.parse(localStorage.getItem('tracker.session') ?? '{}')
      const headers = { Authorization: `Bearer ${token}` }
      const query = encodeURIComponent('{"where":{"id":2}}')
      const rest = await fetch('/api/rest/issue/2', { headers })
      const rpc = await fetch(`/api/rpc/issue/findUnique?q=${query}`, { headers })
      return [rest.status, (await rpc.json()).data]
    })
    expect(results).toEqual([404, null])
    await ada.page.goto('/issues/2')
    await ada.page.getByRole('heading', { name: 'Refunds of vouchers are rounded twice' }).waitFor()
  })

  it('shows errors of the server on form fields', async () => {
    const { page } = ada
    await page.goto('/issues/new')
    await page.getByLabel('Title').fill('Checkout is slow')
    // The page would not send this title.
    await page.route('**/api/rest/issue', (route) => {
      return route.continue({ postData: (route.request().postData() ?? '').replace('Checkout is slow', 'x') })
    })
    await page.getByRole('button', { name: 'Report it' }).click()
    await page.getByText('A title has three letters or more.').waitFor()
    expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true')
    await page.unroute('**/api/rest/issue')
  })

  it('validates a form before the request', async () => {
    const { page } = ada
    await page.goto('/issues/new')
    const writes: string[] = []
    page.on('request', (request) => request.method() === 'POST' && writes.push(request.url()))
    await page.getByLabel('Title').fill('x')
    await page.getByLabel('Description').fill('y'.repeat(10_001))
    await page.getByRole('button', { name: 'Report it' }).click()
    const title = page.getByLabel('Title')
    await page.getByText('A title has three letters or more.').waitFor()
    expect(await title.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Description').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Priority').getAttribute('aria-invalid')).toBe('false')
    const described = await title.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('A title has three letters or more.')
    await expect.poll(() => title.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(writes).toEqual([])
    await page.getByLabel('Description').fill('The page stays empty.')
    expect(await page.getByLabel('Description').getAttribute('aria-invalid')).toBe('false')
    await page.getByLabel('Project').selectOption('WEB · Web shop (Orchard)')
    await page.getByLabel('Priority').selectOption('High')
    await page.getByLabel('Due').fill('2026-07-01')
    await page.getByLabel('design').check()
    await title.fill('Checkout is empty after a reload')
    await page.getByRole('button', { name: 'Report it' }).click()
    await page.getByRole('heading', { name: 'Checkout is empty after a reload' }).waitFor()
    await waitForText(page, '1 Jul 2026')
    await waitForText(page, 'design')
    await page.getByRole('link', { name: 'Issues' }).first().click()
    await page.getByText('1–10 of 43').waitFor()
    expect((await titles(page))[0]).toBe('Checkout is empty after a reload')
  })

  it('shows a change optimistically and reverts it if the server rejects it', async () => {
    const { page } = ada
    await page.getByRole('link', { name: 'Checkout is empty after a reload' }).click()
    const status = page.getByLabel('Status')
    const mark = page.locator('.byline .status')
    const pending: (() => void)[] = []
    await page.route('**/api/rpc/issue/update', async (route) => {
      await new Promise<void>((resolve) => pending.push(resolve))
      await route.continue()
    })
    const release = async () => {
      await expect.poll(() => pending.length).toBe(1)
      pending.pop()?.()
    }
    // The issue has no assignee, so the server rejects the change.
    await status.selectOption('In progress')
    await expect.poll(() => mark.textContent()).toBe('In progress')
    await release()
    await waitForText(page, /Assign it to a member first/)
    await expect.poll(() => mark.textContent()).toBe('Open')
    expect(await status.inputValue()).toBe('OPEN')

    await page.getByLabel('Assignee').selectOption('Ben Okafor')
    await release()
    await page.getByText('changed assignee').waitFor()
    await status.selectOption('In progress')
    await expect.poll(() => mark.textContent()).toBe('In progress')
    await release()
    await page.getByText('changed status').waitFor()
    await page.unroute('**/api/rpc/issue/update')
    // The list uses the other style and is not stale, but contains the change.
    await page.getByRole('link', { name: 'Issues', exact: true }).first().click()
    const row = page.locator('tr', { hasText: 'Checkout is empty after a reload' })
    await expect.poll(() => row.locator('.status').textContent()).toBe('In progress')
    await row.getByRole('link').click()
    await page.reload()
    await expect.poll(() => mark.textContent()).toBe('In progress')
  })

  it('loads comments page by page and adds one', async () => {
    const { page } = ada
    await page.goto('/?q=VAT')
    await page.getByRole('link', { name: 'VAT is missing on shipping' }).click()
    const comments = page.locator('.comments li')
    await expect.poll(() => comments.count()).toBe(10)
    await page.getByRole('button', { name: 'Show older comments (15)' }).click()
    await expect.poll(() => comments.count()).toBe(20)
    await page.getByRole('button', { name: 'Show older comments (5)' }).click()
    await expect.poll(() => comments.count()).toBe(25)
    expect(await page.getByRole('button', { name: /Show older/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByText('Write something first.').waitFor()
    await page.getByLabel('Your comment').fill('I will look at it.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect.poll(() => comments.first().textContent()).toContain('I will look at it.')
    await comments.first().getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => comments.first().textContent()).not.toContain('I will look at it.')
  })

  it('closes an issue with a comment and shows errors of the route', async () => {
    const { page } = ada
    await page.goto('/?q=Checkout is empty')
    await page.getByRole('link', { name: 'Checkout is empty after a reload' }).click()
    const mark = page.locator('.byline .status')
    const comments = page.locator('.comments li')
    const close = page.getByRole('button', { name: 'Close with comment' })
    await close.click()
    await page.getByText('Write something first.').waitFor()
    expect(await mark.textContent()).toBe('In progress')
    await page.getByLabel('Your comment').fill('The cart is loaded again.')
    await close.click()
    // One request changes the issue, its comments and its history, which other queries have loaded.
    await expect.poll(() => mark.textContent()).toBe('Done')
    await expect.poll(() => comments.first().textContent()).toContain('The cart is loaded again.')
    await page.locator('.history').getByText('added a comment').waitFor()
    expect(await page.getByLabel('Your comment').inputValue()).toBe('')
    await close.waitFor({ state: 'detached' })
    await page.reload()
    await expect.poll(() => mark.textContent()).toBe('Done')
    await page.getByLabel('Status').selectOption('In progress')
    await expect.poll(() => mark.textContent()).toBe('In progress')
    await close.waitFor()
  })

  it('stores a file byte for byte and rejects one above 64 kB', async () => {
    const { page } = ada
    const buffer = Buffer.from(Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) % 256))
    const input = page.getByLabel(/Add a file/)
    await input.setInputFiles({
      name: 'too-large.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(65_537),
    })
    await waitForText(page, 'A file has 64 kB at most.')
    await input.setInputFiles({ name: 'bytes.bin', mimeType: 'application/octet-stream', buffer })
    const file = page.getByRole('button', { name: 'bytes.bin', exact: true })
    await file.waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    expect(download.suggestedFilename()).toBe('bytes.bin')
    expect(await readFile(await download.path())).toEqual(buffer)
    await page.getByRole('button', { name: 'Remove bytes.bin' }).click()
    await file.waitFor({ state: 'detached' })
  })

  it('archives and restores an issue', async () => {
    const { page } = ada
    await page.goto('/?q=Checkout')
    await page.getByRole('link', { name: 'Checkout is empty' }).click()
    const address = page.url()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('1–10 of 42').waitFor()
    await page.goto(address)
    await waitForText(page, 'There is no such issue.')
    await cleo.page.goto('/archive')
    await waitForText(cleo.page, 'Nothing was archived.')
    await page.getByRole('link', { name: 'Archive' }).click()
    await page.getByText('Checkout is empty after a reload').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await waitForText(page, 'Nothing was archived.')
    await page.goto(address)
    await page.getByText('restored it').waitFor()
    await page.getByText('archived it').waitFor()
    // The notification has an undo button.
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1–10 of 43').waitFor()
  })

  it('requires a login after logout and after an invalid token', async () => {
    const { page } = ada
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Password').waitFor()
    await page.goto('/issues/2')
    await page.getByLabel('Password').waitFor()
    await logIn(ada, 'dan@example.com')
    await page.getByText('1–10 of 14').waitFor()
    // An invalid token ends the session.
    await page.evaluate(() => localStorage.setItem('tracker.session', '{"token":"x","userId":1}'))
    await page.goto('/')
    await page.getByLabel('Password').waitFor()
  })

  it('fits on a phone without horizontal scrolling', async () => {
    const { page } = cleo
    await page.setViewportSize({ width: 390, height: 780 })
    for (const path of ['/', '/issues/new', '/archive', '/issues/56']) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      await page.waitForLoadState('networkidle')
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wide, path).toBe(0)
    }
  })

  it('logs no errors in the browser console', () => {
    expect([...ada.complaints, ...cleo.complaints]).toEqual([])
  })
})
