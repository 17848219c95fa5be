import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PrismaClient } from '../../fixtures/blog/client/client.js'
import { RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { seed } from '../../fixtures/blog/seed.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { OpenDatabase } from '../support/engines/engine.js'
import { sqlite } from '../support/engines/sqlite.js'

describe('RPC: client with a global omit', () => {
  let database: OpenDatabase
  let call: (operation: string, args: object) => Promise<unknown>

  beforeAll(async () => {
    database = await sqlite.open(preparedFixture('blog', 'sqlite').tables)
    const client = database.client(PrismaClient, { omit: { user: { name: true } } })
    await seed(client as never)
    const handler = RPCApiHandler()
    call = async (operation, args) => {
      const init = { method: 'POST', body: JSON.stringify(args), headers: { 'Content-Type': 'application/json' } }
      const request = new Request(`http://localhost/user/${operation}`, init)
      const response = await handler.fetch(request, { getOrm: () => client as never } as never)
      return (await response.json()) as unknown
    }
  })
  afterAll(() => database.close())

  it.each<[string, object]>([
    ['whole rows', {}],
    ['rows that omit another field', { omit: { email: true } }],
    ['omit: false for the omitted field', { omit: { name: false } }],
    ['included relations', { include: { posts: { take: 1, include: { author: true } } } }],
  ])('%s: omits globally omitted and write-only fields', async (_what, args) => {
    const text = JSON.stringify(await call('findFirst', { where: { posts: { some: {} } }, ...args }))
    expect(text).toMatch(/^{"data":{"id":/)
    expect(text).not.toMatch(/"(name|password)":/)
  })

  it('returns a globally omitted field if select names it', async () => {
    expect(await call('findFirst', { where: { id: 1 }, select: { name: true } })).toEqual({
      data: { name: expect.any(String) as string },
    })
  })
})
