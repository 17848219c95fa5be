import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { fixtureClient, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: filters beyond what is meant', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it.each(['[', '{"a":'])('refuses Json that nests too deep: %s', async (open) => {
    const close = open === '[' ? ']' : '}'
    const value = (depth: number) => encodeURIComponent(open.repeat(depth) + '1' + close.repeat(depth))
    expect((await rest.get(`/profile?filter[settings]=${value(12)}`)).status).toBe(200)
    for (const query of [`filter[settings]=${value(13)}`, `filter[settings$ne]=${value(5000)}`]) {
      const { status, errors } = await rest.get(`/profile?${query}`)
      expect([status, errors[0]?.code]).toEqual([400, 'limit-exceeded'])
    }
    const expression = `equals(settings,'${value(5000)}')`
    expect((await rest.get(`/profile?filter=${expression}`)).status).toBe(400)
  })

  it('takes brackets in texts for what they are', async () => {
    expect((await rest.get(`/post?filter[title]=${'['.repeat(50)}`)).status).toBe(200)
    expect((await rest.get(`/profile?filter[settings]=${encodeURIComponent(`"${'['.repeat(50)}"`)}`)).status).toBe(200)
  })

  it.each(['settings.0', 'settings.-1', 'settings.%2B0', 'settings.%200', 'settings.a.-2'])(
    'has no places of lists: %s',
    async (path) => {
      expect((await rest.get(`/profile?filter[${path}]=a`)).status).toBe(400)
    },
  )

  it('says that a parameter has no name, without a source that has none', async () => {
    const { status, errors } = await rest.get('/post?=1')
    expect([status, errors[0]?.source]).toEqual([400, undefined])
  })

  it('costs half where nothing is counted', async () => {
    const limited = restClient(db, { limits: { filterCost: 15 } })
    const filter = 'filter[title$contains]=e&sort=title'
    expect((await limited.get(`/post?${filter}`)).status).toBe(400)
    expect((await limited.get(`/post?${filter}&page[total]=none`)).status).toBe(200)
    expect((await limited.get(`/post?${filter}&page[after]=`)).status).toBe(200)
    expect((await limited.get(`/user/1/posts?${filter}&page[total]=none`)).status).toBe(200)
    expect((await limited.get('/post?include=comments&includeFilter[comments][body$contains]=e')).status).toBe(200)
  })
})

describeDatabases(
  'REST: lists of bytes',
  (db) => {
    it('are not asked for several at once, which the client does wrong', async () => {
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
