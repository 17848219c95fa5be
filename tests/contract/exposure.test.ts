import { expect } from 'vitest'

import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'
import { same } from './same.js'

const allows = (methods: string) => (response: TestResponse) => expect(response.headers.get('Allow')).toBe(methods)

async function fillAccount({ orm }: Pick<Database<'annotations'>, 'orm'>): Promise<void> {
  const account = { id: 'a', handle: 'ann', email: 'ann@example.org', password: 'secret-ann', notes: 'secret-note' }
  const sessions = { create: { token: 'secret-token' } }
  const secrets = { create: { key: 'k', value: 'secret-value' } }
  await orm.account.create({ data: { ...account, sessions, secrets, invoices: { create: { number: 'I1' } } } })
}

describeContract(
  'exposure',
  ({ rule, rest, rpc }) => {
    const account = (members: object) => ({ data: { type: 'account', ...members } })

    rule('2.2, 7.1', 'responds with 404 for hidden models')
    rest(['/session', '/session/1', '/Session', '/account/a/sessions', '/account/a/relationships/sessions'], 404)
    rule('7.3', 'has no operations of a kind that the model does not allow')
    rpc('feedback.exists', {}, 404)

    rule('2.2', 'omits hidden fields and relations from responses')
    const isClean = ({ text }: TestResponse) =>
      expect(text).not.toMatch(/secret-|notes|password|token|sessions|"secrets"|"value"/)
    rest(['/account', '/account/a?include=invoices', '/secret', '/secret/k?include=account'], 200, isClean)
    const hasKey = ({ one: { attributes, relationships } }: TestResponse) => {
      expect(attributes).toEqual({ key: 'k' })
      expect(relationships?.['account']?.data).toEqual({ type: 'account', id: 'a' })
    }
    rest('/secret/k', 200, hasKey)

    const rejectsLikeUnknown = (query: string, hidden: string) => {
      const names = new RegExp(`${hidden}|nothing`, 'g')
      const [remembers, isSame] = same(({ text }: TestResponse) => text.replaceAll(names, '…'))
      rest(`/account?${query.replace('$', hidden)}`, 400, remembers)
      rest(`/account?${query.replace('$', 'nothing')}`, 400, isSame)
    }
    const path = 'include=invoices.account.$'
    for (const [hidden, ...queries] of [
      ['notes', 'fields[account]=$', 'filter[$]=x', 'filter[$$startsWith]=x', 'sort=$'],
      ['sessions', 'fields[account]=$', 'filter[$][token]=x', 'sort=$.token', 'include=$', path],
      ['secrets', 'include=$'],
    ] as const) {
      rule('2.2, 7.1', `${hidden}: rejects a hidden member like an unknown name with 400`)
      for (const query of queries) rejectsLikeUnknown(query, hidden)
    }

    rule('2.2, 7.1', 'rejects writes of hidden members with 422 and of read-only members with 403')
    rest('PATCH /account/a', account({ attributes: { notes: 'x' } }), 422, 'unknown-attribute /data/attributes/notes')
    const sessions = 'unknown-relationship /data/relationships/sessions'
    rest('PATCH /account/a', account({ relationships: { sessions: { data: [] } } }), 422, sessions)
    const createdAt = 'read-only /data/attributes/createdAt'
    rest('PATCH /account/a', account({ attributes: { createdAt: '2024-01-01' } }), 403, createdAt)
    const invoices = { errors: [{ code: 'read-only' }] }
    rest('PATCH /account/a', account({ relationships: { invoices: { data: [] } } }), 403, invoices)

    rule('4.1, 7.1', 'rejects disabled operations with 405 and writes of read-only relationships with 403')
    rest('POST /account', account({ attributes: {} }), 405, allows('GET, HEAD'))
    rest('DELETE /account/a', 405, allows('GET, HEAD, PATCH, PUT'))
    rest('PATCH /invoice/1', { data: { type: 'invoice' } }, 405)
    rest('/feedback', 405)
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      rest(`${method} /account/a/relationships/invoices`, { data: [] }, 403, 'unsupported-change')
    rule('4.1', 'creates a resource that cannot be read, without links')
    const isUnlinked = ({ one, headers }: TestResponse) =>
      expect([one.links, headers.get('Location')]).toEqual([undefined, null])
    rest('POST /feedback', { data: { type: 'feedback', attributes: { text: 'x' } } }, 201, isUnlinked)

    rule('7.1', 'validates written values of each type')
    const text = { handle: 'X', email: 'nope', password: 'short', plan: 'TEAM', homepage: 'http://x.org' }
    const bad = { ...text, age: 151, balance: '-1.5', ratio: 2, views: '-1', trialEnds: '2019-01-01' }
    const pointers = Object.keys(bad).map((name) => `/data/attributes/${name}`)
    const hasPointers = ({ errors }: TestResponse) =>
      expect(errors.map(({ source }) => source?.pointer)).toEqual(expect.arrayContaining(pointers))
    rest('PATCH /account/a', account({ attributes: bad }), 422, hasPointers)
    rule('4.1', 'accepts valid values of each type')
    const good = { age: null, balance: '1.10', views: '9007199254740993', homepage: 'https://x.org' }
    rest('PATCH /account/a', account({ attributes: good }), 200)
    rule('7.1', 'rejects a float that Prisma would round to infinity with 422')
    rest('/account?filter[ratio$lt]=1.7976931348623157e308', 422, { errors: [{ code: 'invalid-value' }] })
    rest('/account?filter[ratio$lt]=1.797693134862315e308', 200)
  },
  { fixture: 'annotations', fill: fillAccount },
)

describeContract(
  'unusual names',
  ({ rule, rest, rpc, finally: after }) => {
    const create = (type: string, members: object) => ({ data: { type, ...members } })

    rule('2.2', 'accepts names of Object members as attributes, filters and sort fields')
    const attributes = { constructor: 'a', toString: 'b', prototype: 'c' }
    rest('POST /object', create('object', { id: '1', attributes }), 201, { data: { attributes } })
    rest('/object?filter[constructor]=a&sort=toString', 200, ['1'])
    const hasToString = ({ many }: TestResponse) => expect(many[0]?.attributes).toEqual({ toString: 'b' })
    rest('/object?fields[object]=toString', 200, hasToString)

    /** Sends plain JSON, because superjson rejects such keys. */
    const send = (request: string, args: object, status: number, expected?: object) => {
      const isExpected = ({ body }: RpcResponse) => expected && expect(body.data).toEqual(expected)
      rpc({ send: request, raw: JSON.stringify(args) }, null, status, isExpected)
    }
    for (const name of ['constructor', 'toString', 'prototype']) {
      rule('4.3', `${name}: behaves like any other field in reads and writes`)
      const row = { id: 1, constructor: null, toString: null, prototype: null }
      send('POST /object/create', { data: { id: 1, [name]: 'a' } }, 201, { ...row, [name]: 'a' })
      send('POST /object/createMany', { data: [{ id: 2, [name]: 'b' }] }, 201)
      const update = { where: { id: 2 }, data: { [name]: { set: 'c' } } }
      send('PATCH /object/update', update, 200, { ...row, id: 2, [name]: 'c' })
      const where = { [name]: { startsWith: 'c' } }
      const { id: _, ...others } = row
      send('POST /object/findMany', { where, select: { [name]: true }, distinct: name }, 200, [{ [name]: 'c' }])
      const last = { orderBy: { [name]: 'desc' }, omit: { id: true } }
      send('POST /object/findFirst', last, 200, { ...others, [name]: 'c' })
      const groups = { by: name, having: { [name]: 'c' }, _count: { [name]: true }, orderBy: { [name]: 'asc' } }
      send('POST /object/groupBy', groups, 200, [{ [name]: 'c', _count: { [name]: 1 } }])
      send('POST /object/aggregate', { _max: { [name]: true } }, 200, { _max: { [name]: 'c' } })

      rule('7.3', `${name}: rejects it like an unknown name with 400 if the model lacks it`)
      for (const args of [{ where: { [name]: 'a' } }, { select: { [name]: true } }, { [name]: {} }]) {
        const raw = JSON.stringify(args)
        const names = new RegExp(`${name}|nope`, 'g')
        const [remembers, isSame] = same(({ body }: RpcResponse) => body.message?.replaceAll(names, '…'))
        rpc({ send: 'POST /hono/findMany', raw }, null, 400, remembers)
        rpc({ send: 'POST /hono/findMany', raw: raw.replace(name, 'nope') }, null, 400, isSame)
      }
    }
    rule('7.3', 'rejects __proto__ with 400 at every position')
    for (const where of ['{"__proto__":{"id":1}}', '{},"__proto__":{}', '{},"select":{"id":true,"__proto__":true}'])
      rpc({ send: 'POST /object/findMany', raw: `{"where":${where}}` }, null, 400)

    rule('2.2', 'accepts reserved names')
    const plain = { type: 'z', kind_: 'y' }
    rest('POST /ticket', create('ticket', { id: '9', attributes: plain }), 201, { data: { attributes: plain } })
    rule('2.2', 'renames fields with reserved names in strict mode', { options: { strict: true } })
    const renamed = { ticketType: 'a', kind: 'b', links: 'c' }
    rest('POST /ticket', create('ticket', { id: '1', attributes: renamed }), 201, { data: { attributes: renamed } })
    rest('/ticket?filter[ticketType]=a&filter[kind$contains]=b&sort=-ticketType', 200, ['1'])
    const hasKind = ({ many }: TestResponse) => expect(many[0]?.attributes).toEqual({ kind: 'b' })
    rest('/ticket?fields[ticket]=kind', 200, hasKind)
    rest(['/ticket?filter[type]=a', '/ticket?sort=kind_', '/ticket?fields[ticket]=kind_'], 400)
    const type = 'unknown-attribute /data/attributes/type'
    rest('PATCH /ticket/1', create('ticket', { attributes: { type: 'x' } }), 422, [type])
    rest('POST /ticket', create('ticket', { id: '2' }), 422, /^The attribute "ticketType" is required\.$/)
    const stored = { type: 'a', kind_: 'b', links: 'c' }
    const isStored = async ({ orm }: Database<'names'>) =>
      expect(await orm.ticket.findUnique({ where: { id: 1 } })).toMatchObject(stored)
    after(isStored)

    rule('4.2', 'filters by fields with the names of Prisma keywords, except for logical operators')
    const words = { is: 'a', data: 'b', where: 'c', set: 'd', not: 'e' }
    rest('POST /word', create('word', { id: '1', attributes: words }), 201)
    const relationships = { data: { data: { type: 'word', id: '1' } } }
    rest('POST /sentence', create('sentence', { id: '1', relationships }), 201)
    rest('/word?filter[data]=b&filter[where$contains]=c&filter[set]=d&sort=not', 200, ['1'])
    rest('/sentence?filter[data][is]=a&filter[data][where]=c&include=data', 200, ['1'])
    rest('/word?filter[not]=e', 400, { errors: [{ source: { parameter: 'filter[not]' } }] })

    rule('2.2', 'serves models under their names in lower case')
    rest('POST /user_profile', create('user_profile', { id: '1', attributes: { full_name: 'x' } }), 201)
    rest(['/httpserver2', '/a_1', '/a1', '/class'], 200)
    rest('/user_profile/1', 200, { data: { links: { self: `${ENDPOINT}/user_profile/1` } } })
  },
  { fixture: 'names', fill: () => Promise.resolve() },
)
