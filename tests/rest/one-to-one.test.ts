import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillTenants } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureClient, MEDIA_TYPE, type RestClient } from './support/client.js'

/** Sends `patch /post/1`. */
function send(rest: RestClient, request: string, body: object): Promise<TestResponse> {
  const [method, path = ''] = request.split(' ')
  if (method !== 'post' && method !== 'patch' && method !== 'put') throw new Error(request)
  return rest[method](path, body)
}

const ATOMIC = { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` }
const operate = (rest: RestClient, ...operations: readonly object[]) =>
  rest.post('/operations', { 'atomic:operations': operations }, ATOMIC)

const to = (type: string, id: number) => ({ data: { type, id: String(id) } })
const outcome = ({ status, errors }: TestResponse) => [status, errors[0]?.code, errors[0]?.source?.pointer]
const statuses = (responses: readonly TestResponse[]) => responses.map(({ status }) => status).toSorted()

const newDocument = (secret: number) => {
  const relationships = { secret: to('secret', secret), project: to('project', 3), author: to('member', 3) }
  return { data: { type: 'document', attributes: { title: 'new' }, relationships } }
}
const newSecret = (document: number) => {
  const relationships = { document: to('document', document) }
  return { data: { type: 'secret', attributes: { value: 'new' }, relationships } }
}
const change = (type: string, id: number, relationships: object) => ({ data: { type, id: String(id), relationships } })
const changeSecret = (id: number, document: number) => change('secret', id, { document: to('document', document) })
const changeDocument = (id: number, secret: number, more: object = {}) =>
  change('document', id, { secret: to('secret', secret), ...more })

const HERE = '/data/relationships/document/data'
const THERE = '/data/relationships/secret/data'
const LABELS = { labels: { data: [{ type: 'label', id: '1' }] } }

/**
 * Document 1 has secret 1 and document 3 has secret 2. Document 2 and secret 3 are free. Each request takes over a
 * connected row. A row has its foreign key here (secret) or there (document). The last one is the JSON pointer to the linkage.
 */
const TAKING: readonly (readonly [name: string, request: string, body: { readonly data: object }, pointer: string])[] =
  [
    ['create, key here', 'post /secret', newSecret(1), HERE],
    ['create, key there', 'post /document', newDocument(1), THERE],
    ['update, key here', 'patch /secret/3', changeSecret(3, 1), HERE],
    ['update, key there', 'patch /document/2', changeDocument(2, 1), THERE],
    ['update of a row that has another, key here', 'put /secret/2', changeSecret(2, 1), HERE],
    ['update of a row that has another, key there', 'put /document/3', changeDocument(3, 1), THERE],
    ['update with a to-many relationship', 'patch /document/2', changeDocument(2, 1, LABELS), THERE],
    ['relationship, key here', 'patch /secret/3/relationships/document', to('document', 1), '/data'],
    ['relationship, key there', 'patch /document/2/relationships/secret', to('secret', 1), '/data'],
    ['nested create', 'post /project/3/documents', newDocument(1), THERE],
    ['nested update', 'patch /project/3/documents/3', changeDocument(3, 1), THERE],
  ]

/** Returns the corresponding operation, or undefined for nested routes, which operations do not have. */
function operationOf(request: string, body: object): object | undefined {
  const [method, type, id, relationships, relationship] = request.split(/ ?\//)
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
    const ofBoth = <T extends readonly unknown[]>(rows: readonly T[]) =>
      rows.flatMap((row) => CLIENTS.map((client) => [client, ...row] as const))

    it.each(ofBoth(TAKING))(
      '%s client, %s: does not take a resource',
      async (client, _name, request, body, pointer) => {
        const rest = each(client)
        const before = await links()
        expect(outcome(await send(rest, request, body))).toEqual([409, 'unique-violation', pointer])
        const operation = operationOf(request, body)
        if (operation) {
          const response = await operate(rest, operation)
          expect(outcome(response)).toEqual([409, 'unique-violation', `/atomic:operations/0${pointer}`])
        }
        expect(await links()).toEqual(before)
      },
    )

    it.each(CLIENTS)('%s client: connects free and already connected resources', async (client) => {
      for (const [request, body] of [
        ['patch /secret/1', changeSecret(1, 1)],
        ['patch /document/1', changeDocument(1, 1)],
        ['patch /secret/1/relationships/document', to('document', 1)],
        ['patch /document/1/relationships/secret', to('secret', 1)],
        ['patch /document/2/relationships/secret', to('secret', 3)],
        ['patch /document/2', change('document', 2, { secret: { data: null } })],
        ['patch /secret/3', changeSecret(3, 4)],
        // Replaces the document's secret with a free one.
        ['post /secret', { data: { type: 'secret', attributes: { value: 'four' } } }],
        ['patch /document/4', changeDocument(4, 4)],
        ['post /document', newDocument(3)],
      ] as const) {
        const { status, text } = await send(each(client), request, body)
        expect([request, status < 300 ? 'done' : text]).toEqual([request, 'done'])
      }
      expect(JSON.stringify(await links())).toBe('[[1,1],[2,3],[3,5],[4,4]]')
    })

    it.each(CLIENTS)('%s client: returns 404 if the target does not exist', async (client) => {
      for (const [, request, body] of TAKING) {
        const text = JSON.stringify(body).replaceAll(/("type":"(?:secret|document)","id":)"1"/g, '$1"99"')
        expect([request, (await send(each(client), request, JSON.parse(text))).status]).toEqual([request, 404])
      }
    })

    it.each(CLIENTS)('%s client: frees and connects a resource in one atomic request', async (client) => {
      const rest = each(client)
      const free = { op: 'update', ...change('secret', 1, { document: { data: null } }) }
      const take = { op: 'update', ...changeSecret(3, 1) }
      expect(outcome(await operate(rest, take, free))).toEqual([409, 'unique-violation', `/atomic:operations/0${HERE}`])
      expect((await operate(rest, free, take)).status).toBe(200)
      const back = [
        { op: 'update', ref: { type: 'document', id: '1', relationship: 'secret' }, data: null },
        { op: 'update', ref: { type: 'document', id: '2', relationship: 'secret' }, ...to('secret', 3) },
      ]
      expect((await operate(rest, ...back)).status).toBe(200)
      expect((await links()).at(-1)).toEqual([3, 2])
    })

    const RACES: readonly (readonly [string, readonly (readonly [request: string, body: object])[]])[] = [
      ['key here', [1, 3].map((id) => [`patch /secret/${id}/relationships/document`, to('document', 2)])],
      ['key there', [2, 4].map((id) => [`patch /document/${id}`, changeDocument(id, 3)])],
      ['two creates, key there', [0, 1].map(() => ['post /document', newDocument(3)])],
    ]

    it.each(ofBoth(RACES))(
      '%s client, %s: one of two concurrent requests gets the resource',
      async (client, _name, race) => {
        for (let round = 0; round < 3; round++) {
          const responses = await Promise.all(race.map(([request, body]) => send(each(client), request, body)))
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
        rest.patch('/secret/3', changeSecret(3, id)),
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
