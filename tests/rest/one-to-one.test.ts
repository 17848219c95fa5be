import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillTenants } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type TestResponse, fixtureClient, MEDIA_TYPE, type RestClient, restClient } from './support/client.js'

interface Request {
  readonly method: 'post' | 'patch' | 'put'
  readonly path: string
  readonly body: { readonly data: object }
  /** The JSON pointer to the linkage. */
  readonly pointer?: string
}

const ATOMIC = { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` }
const operate = (rest: RestClient, ...operations: readonly object[]) =>
  rest.post('/operations', { 'atomic:operations': operations }, ATOMIC)

const to = (type: string, id: number) => ({ data: { type, id: String(id) } })
const outcome = ({ status, errors }: TestResponse) => [status, errors[0]?.code, errors[0]?.source?.pointer]
const statuses = (responses: readonly TestResponse[]) => responses.map(({ status }) => status).toSorted()

const newDocument = (secret: number) => ({
  data: {
    type: 'document',
    attributes: { title: 'new' },
    relationships: { secret: to('secret', secret), project: to('project', 3), author: to('member', 3) },
  },
})
const newSecret = (document: number) => ({
  data: { type: 'secret', attributes: { value: 'new' }, relationships: { document: to('document', document) } },
})
const change = (type: string, id: number, relationships: object) => ({ data: { type, id: String(id), relationships } })

const HERE = '/data/relationships/document/data'
const THERE = '/data/relationships/secret/data'

/**
 * Document 1 has secret 1 and document 3 has secret 2. Document 2 and secret 3 are free. Each request takes over a
 * connected row.
 */
const TAKING: Readonly<Record<string, Request>> = {
  'create, foreign key here': { method: 'post', path: '/secret', body: newSecret(1), pointer: HERE },
  'create, foreign key there': { method: 'post', path: '/document', body: newDocument(1), pointer: THERE },
  'update, foreign key here': {
    method: 'patch',
    path: '/secret/3',
    body: change('secret', 3, { document: to('document', 1) }),
    pointer: HERE,
  },
  'update, foreign key there': {
    method: 'patch',
    path: '/document/2',
    body: change('document', 2, { secret: to('secret', 1) }),
    pointer: THERE,
  },
  'update of a row that has another, foreign key here': {
    method: 'put',
    path: '/secret/2',
    body: change('secret', 2, { document: to('document', 1) }),
    pointer: HERE,
  },
  'update of a row that has another, foreign key there': {
    method: 'put',
    path: '/document/3',
    body: change('document', 3, { secret: to('secret', 1) }),
    pointer: THERE,
  },
  'update with a to-many relationship': {
    method: 'patch',
    path: '/document/2',
    body: change('document', 2, { secret: to('secret', 1), labels: { data: [{ type: 'label', id: '1' }] } }),
    pointer: THERE,
  },
  'relationship, foreign key here': {
    method: 'patch',
    path: '/secret/3/relationships/document',
    body: to('document', 1),
    pointer: '/data',
  },
  'relationship, foreign key there': {
    method: 'patch',
    path: '/document/2/relationships/secret',
    body: to('secret', 1),
    pointer: '/data',
  },
  'nested create': { method: 'post', path: '/project/3/documents', body: newDocument(1), pointer: THERE },
  'nested update': {
    method: 'patch',
    path: '/project/3/documents/3',
    body: change('document', 3, { secret: to('secret', 1) }),
    pointer: THERE,
  },
}

/** Returns the corresponding operation, or undefined for nested routes, which operations do not have. */
function operationOf({ method, path, body }: Request): object | undefined {
  const [, type, id, relationships, relationship] = path.split('/')
  if (id !== undefined && relationships !== 'relationships' && relationships !== undefined) return undefined
  if (relationship !== undefined) return { op: 'update', ref: { type, id, relationship }, ...body }
  return { op: method === 'post' ? 'add' : 'update', ...body }
}

describeDatabases(
  'REST: one-to-one relationships',
  (db) => {
    let clients: Readonly<Record<string, RestClient>>

    beforeEach(async () => {
      await db.reset()
      await fillTenants(db)
      await db.orm.secret.create({ data: { value: 'free' } })
      const { can, build } = abilityBuilder()
      can('manage', 'all')
      const options = { atomicOperations: true }
      const orm = db.orm.$extends(withPolicies(build()))
      clients = {
        plain: fixtureClient(db, options),
        policies: fixtureClient({ orm, routes: db.routes }, options),
      }
    })

    const links = async () => {
      const secrets = await db.orm.secret.findMany({ orderBy: { id: 'asc' }, select: { id: true, documentId: true } })
      return secrets.map(({ id, documentId }) => [id, documentId])
    }
    const each = (client: string): RestClient => {
      const found = clients[client]
      if (!found) throw new Error(`There is no client "${client}".`)
      return found
    }
    const CLIENTS = ['plain', 'policies']
    const table = Object.entries(TAKING).flatMap(([name, request]) =>
      CLIENTS.map((client) => [name, client, request] as const),
    )

    it.each(table)('%s, %s client: does not take a resource from its owner', async (_name, client, request) => {
      const { method, path, body, pointer } = request
      const rest = each(client)
      const before = await links()
      expect(outcome(await rest[method](path, body))).toEqual([409, 'unique-violation', pointer])
      const operation = operationOf(request)
      if (operation) {
        const response = await operate(rest, operation)
        expect(outcome(response)).toEqual([409, 'unique-violation', `/atomic:operations/0${pointer}`])
      }
      expect(await links()).toEqual(before)
    })

    it.each(CLIENTS)('%s client: connects free and already connected resources', async (client) => {
      const rest = each(client)
      const requests: readonly (readonly ['patch' | 'post', string, object])[] = [
        ['patch', '/secret/1', change('secret', 1, { document: to('document', 1) })],
        ['patch', '/document/1', change('document', 1, { secret: to('secret', 1) })],
        ['patch', '/secret/1/relationships/document', to('document', 1)],
        ['patch', '/document/1/relationships/secret', to('secret', 1)],
        ['patch', '/document/2/relationships/secret', to('secret', 3)],
        ['patch', '/document/2', change('document', 2, { secret: { data: null } })],
        ['patch', '/secret/3', change('secret', 3, { document: to('document', 4) })],
        // Replaces the document's secret with a free one.
        ['post', '/secret', { data: { type: 'secret', attributes: { value: 'four' } } }],
        ['patch', '/document/4', change('document', 4, { secret: to('secret', 4) })],
        ['post', '/document', newDocument(3)],
      ]
      for (const [method, path, body] of requests) {
        const { status, text } = await rest[method](path, body)
        expect([path, status < 300 ? 'done' : text]).toEqual([path, 'done'])
      }
      expect(await links()).toEqual([
        [1, 1],
        [2, 3],
        [3, 5],
        [4, 4],
      ])
    })

    it.each(CLIENTS)('%s client: returns 404 if the target does not exist', async (client) => {
      const rest = each(client)
      for (const { method, path, body } of Object.values(TAKING)) {
        const text = JSON.stringify(body).replaceAll(/("type":"(?:secret|document)","id":)"1"/g, '$1"99"')
        expect([path, (await rest[method](path, JSON.parse(text))).status]).toEqual([path, 404])
      }
    })

    it.each(CLIENTS)('%s client: frees and connects a resource in one atomic request', async (client) => {
      const rest = each(client)
      const free = { op: 'update', ...change('secret', 1, { document: { data: null } }) }
      const take = { op: 'update', ...change('secret', 3, { document: to('document', 1) }) }
      expect(outcome(await operate(rest, take, free))).toEqual([409, 'unique-violation', `/atomic:operations/0${HERE}`])
      expect((await operate(rest, free, take)).status).toBe(200)
      const back = [
        { op: 'update', ref: { type: 'document', id: '1', relationship: 'secret' }, data: null },
        { op: 'update', ref: { type: 'document', id: '2', relationship: 'secret' }, ...to('secret', 3) },
      ]
      expect((await operate(rest, ...back)).status).toBe(200)
      expect((await links()).at(-1)).toEqual([3, 2])
    })

    const RACES: readonly (readonly [string, (rest: RestClient) => Promise<TestResponse>[]])[] = [
      [
        'foreign key here',
        (rest) => [1, 3].map((id) => rest.patch(`/secret/${id}/relationships/document`, to('document', 2))),
      ],
      [
        'foreign key there',
        (rest) =>
          [2, 4].map((id) => rest.patch(`/document/${id}`, change('document', id, { secret: to('secret', 3) }))),
      ],
      ['two creates, foreign key there', (rest) => [0, 1].map(() => rest.post('/document', newDocument(3)))],
    ]

    it.each(RACES.flatMap(([name, race]) => CLIENTS.map((client) => [name, client, race] as const)))(
      '%s, %s client: one of two concurrent requests gets the resource',
      async (_name, client, race) => {
        for (let round = 0; round < 3; round++) {
          const responses = await Promise.all(race(each(client)))
          expect(statuses(responses).map((status) => (status < 300 ? 'done' : status))).toEqual(['done', 409])
          await db.orm.secret.updateMany({ where: { id: { not: 2 } }, data: { documentId: null } })
        }
      },
    )

    it('does not reveal a taken document that a policy hides', async () => {
      const { can, cannot, build } = abilityBuilder()
      can('manage', 'all')
      cannot('read', 'Document', { id: { in: [1, 2] } })
      const rest = fixtureClient({ orm: db.orm.$extends(withPolicies(build())), routes: db.routes })
      const attempts = [1, 2, 99].map((id) => [
        rest.patch('/secret/3', change('secret', 3, { document: to('document', id) })),
        rest.patch('/secret/3', { data: { type: 'secret', id: '3', attributes: { documentId: id } } }),
        rest.post('/secret', newSecret(id)),
      ])
      const [taken, free, missing] = await Promise.all(
        attempts.map(async (some) => (await Promise.all(some)).map(outcome)),
      )
      expect([taken, free]).toEqual([missing, missing])
    })
  },
  { fixture: 'tenants' },
)

describeDatabases('REST: one-to-one relationships with a required foreign key', (db) => {
  let rest: RestClient
  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db, { atomicOperations: true })
  })

  const user = { type: 'user', attributes: { email: 'new@example.org', password: 'secret-new' } }
  const profile = { profile: to('profile', 1) }
  const upsert = (email: string) => ({
    data: { ...user, attributes: { ...user.attributes, email }, relationships: profile },
    meta: { operation: 'upsert', matchFields: ['email'] },
  })

  it.each<[string, Request['method'], string, object, string]>([
    ['create', 'post', '/user', { data: { ...user, relationships: profile } }, '/data/relationships/profile/data'],
    ['update', 'patch', '/user/2', change('user', 2, profile), '/data/relationships/profile/data'],
    ['relationship', 'patch', '/user/2/relationships/profile', to('profile', 1), '/data'],
    ['upsert that creates', 'post', '/user', upsert('new@example.org'), '/data/relationships/profile/data'],
    ['upsert that updates', 'post', '/user', upsert('ben@example.org'), '/data/relationships/profile/data'],
    [
      'create, foreign key here',
      'post',
      '/profile',
      { data: { type: 'profile', relationships: { user: to('user', 1) } } },
      '/data/relationships/user/data',
    ],
  ])('%s: does not take a resource from its owner', async (_name, method, path, body, pointer) => {
    expect(outcome(await rest[method](path, body))).toEqual([409, 'unique-violation', pointer])
    expect(await db.orm.profile.findMany({ select: { id: true, userId: true } })).toEqual([{ id: 1, userId: 1 }])
  })

  it('keeps the resource that is already connected', async () => {
    expect((await rest.patch('/user/1', change('user', 1, profile))).status).toBe(200)
    expect((await rest.post('/user', upsert('ann@example.org'))).status).toBe(200)
    expect((await rest.patch('/profile/1/relationships/user', to('user', 1))).status).toBe(200)
  })
})
