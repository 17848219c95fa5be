import { format } from 'node:util'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { type Attack, callerOf, rpc } from './requests-of-both-styles.js'

const SECRET = 'hunter2-hunter2'

const user = (attributes: object) => ({
  data: { type: 'user', attributes: { email: 'n@example.org', password: SECRET, ...attributes } },
})

/** Requests with a secret that are rejected by Routewright, by the Prisma client or by the database. */
const REJECTED_REQUESTS: readonly Attack[] = [
  ['rest', 'POST', '/user', user({ email: 'ann@example.org' })],
  ['rest', 'POST', '/user', user({ email: 1 })],
  ['rest', 'POST', '/user', user({ email: SECRET })],
  ['rest', 'GET', `/user?filter[password]=${SECRET}`],
  ['rest', 'GET', `/post?filter[title$search]=${SECRET}`],
  ['rest', 'GET', `/post?filter[publishedAt]=${SECRET}`],
  ['rest', 'PATCH', `/user/${SECRET}`, user({})],
  ['rest', 'POST', '/post', { data: { type: 'post', attributes: { slug: 'n', title: SECRET, authorId: 99 } } }],
  rpc('user', 'create', { data: { email: 'ann@example.org', password: SECRET } }),
  rpc('user', 'create', { data: { email: 'n@example.org', password: SECRET, id: SECRET } }),
  rpc('user', 'update', { where: { email: SECRET }, data: { password: SECRET } }),
  rpc('user', 'findMany', { where: { createdAt: { gt: SECRET } } }),
  rpc('post', 'findMany', { where: { title: { search: SECRET } } }),
  rpc('user', 'upsert', { where: { email: SECRET, id: 1 }, create: { email: SECRET, password: SECRET }, update: {} }),
  // Rejected only by the Prisma client, which quotes the input.
  rpc('post', 'create', { data: { slug: 'n', title: SECRET, authorId: 1, category: { connect: { id: 1 } } } }),
  rpc('user', 'groupBy', { by: ['role'], where: { name: SECRET }, orderBy: { name: 'asc' } }),
  rpc('post', 'create', { data: { slug: 'n', title: SECRET, authorId: 99 } }),
]

// S-42
describeDatabases('security: log', (db) => {
  let lines: string[]
  beforeEach(async () => {
    await db.fill(fillBlog)
    lines = []
    vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void lines.push(format(...args)))
  })
  afterEach(() => void vi.restoreAllMocks())

  it('omits values of rejected requests', async () => {
    for (const attack of REJECTED_REQUESTS) {
      const { status, text } = await callerOf(db)(attack)
      expect(status, JSON.stringify(attack)).toBeGreaterThanOrEqual(400)
      expect(status, `${JSON.stringify(attack)} ${text}`).toBeLessThan(500)
    }
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes(SECRET))).toEqual([])
  })

  it.runIf(db.provider === 'sqlite')('omits values that the database quotes', async () => {
    const where = { settings: { path: `$'${SECRET}`, equals: 1 } }
    expect((await callerOf(db)(rpc('profile', 'findMany', { where }))).status).toBe(400)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('bad JSON path')
    expect(lines[0]).not.toContain(SECRET)
  })

  it('omits request values if the database fails with 500', async () => {
    const rename = (from: string, to: string) =>
      db.execute(`ALTER TABLE "${from}" RENAME TO "${to}"`.replaceAll('"', db.provider === 'mysql' ? '`' : '"'))
    await rename('User', 'Gone')
    try {
      for (const attack of [
        rpc('user', 'create', { data: { email: 'n@example.org', password: SECRET } }),
        rpc('user', 'updateMany', { where: { name: SECRET }, data: { password: SECRET } }),
        ['rest', 'POST', '/user', user({})],
        ['rest', 'GET', `/user?filter[name]=${SECRET}`],
      ] satisfies Attack[]) {
        expect((await callerOf(db)(attack)).status).toBe(500)
      }
      expect(lines).toHaveLength(4)
      expect(lines.filter((line) => line.includes(SECRET))).toEqual([])
    } finally {
      await rename('Gone', 'User')
    }
  })
})
