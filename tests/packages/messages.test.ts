import { execFileSync } from 'node:child_process'
import path from 'node:path'

import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const BLOG = path.resolve(import.meta.dirname, '../../fixtures/blog/expected')

const POST = `
const body = { data: { type: 'post', attributes: { slug: 'A b', title: '' } } }
const headers = { 'Content-Type': 'application/vnd.api+json' }
const answer = await app.request('/rest/post', { method: 'POST', headers, body: JSON.stringify(body) })
const { errors } = await answer.json()
console.log(JSON.stringify(errors.map(({ detail }) => detail)))
`

const APP = `
import { Hono } from 'hono'
import { createHonoHandler } from './hono.js'
import { RestApiHandler } from './index.js'
const handler = RestApiHandler({ endpoint: 'https://example.com/rest' })
const app = new Hono().route('/rest', createHonoHandler({ getOrm: () => ({}), handler }))
`

/** Returns the messages for invalid values from an app in one bundled file without another use of zod. */
async function rejectionMessages(before = '', after = ''): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: `import 'before'\n${APP}${after}${POST}`, resolveDir: BLOG },
    plugins: [
      {
        name: 'before',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^before$/ }, () => ({ path: 'before', namespace: 'before' }))
          onLoad({ filter: /./, namespace: 'before' }, () => ({ contents: before, resolveDir: BLOG }))
        },
      },
    ],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    treeShaking: true,
    minify: true,
  })
  const code = outputFiles[0]?.text ?? ''
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-'], { input: code, encoding: 'utf8' }))
}

const german = (zod: string) => `import { config } from '${zod}'\nimport { de } from 'zod/locales'\nconfig(de())\n`

describe('validation messages in a bundled app', () => {
  it('are in English by default', async () => {
    expect(await rejectionMessages()).toEqual([
      '"slug" is invalid: Invalid string: must match pattern /^[a-z0-9-]+$/.',
      '"title" is invalid: Too small: expected string to have >=1 characters.',
    ])
  })

  it.each([
    ['zod/mini config before the routes', german('zod/mini'), ''],
    ['zod/mini config after the routes', '', german('zod/mini')],
    ['zod config', german('zod'), ''],
  ])('%s: sets the language of the messages', async (_, before, after) => {
    expect(await rejectionMessages(before, after)).toEqual([
      '"slug" is invalid: Ungültiger String: muss dem Muster /^[a-z0-9-]+$/ entsprechen.',
      '"title" is invalid: Zu klein: erwartet, dass string >=1 Zeichen hat.',
    ])
  })
})
