import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PrismaClient } from '../../fixtures/blog/client/client.js'
import { RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { seed } from '../../fixtures/blog/seed.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { OpenDatabase } from '../support/engines/engine.js'
import { sqlite } from '../support/engines/sqlite.js'

describe('RPC: a client that omits fields itself', () => {
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
    ['rows without another field', { omit: { email: true } }],
    ['omit: false, which would bring it back', { omit: { name: false } }],
    ['relations of rows', { include: { posts: { take: 1, include: { author: true } } } }],
  ])('%s are without them, and without the password', async (_what, args) => {
    const text = JSON.stringify(await call('findFirst', { where: { posts: { some: {} } }, ...args }))
    expect(text).toMatch(/^{"data":{"id":/)
    expect(text).not.toMatch(/"(name|password)":/)
  })

  it('select names them', async () => {
    expect(await call('findFirst', { where: { id: 1 }, select: { name: true } })).toEqual({
      data: { name: expect.any(String) as string },
    })
  })
})
