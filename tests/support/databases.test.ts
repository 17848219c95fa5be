import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from './databases.js'

describeDatabases('test databases', (db) => {
  beforeEach(() => db.reset())

  const user = { email: 'ada@example.com', password: 'correct horse' }

  it('reset: deletes all rows and restarts ids at 1', async () => {
    const first = await db.orm.user.create({ data: user })
    await db.orm.user.create({ data: { email: 'b@example.com', password: 'correct horse' } })
    await db.reset()
    expect(await db.orm.user.count()).toBe(0)
    expect(first.id).toBe(1)
    expect((await db.orm.user.create({ data: user })).id).toBe(1)
  })

  it('reset: keeps foreign keys enforced', async () => {
    await db.orm.$transaction(async (tx) => {
      await tx.user.create({ data: user })
    })
    await db.reset()
    const orphan = db.orm.profile.create({ data: { userId: 7 } })
    await expect(orphan).rejects.toMatchObject({ code: 'P2003' })
  })

  it('stores all digits of BigInt and Decimal and all bytes', async () => {
    const category = await db.orm.category.create({
      data: { name: 'news', readers: 9_007_199_254_740_993n, adPrice: '1234567.89' },
    })
    const profile = await db.orm.profile.create({
      data: { user: { create: user }, avatar: new Uint8Array([0, 255, 10]), settings: { theme: 'dark' } },
    })
    expect(await db.orm.category.findUniqueOrThrow({ where: { id: category.id } })).toMatchObject({
      readers: 9_007_199_254_740_993n,
    })
    expect(category.adPrice?.toString()).toBe('1234567.89')
    expect(await db.orm.profile.findUniqueOrThrow({ where: { id: profile.id } })).toMatchObject({
      avatar: new Uint8Array([0, 255, 10]),
      settings: { theme: 'dark' },
    })
  })

  it('fill: refills only after a write', async () => {
    const rows = ({ orm }: Pick<typeof db, 'orm'>) => orm.user.create({ data: user })
    expect(await db.fill(rows)).toBe(true)
    await db.orm.user.findMany({ include: { posts: true } })
    expect(await db.fill(rows)).toBe(false)
    await expect(db.orm.user.create({ data: user })).rejects.toMatchObject({ code: 'P2002' })
    expect(await db.fill(rows)).toBe(true)
    await db.orm.$transaction((tx) => tx.user.updateMany({ data: { name: 'x' } }))
    expect(await db.fill(rows)).toBe(true)
    expect(await db.orm.user.findMany()).toMatchObject([{ ...user, id: 1, name: null }])
    expect((await db.orm.user.create({ data: { ...user, email: 'b@example.com' } })).id).toBe(2)
    await db.reset()
    expect(await db.fill(rows)).toBe(true)
  })

  it('fill: calls the function once and then restores its rows', async () => {
    let times = 0
    const rows = async ({ orm }: Pick<typeof db, 'orm'>) => {
      times += 1
      const posts = {
        create: [
          { slug: 'a', title: 'A', tags: { create: { name: 'first' } } },
          { slug: 'b', title: 'B' },
        ],
      }
      await orm.user.create({ data: { ...user, posts, profile: { create: { avatar: new Uint8Array([0, 255]) } } } })
    }
    const all = () =>
      db.orm.user.findMany({ include: { profile: true, posts: { orderBy: { id: 'asc' }, include: { tags: true } } } })
    await db.fill(rows)
    const written = await all()
    await db.orm.post.deleteMany()
    await db.fill(rows)
    expect(await all()).toEqual(written)
    expect(written).toMatchObject([
      {
        id: 1,
        posts: [
          { id: 1, tags: [{ name: 'first' }] },
          { id: 2, tags: [] },
        ],
      },
    ])
    expect(times).toBe(1)
    expect((await db.orm.post.create({ data: { slug: 'c', title: 'C' } })).id).toBe(3)
  })

  it('queriesOf: returns the queries that Prisma sent', async () => {
    const queries = await db.queriesOf(() => db.orm.tag.findMany())
    expect(queries).toEqual([expect.stringMatching(/^SELECT .*Tag/)])
  })
})

describeDatabases(
  'test databases with several namespaces and no counters',
  (db) => {
    beforeEach(() => db.reset())

    it('reset: deletes all rows', async () => {
      const id = '6f1f0f3a-7f2c-4c7e-9d60-2f9c1f0f7a11'
      expect(await db.orm.uuidKey.create({ data: { id, name: 'first' } })).toEqual({ id, name: 'first' })
      await db.reset()
      expect(await db.orm.uuidKey.count()).toBe(0)
    })
  },
  { fixture: 'kitchen-sink' },
)
