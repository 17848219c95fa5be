import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { SIDEBAR } from '../../docs/.vitepress/sidebar.js'
import { hasBrowser, openBrowser } from '../support/browser.js'
import { isLong } from '../support/form.js'
import { hasVitePress, type RunningSite, startSite } from './support/site.js'

if (!hasVitePress)
  process.stdout.write('docs/node_modules is missing: the site is not tested. Run `npm ci --prefix docs`.\n')

/** The pages of the site. */
const PATHS = ['/', ...SIDEBAR.flatMap(({ items }) => items.map(({ link }) => link))]

const VIEWPORTS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

describe.skipIf(!hasBrowser || !hasVitePress || !isLong)('docs site', () => {
  let site: RunningSite
  let browser: Browser
  beforeAll(async () => {
    site = await startSite()
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  /** Opens a page of the browser. `problems` collects errors, missing files and requests to other servers. */
  const open = async (viewport: keyof typeof VIEWPORTS) => {
    const problems: string[] = []
    const page = await browser.newPage({ viewport: VIEWPORTS[viewport] })
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('response', (response) => response.status() >= 400 && problems.push(`not found: ${response.url()}`))
    await page.route(
      ({ origin }) => origin !== site.url,
      (route) => {
        problems.push(`another server: ${route.request().url()}`)
        return route.abort()
      },
    )
    return { page, problems }
  }

  it.each(['desktop', 'phone'] as const)(
    '%s: finds no problems on any page',
    async (viewport) => {
      const { page, problems } = await open(viewport)
      for (const target of PATHS) {
        await page.goto(site.url + target, { waitUntil: 'load' })
        // The sidebar marks the page when the scripts have run.
        await page.waitForSelector(target === '/' ? '.VPHome' : '.VPSidebarItem.is-active', { state: 'attached' })
        problems.push(...(await findProblems(page, site.url)).map((problem) => `${target}: ${problem}`))
      }
      expect(problems).toEqual([])
    },
    300_000,
  )

  it('finds pages with the search', async () => {
    const { page, problems } = await open('desktop')
    await page.goto(site.url, { waitUntil: 'networkidle' })
    await page.locator('.DocSearch-Button').first().click()
    await page.locator('.search-input').fill('idempotency')
    await page.locator('.VPLocalSearchBox .result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/idempotency*')
    await page.locator('h1', { hasText: 'Idempotency keys' }).waitFor()
    expect(problems).toEqual([])
  })

  it('lists every page in llms.txt', async () => {
    const index = await (await fetch(`${site.url}/llms.txt`)).text()
    const links = [...index.matchAll(/\]\((.+?)\)/g)].map(([, link]) => link)
    expect(links).toEqual(PATHS.slice(1))
    for (const link of links) expect((await fetch(site.url + link)).status, link).toBe(200)
  })
})

/** Returns layout errors, missing images, broken links and headings in the wrong order. */
async function findProblems(page: Page, siteUrl: string): Promise<string[]> {
  const { links, ...found } = await page.evaluate(() => {
    const problems: string[] = []
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth) problems.push(`is ${scrollWidth} px wide`)
    for (const image of document.images) {
      if (!image.complete || image.naturalWidth === 0) problems.push(`broken image ${image.src}`)
      if (image.alt === '' && image.closest('.vp-doc')) problems.push(`image without alternative text ${image.src}`)
    }
    const content = document.querySelector('.vp-doc, .VPHome')
    if (!content) problems.push('has no content')
    const prose = [...(content?.querySelectorAll('p, li, td, h1, h2, h3') ?? [])].map((element) => {
      const copy = document.createElement('div')
      copy.innerHTML = element.innerHTML
      for (const code of copy.querySelectorAll('code, pre')) code.remove()
      return copy.textContent
    })
    if (prose.some((text) => text.includes('<!--'))) problems.push('shows a comment')
    const levels = [...document.querySelectorAll('.vp-doc :is(h1, h2, h3, h4)')].map(({ tagName }) =>
      Number(tagName[1]),
    )
    if (content?.matches('.vp-doc') && levels.filter((level) => level === 1).length !== 1) problems.push('needs one h1')
    for (const [index, level] of levels.entries()) {
      if (level > (levels[index - 1] ?? 0) + 1) problems.push(`heading ${index + 1} skips a level`)
    }
    const active = document.querySelectorAll('.VPSidebarItem.is-active.is-link')
    if (content?.matches('.vp-doc') && active.length !== 1) problems.push(`${active.length} active sidebar entries`)
    const ids = new Set([...document.querySelectorAll('[id]')].map(({ id }) => id))
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href)
    for (const link of links) {
      const url = new URL(link)
      if (url.pathname !== location.pathname || url.hash === '' || url.origin !== location.origin) continue
      if (!ids.has(decodeURIComponent(url.hash.slice(1)))) problems.push(`no anchor ${url.hash}`)
    }
    return { problems, links }
  })
  const problems = [...found.problems]
  for (const link of new Set(links)) {
    const { origin, pathname, hash } = new URL(link)
    if (origin !== siteUrl) continue
    const text = await readPage(siteUrl + pathname)
    if (text === undefined) problems.push(`links to a missing page: ${pathname}`)
    else if (hash !== '' && !text.includes(`id="${decodeURIComponent(hash.slice(1))}"`))
      problems.push(`links to a missing anchor: ${pathname}${hash}`)
  }
  return problems
}

/** The text of each page, because every page links to most of the others. */
const texts = new Map<string, Promise<string | undefined>>()

/** Returns the HTML of a page, or undefined if it does not exist. */
function readPage(url: string): Promise<string | undefined> {
  const cached = texts.get(url) ?? fetch(url).then((response) => (response.ok ? response.text() : undefined))
  texts.set(url, cached)
  return cached
}
