import { expect } from 'vitest'

import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import { describeContract } from './describe-contract.js'

const UUID = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'

/** Returns the path of a resource. A URL cannot contain three values of a segment, so their ids have a leading percent sign. */
const pathOf = (type: string, id: string) => `/${type}/${encodeURIComponent(id)}`

const hasLocation = (path: string) => (response: TestResponse) =>
  expect(response.headers.get('Location')).toBe(`${ENDPOINT}${path}`)

describeContract(
  'ids of every type',
  ({ rule, rest, rpc }) => {
    for (const [type, id, attributes] of [
      ['uuidkey', UUID, { name: 'x' }],
      ['datekey', '2024-02-29T12:30:00.123Z', {}],
      ['enumkey', 'GREEN', { label: 'x' }],
      ['decimalkey', '12345678901234567890.5', { label: 'x' }],
      ['byteskey', 'AP8H/+8=', { label: 'x' }],
      ['flagkey', 'true', { label: 'x' }],
      ...['a_b', '%..', '%', '%%', '%%.', 'ü/? #&%41+'].map((word) => ['keyword', word, {}] as const),
      ['namedkey', '7_a%5Fb%25', { c: 1, email: 'e' }],
      ['compoundkey', 'ten%5Fant_2024-02-29T00:00:00.000Z_9007199254740993', { label: 'x' }],
      ['uniqueonly', 'c', { label: 'x' }],
      ['compounduniqueonly', 'north_5', { label: 'x' }],
    ] as const) {
      rule('2.4', `accepts the id "${id}" of ${type} in bodies, links and URLs`)
      const path = pathOf(type, id)
      rest(`POST /${type}`, { data: { type, id, attributes } }, 201, hasLocation(path))
      rest(path, 200, { data: { id } })
      rest(`/${type}?filter[id]=${encodeURIComponent(id.replaceAll(/[\\,]/g, '\\$&'))}`, 200, [id])
      rest(`PATCH ${path}`, { data: { type, id } }, 200)
      rest(`DELETE ${path}`, 204)
    }

    rule('2.4', 'returns distinct ids for distinct rows', {
      prepare: ({ orm }) =>
        orm.namedKey.createMany({
          data: [
            { a: 1, b: '2_3', c: 1, email: 'a' },
            { a: 1, b: '2%5F3', c: 2, email: 'b' },
          ],
        }),
    })
    const twins = ['1_2%5F3', '1_2%255F3'].map((id) => ({ id, links: { self: ENDPOINT + pathOf('namedkey', id) } }))
    rest('/namedkey?sort=c', 200, { data: twins })
    rest('/namedkey/1_2%255F3', 200, { data: { attributes: { b: '2_3', c: 1 } } })
    rest('/namedkey/1_2%25255F3', 200, { data: { attributes: { b: '2%5F3', c: 2 } } })

    rule('2.4, 7.1', 'responds with 404 to an invalid id or another spelling of an id', {
      prepare: async ({ orm }) => {
        await orm.dateKey.create({ data: { day: new Date('2024-02-29') } })
        await orm.decimalKey.createMany({ data: [1.5, 0].map((amount) => ({ amount, label: 'x' })) })
        await orm.bytesKey.create({ data: { hash: new Uint8Array([0]), label: 'x' } })
        await orm.uuidKey.create({ data: { id: UUID, name: 'x' } })
      },
    })
    const spellings = {
      enumkey: ['r'],
      flagkey: ['1'],
      datekey: ['today', '2024-02-29', '2024-02-29T00:00:00Z', '2024-02-29T01:00:00.000%2B01:00'],
      byteskey: ['!', 'AB=='],
      decimalkey: ['x', '1.50', '01.5', '15e-1', '-0'],
      namedkey: ['1_a_b', '1_%255f'],
      uuidkey: ['nope', UUID.toUpperCase()],
    }
    for (const [type, ids] of Object.entries(spellings)) for (const id of ids) rest(`/${type}/${id}`, 404, 'not-found')

    for (const [type, spelling, id, attributes] of [
      ['datekey', '2024-02-29', '2024-02-29T00:00:00.000Z', {}],
      ['decimalkey', '01.50', '1.5', { label: 'x' }],
      ['decimalkey', '25e-2', '0.25', { label: 'x' }],
      ['uuidkey', UUID.toUpperCase(), UUID, { name: 'x' }],
    ] as const) {
      rule('2.4', `normalizes the id "${spelling}" of a created ${type}`)
      rest(`POST /${type}`, { data: { type, id: spelling, attributes } }, 201, hasLocation(pathOf(type, id)))
      rest(pathOf(type, id), 200, { data: { id } })
    }

    rule('2.1, 2.4', 'accepts a compound unique in externalIdMapping', {
      options: { externalIdMapping: { NamedKey: 'b_c' } },
      prepare: ({ orm }) => orm.namedKey.create({ data: { a: 1, b: 'x_y', c: 2, email: 'a' } }),
    })
    rest('/namedkey', 200, ['x%5Fy_2'])
    rest('/namedkey/x%255Fy_2', 200, { data: { attributes: { a: 1, b: 'x_y', c: 2 } } })

    rule('4.2', 'names the field of an id that does not support cursors')
    for (const [type, name] of [
      ['enumkey', 'color'],
      ['byteskey', 'hash'],
    ] as const) {
      const detail = `"${type}" does not support cursors, because its id contains "${name}". Use page[offset].`
      rest(`/${type}?page[after]=`, 400, { errors: [{ detail, source: { parameter: 'sort' } }] })
      rest(`/${type}?page[offset]=0`, 200)
    }

    const upsert = (name: string) => ({
      data: { type: 'uuidkey', id: UUID, attributes: { name } },
      meta: { operation: 'upsert', matchFields: ['id'] },
    })
    rule('4.1', 'upserts by a client-generated id')
    rest('POST /uuidkey', upsert('a'), 201)
    rest('POST /uuidkey', upsert('b'), 200, { data: { id: UUID, attributes: { name: 'b' } } })

    rule('4.1', 'rejects upserts by a generated id, and does not create anything')
    for (const [id, attributes, status] of [
      [undefined, { tenant: 'a' }, 400],
      [undefined, { tenant: 'a', id: 1 }, 422],
      ['1', { tenant: 'a' }, 403],
    ] as const)
      rest('POST /seat', { ...upsert(''), data: { type: 'seat', id, attributes } }, status)
    rest('/seat', 200, [])

    rule('7.1, 7.3', 'reports a duplicate value of a mapped column by its field name with 409', {
      prepare: ({ orm }) => orm.uniqueOnly.create({ data: { code: 'x', alias: 'alias', label: 'X' } }),
    })
    const message = 'A record with the same alias already exists.'
    const attributes = { alias: 'alias', label: 'x' }
    rest('POST /uniqueonly', { data: { type: 'uniqueonly', id: 'other', attributes } }, 409, {
      errors: [{ status: 409, detail: message, source: { pointer: '/data/attributes/alias' } }],
    })
    rpc('uniqueOnly.create', { data: { code: 'other', ...attributes } }, 409, { code: 'P2002', message })

    rule('7.1, 7.3', 'names the fields of violated constraints whose names in the database differ from the schema', {
      prepare: ({ orm }) => orm.namedKey.create({ data: { a: 1, b: 'x', c: 1, d: 'd', email: 'e', code: 'k' } }),
    })
    const free = { a: 2, b: 'y', c: 2, d: 'f', email: 'f', code: 'l' }
    for (const taken of [{ a: 1, b: 'x' }, { b: 'x', c: 1 }, { c: 1, d: 'd' }, { email: 'e' }, { code: 'k' }]) {
      const names = Object.keys(taken)
      const all = { ...free, ...taken }
      rest('POST /namedkey', { data: { type: 'namedkey', attributes: all } }, 409, {
        errors: [{ code: 'unique-violation', meta: { fields: names } }],
      })
      rpc('namedKey.create', { data: all }, 409, {
        code: 'P2002',
        issues: names.map((name) => ({ path: ['data', name] })),
      })
    }

    const id = { tenant: 'counted', day: new Date(Date.UTC(2024, 0, 1)), number: 7n }
    const args = { where: { tenant_day_number: id, label: 'x' }, data: { label: 'y' }, include: { lines: true } }
    for (const [includedRows, status] of [
      [1, 400],
      [2, 200],
    ] as const) {
      rule('8', `counts the members of a row with a compound id before writing it: limit ${includedRows}`, {
        options: { limits: { includedRows } },
        prepare: ({ orm }) => orm.compoundKey.create({ data: { ...id, label: 'x', lines: { create: [{}, {}] } } }),
      })
      rpc('compoundKey.update', args, status)
    }
  },
  { fixture: 'kitchen-sink', fill: () => Promise.resolve() },
)
