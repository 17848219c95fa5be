import { openApi } from '@routewright/runtime/openapi'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { hasBrowser, openBrowser } from '../support/browser.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { served } from './support/served.js'

/** Adds a number of tags to the document, each with an operation. */
function withTags(count: number) {
  return (document: OpenApiDocument): OpenApiDocument => {
    const paths: Record<string, OpenApiDocument['paths'][string]> = { ...document.paths }
    for (let at = 0; at < count; at++) {
      const operation = document.paths['/tag']?.['get']
      if (operation) paths[`/more/${at}`] = { get: { ...operation, operationId: `more${at}`, tags: [`More ${at}`] } }
    }
    return { ...document, paths }
  }
}

describe.skipIf(!hasBrowser || !isLong)('Browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  describeDatabases(
    'OpenAPI: docs page',
    (db) => {
      let errors: string[]
      let page: Page
      beforeAll(() => db.fill(seedBlog))
      beforeEach(() => {
        errors = []
      })

      /** Opens a page of a handler with a document. Its requests do not use the network. */
      const open = async (path: string, options: Parameters<typeof openApi>[0] = {}) => {
        const { base, send } = served(db, { openapi: openApi({ docs: true, ...options }) })
        page = await browser.newPage()
        page.on('pageerror', ({ message }) => errors.push(message))
        page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
        await page.route('**/*', async (route) => {
          const request = route.request()
          const body = request.postDataBuffer()
          const response = await send(
            new Request(request.url(), {
              method: request.method(),
              headers: request.headers(),
              body: body && new Uint8Array(body),
            }),
          )
          await route.fulfill({
            status: response.status,
            headers: Object.fromEntries(response.headers),
            body: Buffer.from(await response.arrayBuffer()),
          })
        })
        await page.goto(`${base}${path}`)
      }

      it('renders the models and executes an operation', async () => {
        await open('/docs', { info: { title: 'The blog', version: '2.1.0' } })
        await page.waitForSelector('.opblock-tag')
        expect(await page.locator('h1, h2.title').first().innerText()).toContain('The blog')
        expect(await page.locator('.opblock-tag').count()).toBe(6)
        await page.locator('.opblock-tag', { hasText: 'Category' }).click()
        const operation = page.locator('#operations-Category-listCategories')
        await operation.locator('.opblock-summary').click()
        await operation.getByRole('button', { name: 'Try it out' }).click()
        await operation.getByRole('button', { name: 'Execute' }).click()
        expect(
          await operation.locator('.live-responses-table td.response-col_status:not(.col_header)').innerText(),
        ).toContain('200')
        expect(errors).toEqual([])
        await page.close()
      })

      it('groups the parameters of a list and explains filter expressions', async () => {
        await open('/docs#/Post/listPosts')
        const operation = page.locator('#operations-Post-listPosts')
        const names = operation.locator('.parameter__name')
        const common = ['filter', 'sort', 'page[limit]', 'page[offset]', 'page[total]', 'include']
        await names.first().waitFor()
        expect(await names.allInnerTexts()).toEqual(common)
        await operation.getByText('Syntax').click()
        await operation.getByText('ignore case').waitFor()
        await operation.getByRole('button', { name: /^Filters by field/ }).click()
        expect(await names.allInnerTexts()).toEqual(expect.arrayContaining([...common, 'filter[title$icontains]']))
        await operation.getByRole('button', { name: 'Try it out' }).click()
        await operation.getByPlaceholder('filter[title$icontains]').fill('query')
        await operation.getByRole('button', { name: /^Filters by field/ }).click()
        await operation.getByRole('button', { name: 'Execute' }).click()
        expect(await operation.locator('.request-url').innerText()).toContain('filter%5Btitle%24icontains%5D=query')
        expect(errors).toEqual([])
        await page.close()
      })

      it('lists the values of parameters, and those of related models', async () => {
        await open('/docs#/Post/listPosts')
        const operation = page.locator('#operations-Post-listPosts')
        await operation.getByRole('button', { name: 'Try it out' }).click()
        for (const [name, values] of [
          ['sort', ['-title', 'author.name']],
          ['include', ['author', 'author.profile']],
        ] as const) {
          const row = operation.locator(`tr[data-param-name="${name}"]`)
          expect(await row.locator('option').allInnerTexts()).toEqual(expect.arrayContaining([...values]))
        }
        await page.close()
      })

      it('shows text inputs for parameters that contain JSON or base64', async () => {
        await open('/docs#/Profile/listProfiles')
        const operation = page.locator('#operations-Profile-listProfiles')
        await operation.getByRole('button', { name: /^Filters by field/ }).click()
        await operation.getByPlaceholder('filter[settings]').waitFor()
        await operation.getByPlaceholder('filter[avatar]').waitFor()
        expect(await operation.locator('input[type=file]').count()).toBe(0)
        await page.close()
      })

      it('splits a large document by tag and filters the tags by name', async () => {
        await open('/docs', { extend: withTags(30) })
        const links = page.locator('nav li')
        await links.first().waitFor()
        expect(await links.count()).toBe(36)
        await page.getByRole('searchbox').fill('more 2')
        expect(await page.locator('nav li:visible').allInnerTexts()).toEqual(
          ['2', ...Array.from({ length: 10 }, (_, at) => `2${at}`)].map((at) => `More ${at}`),
        )
        await page.locator('dl').getByRole('link', { name: 'More 17' }).click()
        await page.waitForSelector('.opblock')
        expect(await page.locator('.opblock-summary-path').allInnerTexts()).toEqual(['/more/17'])
        await page.locator('.opblock-summary').click()
        await page.locator('.responses-inner').waitFor()
        expect(await page.locator('.errors-wrapper').count()).toBe(0)
        expect(errors).toEqual([])
        await page.close()
      })

      it('shows the status if the document cannot be loaded', async () => {
        await open('/docs', {
          extend: () => {
            throw new Error('A fault of the app.')
          },
        })
        await page.getByText('The request for openapi.json returned 500.').waitFor()
        await page.close()
      })
    },
    { only: ['SQLite'] },
  )
})
