import { beforeEach, describe, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { type TestResponse, fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { betaAbility, sceneOf } from './support/two-tenants.js'

const READS = [
  '/organisation',
  '/organisation/1',
  '/organisation/1/members',
  '/organisation/2?include=members.documents,members.comments.document,projects,labels.documents',
  '/document?include=project,author,reviewer,comments.author,secret,labels.organisation',
  '/document/1',
  '/document/1/comments',
  '/document/1/relationships/comments',
  '/document/4?include=author',
  '/document/4/author',
  '/document/4/reviewer',
  '/document/3/comments?include=author',
  '/document/3/labels',
  '/document/3/relationships/labels',
  '/document?filter[author][name$startsWith]=al',
  '/document?filter[author]=1',
  '/document?filter[reviewer][name$contains]=a&include=reviewer',
  '/document?sort=author.name',
  '/document?sort=-author.salary',
  '/comment/1_2',
  '/comment/3_2?include=author,document.author',
  '/comment?filter[author][email$contains]=alpha',
  '/comment?filter[document][title$startsWith]=al',
  '/member/3/comments?include=document',
  '/member?filter[salary$gt]=70000',
  '/member?sort=-salary',
  '/member?fields[member]=salary',
  '/project/4/parent',
  '/project/4?include=parent.organisation',
  '/project/3/assignments?include=member',
  '/assignment/3_1?include=member',
  '/label/1',
  '/label/3/documents',
  '/secret/1',
  '/secret?include=document',
]

type Method = 'post' | 'patch' | 'delete'

const one = (type: string, id: string) => ({ data: { type, id } })
const many = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) })
const resource = (type: string, attributes: object, relationships: object = {}, id?: string) => ({
  data: { type, ...(id !== undefined && { id }), attributes, relationships },
})

const WRITES: readonly (readonly [method: Method, path: string, body: unknown])[] = [
  ['patch', '/document/1', resource('document', { title: 'x' }, {}, '1')],
  ['delete', '/document/1', undefined],
  ['patch', '/document/3', resource('document', { projectId: 1 })],
  ['patch', '/document/3', resource('document', {}, { project: one('project', '1') })],
  ['patch', '/document/3', resource('document', {}, { author: one('member', '1') })],
  ['patch', '/document/3', resource('document', {}, { labels: many('label', '1', '2') })],
  ['patch', '/document/3', resource('document', {}, { secret: one('secret', '1') })],
  ['patch', '/document/3/relationships/author', one('member', '2')],
  ['patch', '/document/3/relationships/project', one('project', '2')],
  ['post', '/document/3/relationships/labels', many('label', '1')],
  ['delete', '/document/3/relationships/labels', many('label', '1')],
  ['patch', '/document/3/relationships/labels', many('label')],
  ['post', '/document/3/relationships/comments', many('comment', '1_1')],
  ['patch', '/document/1/relationships/labels', many('label')],
  [
    'post',
    '/document',
    resource('document', { title: 'n' }, { project: one('project', '1'), author: one('member', '3') }),
  ],
  [
    'post',
    '/document',
    resource('document', { title: 'n' }, { project: one('project', '3'), author: one('member', '1') }),
  ],
  ['post', '/document', resource('document', { title: 'n', projectId: 1, authorId: 3 })],
  ['post', '/organisation', resource('organisation', { slug: 'n', name: 'n' })],
  ['patch', '/organisation/2', resource('organisation', {}, { labels: many('label', '1', '2') })],
  ['post', '/organisation/2/relationships/members', many('member', '1')],
  ['post', '/organisation/2/relationships/labels', many('label', '3')],
  ['post', '/project/3/relationships/children', many('project', '2')],
  ['patch', '/member/3/relationships/organisation', one('organisation', '1')],
  ['post', '/member/3/relationships/comments', many('comment', '1_1')],
  ['patch', '/member/3/relationships/comments', many('comment')],
  ['patch', '/member/3', resource('member', { salary: 9 })],
  ['post', '/comment', resource('comment', { documentId: 1, seq: 9, body: 'n' })],
  ['delete', '/comment/1_1', undefined],
  [
    'post',
    '/organisation',
    { ...resource('organisation', { slug: 'alpha', name: 'x' }), meta: { operation: 'upsert', matchFields: ['slug'] } },
  ],
  [
    'post',
    '/member',
    {
      ...resource('member', { email: 'one@alpha', organisationId: 2 }),
      meta: { operation: 'upsert', matchFields: ['email'] },
    },
  ],
]

// These succeed: they do not change alpha's rows among the members.
const HARMLESS = ['/document/3/relationships/labels', '/member/3/relationships/comments']

describeDatabases(
  'policy: REST attacks on another tenant',
  (db) => {
    const scene = sceneOf(db)
    beforeEach(() => scene.ready())
    const attacker = (options: object = {}) => {
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      return fixtureClient({ orm, routes: db.routes }, options)
    }

    it.each(READS)('GET %s: returns no data of tenant alpha', async (path) => {
      const response = await attacker().get(path)
      expect(response.status, response.text).toBeLessThan(500)
      expectNothingOfAlpha(response)
    })

    it.each(WRITES)('%s %s %j: does not change rows of tenant alpha', async (method, path, body) => {
      const response = await attacker()[method](path, body)
      expect(response.status, response.text).toBeLessThan(500)
      // If only the result is denied, the write stays.
      await scene.assertUnchanged(
        response.status >= 400 && !response.text.includes('RESULT_NOT_READABLE'),
        response.text,
      )
      expectNothingOfAlpha(response)
      if (!HARMLESS.includes(path)) expect(response.status, response.text).toBeGreaterThanOrEqual(400)
    })

    it.each([
      ['document', (guess: string) => `equals(author.name,'${guess}')`, 'alpha one'],
      ['document', (guess: string) => `not(equals(author.name,'${guess}'))`, 'alpha one'],
      ['document', (guess: string) => `startsWith(author.email,'${guess}')`, 'one@'],
      ['document', (guess: string) => `not(any(reviewer.name,'${guess}','x'))`, 'alpha one'],
      ['document', (guess: string) => `has(labels,equals(name,'${guess}'))`, 'alpha label'],
      ['document', (guess: string) => `not(has(labels,equals(name,'${guess}')))`, 'alpha label'],
      ['document', (guess: string) => `every(labels,not(equals(name,'${guess}')))`, 'alpha label'],
      ['document', (guess: string) => `not(every(comments,not(equals(author.name,'${guess}'))))`, 'alpha one'],
      ['project', (guess: string) => `equals(parent.name,'${guess}')`, 'alpha project'],
      ['project', (guess: string) => `not(equals(parent.name,'${guess}'))`, 'alpha project'],
      ['member', (guess: string) => `equals(salary,'${guess}')`, '74444'],
      ['member', (guess: string) => `not(equals(salary,'${guess}'))`, '74444'],
      ['member', (guess: string) => `not(between(salary,'${guess}','74445'))`, '74444'],
      ['document', (guess: string) => `not(equals(reviewer.salary,'${guess}'))`, '74444'],
    ] as const)('%s filter %s: responds to a right guess like to a wrong one', async (type, filter, right) => {
      const guessed = async (guess: string) => {
        const response = await attacker().get(`/${type}?${new URLSearchParams({ filter: filter(guess) })}`)
        return {
          status: response.status,
          ids: response.status === 200 && response.ids,
          total: response.body.meta?.total,
        }
      }
      const wrong = await guessed(/^\d+$/.test(right) ? '74443' : 'nobody')
      expect(wrong.status).toBeLessThan(500)
      expect(await guessed(right)).toEqual(wrong)
    })

    it.each([
      ["equals(author.name,'alpha one')", 'document'],
      ["equals(author.name,'me')", 'document'],
      ['has(labels)', 'document'],
      ["every(comments,equals(author.name,'me'))", 'document'],
      ["equals(parent.name,'beta project')", 'project'],
    ])('%s: finds each readable row with the filter or its negation', async (filter, type) => {
      const ids = async (text?: string) => {
        const response = await attacker().get(
          `/${type}?${new URLSearchParams(text === undefined ? {} : { filter: text })}`,
        )
        expect(response.status, response.text).toBe(200)
        return response.ids
      }
      const [all, found, others] = [await ids(), await ids(filter), await ids(`not(${filter})`)]
      expect(found.filter((id) => others.includes(id))).toEqual([])
      expect([...found, ...others].sort()).toEqual([...all].sort())
    })

    it('excludes a row with an unreadable field from filters and their negations', async () => {
      for (const filter of ["lessThan(salary,'10')", "not(lessThan(salary,'10'))", 'equals(salary,null)']) {
        const response = await attacker().get(`/member?${new URLSearchParams({ filter })}`)
        expect(response.ids).not.toContain('4')
      }
    })

    it('responds with 404 to the external id of an unreadable row', async () => {
      const api = attacker({ externalIdMapping: { Organisation: 'slug', Project: 'organisationId_key' } })
      expect((await api.get('/organisation/alpha')).status).toBe(404)
      expect((await api.get('/organisation/beta')).status).toBe(200)
      expect((await api.get('/project/1_k1')).status).toBe(404)
      expect((await api.get('/project/2_k1')).status).toBe(200)
    })

    describe('unreadable and missing rows', () => {
      const doors: readonly (readonly [Method | 'get', (id: number) => string, ((id: number) => unknown)?])[] = [
        ['get', (id) => `/document/${id}`],
        ['get', (id) => `/document/${id}/comments`],
        ['get', (id) => `/document/${id}/relationships/author`],
        ['get', (id) => `/document?filter[id]=${id}`],
        ['get', (id) => `/comment?filter[document]=${id}`],
        ['delete', (id) => `/document/${id}`],
        ['patch', (id) => `/document/${id}`, () => resource('document', { title: 'x' })],
        ['patch', (id) => `/document/${id}/relationships/author`, () => one('member', '3')],
        ['post', (id) => `/document/${id}/relationships/labels`, () => many('label', '2')],
        ['patch', () => '/comment/3_1/relationships/document', (id) => one('document', String(id))],
        ['post', () => '/comment', (id) => resource('comment', { documentId: id, seq: 77, body: 'n' })],
        [
          'post',
          () => '/secret',
          (id) => resource('secret', { value: 'n' }, { document: one('document', String(id)) }),
        ],
        ['post', () => '/label/2/relationships/documents', (id) => many('document', String(id))],
        ['delete', () => '/label/2/relationships/documents', (id) => many('document', String(id))],
        ['patch', () => '/label/2/relationships/documents', (id) => many('document', String(id))],
      ]
      it.each(doors.map((door, index) => [index, door] as const))(
        'request %i: responds equally to both',
        async (_, door) => {
          const [method, path, body = () => undefined] = door
          const send = async (id: number) => {
            await scene.ready()
            const { status, errors, body: responseBody } = await attacker()[method](path(id), body(id) as never)
            if (method !== 'get') scene.changed()
            return { status, errors, data: responseBody.data, total: responseBody.meta }
          }
          expect(await send(1)).toEqual(await send(999))
        },
      )
    })
  },
  { fixture: 'tenants' },
)

function expectNothingOfAlpha({ body }: TestResponse): void {
  const { links: _, errors, ...visible } = body as unknown as Record<string, unknown>
  expect(JSON.stringify(visible)).not.toMatch(/alpha|7\d\d\d\d|"views":7\d|"hours":71/)
  expect(JSON.stringify(errors ?? '')).not.toMatch(/alpha (?!label)/)
}
