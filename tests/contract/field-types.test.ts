import { expect } from 'vitest'

import type { TestResponse } from '../rest/support/client.js'
import { describeContract } from './describe-contract.js'
import { toQuery } from './filter-query.js'

const DATE = '2024-01-01T00:00:00.000Z'
const UUID = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const VALUES = {
  text: 'a',
  texts: ['a', 'b,c'],
  flags: [true, false],
  ints: [1, 2],
  big: '9007199254740993',
  bigs: ['9007199254740993'],
  float: 1.5,
  floats: [0.5],
  decimal: '1234567890.1234',
  decimals: ['1.5'],
  at: DATE,
  ats: [DATE],
  json: { a: [1] },
  jsonOpt: null,
  jsons: [{ a: 1 }],
  bytes: 'AP8=',
  bytesList: ['AP8=', ''],
  color: 'GREEN',
  colors: ['RED', 'BLUE'],
}
const OPTIONAL = {
  textOpt: 't',
  flagOpt: true,
  intOpt: 0,
  bigOpt: '1',
  floatOpt: 0,
  decimalOpt: '0.5',
  atOpt: DATE,
  jsonOpt: { a: null },
  bytesOpt: '',
  colorOpt: 'BLUE',
}
const CLEARED = Object.fromEntries(Object.keys(OPTIONAL).map((name) => [name, null]))

const scalars = (attributes: object) => ({ data: { type: 'scalars', attributes } })
const one = (attributes: object) => ({ data: { attributes } })
const allows = (methods: string) => (response: TestResponse) => expect(response.headers.get('Allow')).toBe(methods)

describeContract(
  'types of fields',
  ({ rule, rest, rpc }) => {
    rule('2.5', 'stores and returns fields and lists of each type')
    const types = {
      'data.attributes.big': ['bigint'],
      'data.attributes.bigs.0': ['bigint'],
      'data.attributes.decimals.0': [['custom', 'Decimal']],
      'data.attributes.ats.0': ['Date'],
      'data.attributes.bytesList.1': [['custom', 'Bytes']],
    }
    rest('POST /scalars', scalars(VALUES), 201, { ...one(VALUES), meta: { serialization: { values: types } } })
    const filled = { ...OPTIONAL, texts: [], bigs: [] }
    rest('PATCH /scalars/1', scalars(filled), 200, one(filled))
    rest('PATCH /scalars/1', scalars(CLEARED), 200, one(CLEARED))

    rule('2.5', 'stores null in a required Json field as the JSON value null')
    rest('POST /scalars', scalars({ ...VALUES, json: null }), 201, one({ json: null }))

    /** Adds a rule for filters of a row with `VALUES`: those that match it, and those that do not. */
    const filters = (what: string, matching: readonly string[], others: readonly string[] = []) => {
      rule('4.2', `${what}: matches rows`)
      rest('POST /scalars', scalars(VALUES), 201)
      for (const filter of matching) rest(`/scalars?${toQuery(filter)}`, 200, ['1'])
      for (const filter of others) rest(`/scalars?${toQuery(filter)}`, 200, [])
    }
    filters('member', ['texts$has=a', 'texts$has=b\\,c', 'texts$not$has=nope'], ['texts$has=x'])
    filters('member of a type', ['flags$has=true', 'ints$has=2', 'floats$has=0.5', 'bigs$has=9007199254740993'])
    filters('Date and enum in a list', [`ats$has=${DATE}`, 'colors$hasEvery=RED,BLUE'])
    filters('Decimal and Bytes in a list', ['decimals$hasSome=1.5', 'bytesList$has=AP8='])
    filters('all members', ['texts$hasEvery=a,b\\,c'], ['texts$hasEvery=a,x'])
    filters('any member', ['texts$hasSome=x,a'], ['texts$hasSome=x', 'ints$not$hasSome=2'])
    filters('no members', ['texts$isEmpty=false', 'jsons$isEmpty=false'], ['texts$isEmpty=true'])
    filters('no members, negated', ['texts$not$isEmpty=true'], ['texts$not$isEmpty=false'])
    filters('Json', ['json={"a":[1]}', 'json$ne=null', 'jsonOpt$ne={"a":1}'])
    filters('other Json', [], ['json={"a":[2]}', 'json=null', 'json$ne={"a":[1]}'])
    filters('boolean', ['flag=false', 'flag=true,false', 'flagOpt$ne=true', 'flagOpt$ne=true,false'])
    filters('BigInt', ['big=9007199254740993'], ['big$lt=9007199254740993'])
    filters('Decimal', ['decimal=1234567890.1234', 'decimalOpt$not$between=0,9'], ['decimal$gte=1234567890.1235'])
    filters('Float and enum', ['float$lte=1.5', 'color=GREEN', 'colorOpt$notIn=RED,GREEN'])
    filters('Bytes', ['bytes=AP8=', 'bytesOpt$ne=AP8='])
    filters('UUID', [`database$lt=${LAST_UUID}`, `database$ne=${LAST_UUID}`])
    filters('text', ['text$icontains=A', 'textOpt$not$icontains=a', 'text$iequals=A'], ['text$iequals=%25'])
    filters('full-text search', [], ['text$search=a', 'text$search=words'])
    filters('null', ['textOpt$isNull=true', 'bytesOpt$isNull=true', 'flagOpt$isNull=true'])
    filters('other than null', [], ['textOpt$isNull=false', 'colorOpt$isNull=false'])
    filters('null in Json', ['jsonOpt$isNull=true', 'jsonOpt=null', 'json$isNull=false'])
    filters('other than null in Json', [], ['jsonOpt$isNull=false', 'json$isNull=true', 'jsonOpt$ne=null'])
    filters('negation', ["not(equals(jsonOpt,'{}'))", "not(has(texts,'nope'))"])
    filters('or', ["or(isEmpty(texts),hasSome(ints,'2'))"])
    filters('and', ["and(equals(big,'9007199254740993'),equals(flag,'false'),between(float,'1','2'))"])

    rule('4.2, 7.1', 'rejects an operator that a type does not have with 400')
    const isNull = ['text', 'texts', 'jsons'].map((name) => `${name}$isNull=true`)
    for (const filter of ['texts=a', 'texts$contains=a', 'json$gt=1', 'text$isEmpty=true', ...isNull])
      rest(`/scalars?${toQuery(filter)}`, 400)
    for (const operator of ['hasSome', 'hasEvery'])
      rest(`/scalars?filter[bytesList$${operator}]=AAAA`, 400, { errors: [{ code: 'unsupported-operator' }] })
    for (const name of ['texts', 'json']) rest(`/scalars?sort=${name}`, 400)
    rest('/scalars?filter[database$contains]=a', 400, { errors: [{ code: 'unsupported-operator' }] })

    rule('4.2, 7.1', 'rejects a value of the wrong type with 422')
    const wrong = ['ints$has=x', 'texts$isEmpty=yes', 'colors$has=r', 'json={', 'database=nope', 'database$gt=nope']
    for (const filter of wrong) rest(`/scalars?${toQuery(filter)}`, 422, { errors: [{ code: 'invalid-value' }] })

    rule('4.2', 'matches a NULL list with negated list functions', {
      prepare: async ({ orm, execute }) => {
        const row = { text: 'x', big: 1n, float: 1, decimal: 1, json: {}, bytes: new Uint8Array() }
        await orm.scalars.create({ data: row })
        await execute('UPDATE all_scalars SET texts = NULL')
      },
    })
    for (const name of ['has', 'hasSome', 'hasEvery'])
      rest(`/scalars?${toQuery(`not(${name}(texts,'a'))`)}`, 200, ['1'])

    rule('4.2', 'finds words by full-text search and rejects a malformed search with 400', {
      prepare: ({ orm }) => orm.keyword.createMany({ data: [{ word: 'quick brown foxes' }, { word: 'lazy dogs' }] }),
    })
    rest('/keyword?filter[word$search]=fox', 200, ['quick brown foxes'])
    rest('/keyword?filter[word$search]=fox+%7C+dog&sort=word', 200, ['lazy dogs', 'quick brown foxes'])
    rest('/keyword?filter[word$search]=%26%26', 400)

    rule('2.5', 'accepts values for fields that the database generates')
    const values = { text: 'x', big: '1', float: 1, decimal: '1', json: {}, bytes: 'AA==' }
    rest('POST /scalars', scalars({ ...values, database: UUID }), 201, one({ database: UUID }))
    rpc('scalars.create', { data: { ...values, database: UUID } }, 201, { database: UUID })
    rpc('scalars.update', { where: { id: 1 }, data: { database: LAST_UUID } }, 200, { database: LAST_UUID })
    rpc('scalars.create', { data: { ...values, id: 99 } }, 403)

    rule('4.1, 7.1', 'rejects writes to views, and creates that Prisma does not support, with 405')
    rest('POST /personstats', { data: { type: 'personstats' } }, 405, allows('GET, HEAD'))
    rest('POST /requiredunsupported', { data: { type: 'requiredunsupported', attributes: { label: 'x' } } }, 405)
  },
  { fixture: 'kitchen-sink', fill: () => Promise.resolve() },
)
