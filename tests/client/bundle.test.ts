import { readFileSync } from 'node:fs'

import { expect, describe, it } from 'vitest'

import { readTable } from '../../scripts/bundle-table.js'
import { bundleForBrowser, CLIENT_MARKER, CLIENT_PAGE, measureClients } from '../../scripts/client-table.js'

/** Maximum gzipped size of each client, without the value encoding. */
const BUDGETS: Readonly<Record<string, number>> = {
  RPC: 2500,
  REST: 5000,
  'loaded by REST with the first `AND`, `OR` or `NOT`': 1000,
  'loaded by REST with the first `$operations` call': 1000,
  'value encoding, in each client': 1500,
}

const APP = `
import { createRpcClient } from './client/index.js'
import type { Api } from './fixtures/blog/expected/client.js'
export const api = createRpcClient<Api>({ url: '/api/rpc' })
`

const DECLARATIONS = `
import * as z from 'zod'
import { declareRoutes } from './fixtures/blog/expected/declare-routes.js'
export const declarations = declareRoutes({
  tag: { add: { method: 'POST', path: '/add', body: z.object({ name: z.string() }), result: 'Tag' } },
})
`

describe('client bundle for the browser', () => {
  it('includes only client files', async () => {
    const { inputs, text } = await bundleForBrowser(APP)
    expect(inputs.filter((file) => !file.startsWith('client/'))).toEqual([])
    expect(text).not.toMatch(/\bfrom ?"|\brequire\(|node:|categoryResource/)
  })

  it('includes no imports of the emitted client.ts and graph.ts', async () => {
    const emitted = './fixtures/blog/expected'
    const types = await bundleForBrowser(`export * from '${emitted}/client.js'\n`)
    expect(types.text).toBe('')
    const { inputs } = await bundleForBrowser(`export { graph } from '${emitted}/graph.js'\n`)
    expect(inputs).toEqual(['fixtures/blog/expected/graph.ts'])
  })

  it('includes only schemas and `declareRoutes` for the declarations of custom routes', async () => {
    const { inputs, text } = await bundleForBrowser(DECLARATIONS, /^zod$/)
    expect(inputs).toEqual(['fixtures/blog/expected/declare-routes.ts'])
    expect(text.match(/\bfrom ?"[^"]*"/g)).toEqual(['from"zod"'])
  })

  it('matches the size budgets and docs/rpc-client.md (update with `npm run client-table`)', async () => {
    const rows = await measureClients()
    const documented = new Map(
      readTable(readFileSync(CLIENT_PAGE, 'utf8'), CLIENT_MARKER).map((row) => [row.name, row]),
    )
    expect([...documented.keys()]).toEqual(rows.map(({ name }) => name))
    for (const { name, minified, gzip = 0 } of rows) {
      expect(gzip, name).toBeLessThanOrEqual(BUDGETS[name] ?? 0)
      // The documented sizes are rounded to 0.1 kB.
      expect(Math.abs((documented.get(name)?.minified ?? 0) - minified), name).toBeLessThanOrEqual(100)
      expect(Math.abs((documented.get(name)?.gzip ?? 0) - gzip), name).toBeLessThanOrEqual(100)
    }
  })
})
