import { sign } from 'hono/jwt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTracker, type Tracker } from './support.js'

const ARCHIVE = { headers: { 'X-Archive': 'true' } }

let tracker: Tracker
let ada: Awaited<ReturnType<Tracker['as']>>
let ben: typeof ada
let cleo: typeof ada
let noor: typeof ada

beforeAll(async () => {
  tracker = await openTracker()
  ;[ada, ben, cleo, noor] = await Promise.all([
    tracker.as('ada@example.com'),
    tracker.as('ben@example.com'),
    tracker.as('cleo@example.com'),
    tracker.as('noor@example.com'),
  ])
})
afterAll(() => tracker.close())

/** Creates an issue of Orchard as Ada. */
const report = (title: string) =>
  ada.rpc.issue.create({ data: { title, project: { connect: { key: 'WEB' } } }, include: { project: true } })

describe('issue tracker: login', () => {
  it('responds with the same 401 to a wrong password and an unknown user', async () => {
    const wrong = await tracker.logIn('ada@example.com', 'wrong')
    const unknownUser = await tracker.logIn('nobody@example.com', 'wrong')
    expect([wrong.status, unknownUser.status]).toEqual([401, 401])
    expect(await wrong.json()).toEqual(await unknownUser.json())
    expect((await tracker.logIn('', '')).status).toBe(401)
    const body = await tracker.fetch(new Request('http://localhost/api/login', { method: 'POST', body: '[' }))
    expect(body.status).toBe(400)
  })

  it('rejects foreign, expired and unsigned tokens with 401', async () => {
    const exp = Math.floor(Date.now() / 1000)
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.`.replaceAll('=', '')
    const tokens = [
      await sign({ sub: '1', exp: exp + 60 }, 'another secret', 'HS256'),
      await sign({ sub: '1', exp: exp - 60 }, 'the secret of a test', 'HS256'),
      unsigned,
      '',
    ]
    for (const token of tokens) {
      const headers = { Authorization: `Bearer ${token}` }
      const response = await tracker.fetch(new Request('http://localhost/api/rpc/issue/count', { headers }))
      expect([response.status, await response.json()]).toMatchObject([401, { message: 'Log in first.' }])
    }
  })

  it('hides the password in results, selections and filters', async () => {
    expect(JSON.stringify(await ada.rpc.user.findMany())).not.toContain('password')
    // @ts-expect-error It is hidden.
    await expect(ada.rpc.user.findMany({ select: { password: true } })).rejects.toMatchObject({ status: 400 })
    // @ts-expect-error It cannot be used in a filter.
    await expect(ada.rest.user.list({ filter: { password: 'x' } })).rejects.toMatchObject({ status: 400 })
  })

  it('lets only the owner change a password', async () => {
    const dan = await tracker.as('dan@example.com')
    const where = { email: 'dan@example.com' }
    const change = { where, data: { password: 'a longer one' }, select: { id: true } } as const
    await expect(cleo.rpc.user.update(change)).rejects.toMatchObject({ status: 403, rejectedByPolicy: true })
    await expect(dan.rpc.user.update({ ...change, data: { password: 'short' } })).rejects.toMatchObject({
      status: 422,
      issues: [{ path: ['data', 'password'], message: 'A password has ten letters or more.' }],
    })
    await dan.rpc.user.update(change)
    expect((await tracker.logIn('dan@example.com', 'a longer one')).status).toBe(200)
    const entries = await tracker.orm.auditLog.findMany({ where: { model: 'User' } })
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain('password')
  })
})

describe('issue tracker: team isolation', () => {
  it("shows only issues of the member's teams in REST and RPC", async () => {
    const adaIssues = await ada.rest.issue.list({ include: ['project.team'], page: { limit: 100 } })
    expect(adaIssues.total ?? 0).toBeGreaterThan(40)
    expect(new Set(adaIssues.map(({ project }) => project.team.name))).toEqual(new Set(['Orchard']))
    const cleoIssues = await cleo.rpc.issue.findMany({ include: { project: { include: { team: true } } } })
    expect(new Set(cleoIssues.map(({ project }) => project.team.name))).toEqual(new Set(['Harbour']))
    expect(await noor.rpc.issue.count()).toBe((adaIssues.total ?? 0) + cleoIssues.length)
  })

  it('hides rows of other teams from reads, filters and counts', async () => {
    const { id } = await tracker.orm.issue.findFirstOrThrow({ where: { project: { key: 'IOS' } } })
    await expect(ada.rest.issue.get(id)).rejects.toMatchObject({ status: 404 })
    expect(await ada.rpc.issue.findUnique({ where: { id } })).toBeNull()
    expect(await ada.rpc.comment.count({ where: { issueId: id } })).toBe(0)
    expect(await ada.rpc.auditLog.count({ where: { issueId: id } })).toBe(0)
    expect(await ada.rest.team.list({ filter: { name: 'Harbour' } })).toHaveLength(0)
    const noorsTeams = await ada.rpc.user.findFirst({
      where: { name: { startsWith: 'Noor' } },
      include: { memberships: { include: { team: true } } },
    })
    expect(noorsTeams?.memberships.map(({ team }) => team.name)).toEqual(['Orchard'])
  })

  it('rejects writes to rows of other teams and references to them', async () => {
    const other = await tracker.orm.issue.findFirstOrThrow({ where: { project: { key: 'IOS' } } })
    const { id } = other
    await expect(ada.rpc.issue.update({ where: { id }, data: { title: 'Ours now' } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(ada.rest.issue.delete(id)).rejects.toMatchObject({ status: 404 })
    await expect(ada.rpc.comment.create({ data: { text: 'Hello', issueId: id } })).rejects.toMatchObject({
      status: 409,
    })
    const created = await report('To be moved')
    const move = ada.rpc.issue.update({ where: { id: created.id }, data: { projectId: other.projectId } })
    await expect(move).rejects.toMatchObject({ status: 409 })
    expect(await tracker.orm.issue.findUniqueOrThrow({ where: { id } })).toEqual(other)
  })

  it('hides all issues from a removed member', async () => {
    const where = { email: 'ben@example.com' }
    const { memberships } = await tracker.orm.user.findUniqueOrThrow({ where, include: { memberships: true } })
    await tracker.orm.membership.deleteMany({ where: { user: where } })
    expect(await ben.rpc.issue.count()).toBe(0)
    await tracker.orm.membership.createMany({ data: memberships })
    expect(await ben.rpc.issue.count()).toBeGreaterThan(0)
  })
})

describe('issue tracker: issues', () => {
  it('sets the author on create and returns validation errors by field', async () => {
    const { id, author } = await ben.rest.issue.create({ title: '  Trimmed  ', project: 1 }, { include: ['author'] })
    expect([author?.name, (await ben.rest.issue.get(id)).title]).toEqual(['Ben Okafor', 'Trimmed'])
    const tooShort = ben.rest.issue.create({ title: 'x', priority: 9, project: 1 })
    await expect(tooShort).rejects.toMatchObject({
      status: 422,
      fields: {
        title: [{ message: 'A title has three letters or more.' }],
        priority: [{ message: expect.any(String) }],
      },
    })
  })

  it('rejects an assignee outside the team with 422', async () => {
    const { id } = await tracker.orm.user.findUniqueOrThrow({ where: { email: 'cleo@example.com' } })
    const forCleo = noor.rest.issue.create({ title: 'For Cleo', project: 1, assignee: id })
    await expect(forCleo).rejects.toMatchObject({
      status: 422,
      fields: { assignee: [{ message: 'Only a member of the team can do it.' }] },
    })
  })

  it('rejects a status change without an assignee with 409', async () => {
    const { id } = await report('Not begun')
    const where = { id }
    await expect(ada.rpc.issue.update({ where, data: { status: 'DONE' } })).rejects.toMatchObject({
      status: 409,
      code: 'unassigned',
      issues: [{ path: ['data', 'status'] }],
    })
    const done = await ada.rpc.issue.update({ where, data: { status: 'DONE', assigneeId: 1 } })
    expect(done).toMatchObject({ status: 'DONE', assigneeId: 1 })
    expect(done.updatedAt).toBeInstanceOf(Date)
  })

  it('closes an issue with a note, in REST and RPC', async () => {
    for (const style of ['rest', 'rpc'] as const) {
      const { id } = await report(`Fixed, ${style}`)
      const close = (by: typeof ada, note: string): Promise<unknown> =>
        style === 'rest' ? by.rest.issue.close(id, { note }) : by.rpc.issue.close({ id, note })
      // Hooks and permissions apply, and a rejected write leaves no comment.
      await expect(close(ada, 'Done')).rejects.toMatchObject({ status: 409, code: 'unassigned' })
      await expect(close(cleo, 'Done')).rejects.toMatchObject({ status: 404 })
      expect(await ada.rpc.comment.count({ where: { issueId: id } })).toBe(0)
      await ada.rpc.issue.update({ where: { id }, data: { assigneeId: 1 } })
      await expect(close(ben, ' ')).rejects.toMatchObject({ status: style === 'rest' ? 422 : 400 })
      expect(await close(ben, ' Solved by an update. ')).toMatchObject({
        id: style === 'rest' ? String(id) : id,
        status: 'DONE',
      })
      const where = { issueId: id }
      const comments = await ada.rpc.comment.findMany({ where, include: { author: { select: { name: true } } } })
      expect(comments).toMatchObject([{ text: 'Solved by an update.', author: { name: 'Ben Okafor' } }])
      const entries = await ada.rpc.auditLog.findMany({ where: { ...where, actor: { name: 'Ben Okafor' } } })
      expect(entries.map(({ action, model }) => `${action} ${model}`).sort()).toEqual([
        'create Comment',
        'update Issue',
      ])
      await expect(close(ben, 'Again')).rejects.toMatchObject({ status: 409, code: 'closed' })
    }
  })

  it('describes the route in both OpenAPI documents', async () => {
    for (const [style, path] of [
      ['rest', '/issue/{id}/close'],
      ['rpc', '/issue/close'],
    ]) {
      const response = await tracker.fetch(new Request(`http://localhost/api/${style}/openapi.json`))
      const { info, paths } = await response.json()
      expect(info.title).toBe('Issue tracker')
      const { post } = paths[path ?? '']
      expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['200', '409', '4XX']))
      expect(JSON.stringify(post)).toContain('"note":{"type":"string"')
    }
  })

  it('archives a deleted issue with its comments and restores it', async () => {
    const { id } = await report('Soon away')
    await ben.rpc.comment.create({ data: { text: 'Why?', issueId: id } })
    const where = { id }
    await expect(ben.rest.issue.delete(id)).rejects.toMatchObject({ status: 403, rejectedByPolicy: true })
    await ada.rest.issue.delete(id)
    await expect(ada.rest.issue.get(id)).rejects.toMatchObject({ status: 404 })
    expect(await ada.rpc.comment.count({ where: { issueId: id } })).toBe(0)
    expect(await ada.rest.issue.list({ filter: { title: 'Soon away' } })).toHaveLength(0)

    const archived = await ada.rest.issue.list({ filter: { deletedAt: { isNull: false } } }, ARCHIVE)
    expect(archived.map((issue) => issue.id)).toEqual([String(id)])
    expect(await cleo.rest.issue.list({ filter: { deletedAt: { isNull: false } } }, ARCHIVE)).toHaveLength(0)
    const restore = { where, data: { deletedAt: null } }
    await expect(ben.rpc.issue.update(restore, ARCHIVE)).rejects.toMatchObject({ status: 403 })
    await ada.rpc.issue.update(restore, ARCHIVE)
    expect(await ada.rpc.comment.count({ where: { issueId: id } })).toBe(1)

    const entries = await ben.rpc.auditLog.findMany({
      where: { issueId: id },
      include: { actor: { select: { name: true } } },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ actor, action, model }) => `${actor?.name}: ${action} ${model}`)).toEqual([
      'Ada Moreau: create Issue',
      'Ben Okafor: create Comment',
      'Ada Moreau: update Issue',
      'Ada Moreau: update Issue',
    ])
    expect(entries.map(({ changes }) => changes).slice(2)).toEqual([
      { deletedAt: expect.any(String) },
      { deletedAt: null },
    ])
  })

  it('lets only authors delete their comments', async () => {
    const { id: issueId } = await report('Talked about')
    const { id } = await ben.rpc.comment.create({ data: { text: 'Mine', issueId } })
    await expect(ada.rpc.comment.delete({ where: { id } })).rejects.toMatchObject({ status: 403 })
    await expect(ben.rpc.comment.create({ data: { text: ' ', issueId } })).rejects.toMatchObject({
      status: 422,
      issues: [{ message: 'Write something first.' }],
    })
    expect(await ben.rpc.comment.delete({ where: { id } })).toMatchObject({ text: 'Mine' })
  })

  it('stores files byte for byte and rejects files above 64 kB', async () => {
    const { id: issueId } = await report('With a file')
    const content = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    const { id, size } = await ada.rpc.attachment.create({ data: { name: 'bytes.bin', content, issueId } })
    expect(size).toBe(300)
    const read = await ben.rpc.attachment.findUniqueOrThrow({ where: { id } })
    expect(new Uint8Array(read.content)).toEqual(content)
    expect(new Uint8Array((await ben.rest.attachment.get(id)).content)).toEqual(content)
    expect(await cleo.rpc.attachment.findUnique({ where: { id } })).toBeNull()

    const large = { name: 'large.bin', content: new Uint8Array(64 * 1024 + 1), issueId }
    await expect(ada.rpc.attachment.create({ data: large })).rejects.toMatchObject({
      status: 422,
      issues: [{ path: ['data', 'content'], message: 'A file has 64 kB at most.' }],
    })
    await expect(ben.rpc.attachment.delete({ where: { id } })).rejects.toMatchObject({ status: 403 })
    await ada.rpc.attachment.delete({ where: { id }, select: { id: true } })
    expect(await ada.rpc.attachment.count({ where: { issueId } })).toBe(0)
    const entries = await tracker.orm.auditLog.findMany({ where: { issueId, model: 'Attachment' } })
    expect(entries.map(({ action }) => action)).toEqual(['create', 'delete'])
    expect(JSON.stringify(entries)).not.toContain('content')
  })
})

it('issue tracker audit log: rejects deletes in RPC (404) and REST (405)', async () => {
  expect(await ada.rpc.auditLog.count()).toBeGreaterThan(40)
  // @ts-expect-error The operation does not exist.
  await expect(ada.rpc.auditLog.deleteMany({ where: {} })).rejects.toMatchObject({ status: 404 })
  // @ts-expect-error REST does not have it either.
  await expect(ada.rest.auditLog.delete(1)).rejects.toMatchObject({ status: 405 })
})
