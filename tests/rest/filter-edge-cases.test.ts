import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { fixtureClient, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: filter edge cases', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it.each([
    ['[', ']', 13],
    ['{"a":', '}', 12],
    ['{"a":[', ']}', 12],
  ])('%s: rejects Json that is nested too deeply with 400', async (open, close, maxDepth) => {
    const value = (depth: number) => encodeURIComponent(open.repeat(depth) + '1' + close.repeat(depth))
    expect((await rest.get(`/profile?filter[settings]=${value(maxDepth)}`)).status).toBe(200)
    for (const query of [`filter[settings]=${value(maxDepth + 1)}`, `filter[settings$ne]=${value(5000)}`]) {
      const { status, errors } = await rest.get(`/profile?${query}`)
      expect([status, errors[0]?.code]).toEqual([400, 'limit-exceeded'])
    }
    const expression = `equals(settings,'${value(5000)}')`
    expect((await rest.get(`/profile?filter=${expression}`)).status).toBe(400)
  })

  it('accepts any number of brackets in strings', async () => {
    expect((await rest.get(`/post?filter[title]=${'['.repeat(50)}`)).status).toBe(200)
    expect((await rest.get(`/profile?filter[settings]=${encodeURIComponent(`"${'['.repeat(50)}"`)}`)).status).toBe(200)
  })

  it.each(['settings.0', 'settings.-1', 'settings.%2B0', 'settings.%200', 'settings.a.-2'])(
    '%s: rejects a list index in a Json path with 400',
    async (path) => {
      expect((await rest.get(`/profile?filter[${path}]=a`)).status).toBe(400)
    },
  )

  it('rejects a parameter without a name with 400 and no source', async () => {
    const { status, errors } = await rest.get('/post?=1')
    expect([status, errors[0]?.source]).toEqual([400, undefined])
  })

  it.each([
    ['filter[title][$no]=x', '"$no" is neither a field nor an operator here.'],
    [
      'filter[title][$ne]=x',
      '"$ne" is neither a field nor an operator here. In separate brackets, omit the "$": [ne].',
    ],
    ['filter[title$contains][$ne]=x', '"$ne" is neither a field nor an operator here.'],
    ['filter[$no]=x', '"post" has no field "$no".'],
    ['filter[author][$no]=x', '"user" has no field "$no".'],
    ['filter[title$no]=x', '"title" has no operator "$no".'],
  ])('%s: names the cause in the error', async (query, detail) => {
    const { status, errors } = await rest.get(`/post?${query}`)
    expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining(detail)])
  })

  it('rejects $iequals with 400 only on SQLite', async () => {
    // SQLite has no case-insensitive equality.
    const expected = db.provider === 'sqlite' ? 400 : 200
    for (const [query, detail] of [
      ['filter[title$iequals]=x', 'The database does not support the operator "$iequals".'],
      ['filter[author][name$iequals]=x', 'The database does not support the operator "$iequals".'],
      [
        "filter=not(iequals(title,'x'))",
        '"title" at character 19 of filter: the database does not support the operator "$iequals".',
      ],
    ]) {
      const { status, errors } = await rest.get(`/post?${query}`)
      expect([query, status, errors?.[0]?.detail]).toEqual([query, expected, expected === 400 ? detail : undefined])
    }
  })

  it('applies limits.filterCost equally with and without a total', async () => {
    const limited = restClient(db, { limits: { filterCost: 12 } })
    const filter = 'filter[title$contains]=e&sort=title'
    expect((await limited.get(`/post?${filter}`)).status).toBe(200)
    expect((await limited.get(`/post?${filter}&page[total]=none`)).status).toBe(200)
    expect((await limited.get(`/post?${filter}&page[after]=`)).status).toBe(200)
    expect((await limited.get(`/user/1/posts?${filter}&page[total]=none`)).status).toBe(200)
    expect((await limited.get('/post?include=comments&includeFilter[comments][body$contains]=e')).status).toBe(200)
  })
})

describeDatabases(
  'REST: lists of bytes',
  (db) => {
    it('rejects hasSome and hasEvery with 400', async () => {
      const rest = fixtureClient(db)
      expect((await rest.get('/scalars?filter[bytesList$has]=AAAA')).status).toBe(200)
      for (const operator of ['hasSome', 'hasEvery']) {
        const { status, errors } = await rest.get(`/scalars?filter[bytesList$${operator}]=AAAA`)
        expect([status, errors[0]?.code]).toEqual([400, 'unsupported-operator'])
      }
    })
  },
  { fixture: 'kitchen-sink' },
)
