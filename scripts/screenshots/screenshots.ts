import type { Page } from 'playwright-core'

/** An image in `docs/images`. */
export interface Screenshot {
  /** The name of the file. */
  readonly file: string
  readonly width: number
  readonly height: number
  /** Opens the page at a path and brings it into the state that the image shows. */
  readonly open: (page: Page) => Promise<void>
}

/** The apps whose pages are shown. */
export type CapturedApp = 'blog' | 'issueTracker' | 'site'

const TRACKER = { width: 1200, height: 760 }

/** All images that `npm run screenshots` takes, by app. The images of an app are taken in order, by the same user. */
export const SCREENSHOTS: Readonly<Record<CapturedApp, readonly Screenshot[]>> = {
  blog: [
    {
      file: 'openapi.png',
      width: 1100,
      height: 1100,
      async open(page) {
        await page.goto('/api/rest/docs#/Post/listPosts')
        await page.getByRole('button', { name: 'Try it out' }).click()
        await page.getByRole('button', { name: 'Filters by field' }).waitFor()
      },
    },
  ],
  issueTracker: [
    {
      ...TRACKER,
      file: 'issue-tracker-list.png',
      async open(page) {
        await page.goto('/')
        await page.getByLabel('Email address').fill('ada@example.com')
        await page.getByLabel('Password').fill('correct horse')
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByText('1–10 of 42').waitFor()
      },
    },
    {
      ...TRACKER,
      file: 'issue-tracker-issue.png',
      async open(page) {
        await page.goto('/?q=VAT')
        await page.getByRole('link', { name: 'VAT is missing on shipping' }).click()
        await page.getByRole('button', { name: 'Show older comments (15)' }).waitFor()
      },
    },
    {
      ...TRACKER,
      file: 'issue-tracker-form.png',
      async open(page) {
        await page.goto('/issues/new')
        await page.getByLabel('Title').fill('x')
        await page.getByLabel('Description').fill('The page stays empty.')
        await page.getByLabel('Project').selectOption('WEB · Web shop (Orchard)')
        await page.getByLabel('Priority').selectOption('High')
        await page.getByLabel('Due').fill('2026-07-01')
        await page.getByLabel('design').check()
        await page.getByRole('button', { name: 'Report it' }).click()
        await page.getByText('A title has three letters or more.').waitFor()
      },
    },
  ],
  site: [
    {
      file: 'docs-site.png',
      width: 1280,
      height: 900,
      async open(page) {
        await page.goto('/policies')
      },
    },
    {
      file: 'docs-site-phone.png',
      width: 390,
      height: 844,
      async open(page) {
        await page.goto('/rest-filtering')
      },
    },
  ],
}

/** The image that the test of the tutorial takes, because it builds the app that the image shows. */
export const TUTORIAL = { file: 'tutorial-page.png', test: 'tests/docs/tutorial.test.ts' } as const
