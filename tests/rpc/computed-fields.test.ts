import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { rpcClient } from './client.js'

const user = { email: 'a@example.com', password: 'long enough', name: 'Ann' }

describeDatabases('rpc: computed fields of extensions', (db) => {
  beforeEach(async () => {
    await db.reset()
    await db.orm.user.create({ data: { ...user, posts: { create: { slug: 's', title: 't' } } } })
  })

  it.each([
    ['user', 'findMany', {}],
    ['user', 'findUnique', { where: { id: 1 }, include: { posts: { include: { author: true } } } }],
    ['post', 'findFirst', { select: { author: true } }],
    ['user', 'create', { data: { ...user, email: 'b@example.com' } }],
    ['user', 'update', { where: { id: 1 }, data: { name: 'Ann' } }],
    ['post', 'update', { where: { id: 1 }, data: { title: 'x' }, include: { author: true } }],
  ])('%s.%s %j shows none that needs what is never read', async (model, operation, args) => {
    const hint = { needs: { password: true }, compute: ({ password }: typeof user) => password.slice(0, 2) }
    const twice = { needs: { hint: true }, compute: ({ hint }: { hint: string }) => hint + hint }
    const loud = { needs: { name: true }, compute: ({ name }: { name: string | null }) => (name ?? '').toUpperCase() }
    const orm = db.orm.$extends({ result: { user: { hint } } }).$extends({ result: { user: { twice, loud } } })
    const { status, body } = await rpcClient(db, {}, orm).call(model, operation, args)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    expect(JSON.stringify(body)).toContain('"loud":"ANN"')
    expect(JSON.stringify(body)).not.toMatch(/hint|twice|password/)
  })
})
