import { beforeAll, describe, expect, it } from 'vitest'

import { didYouMean } from '../../runtime/errors/did-you-mean.js'
import { describeDatabases } from '../support/databases.js'
import { restClient, type RestClient } from '../rest/support/client.js'

const NAMES = ['patient', 'category', 'salesOrder', 'tag', 'appointment']

describe('didYouMean', () => {
  it.each([
    ['patients', 'patient'],
    ['Patients', 'patient'],
    ['PATIENT', 'patient'],
    ['pateint', 'patient'],
    ['patiant', 'patient'],
    ['categories', 'category'],
    ['sales-order', 'salesOrder'],
    ['sales_orders', 'salesOrder'],
    ['tags', 'tag'],
    ['tga', undefined],
    ['post', undefined],
    ['x', undefined],
    ['', undefined],
    ['patient'.repeat(1000), undefined],
  ])('%s: suggests %s', (name, expected) => {
    expect(didYouMean(name, NAMES)).toBe(expected === undefined ? '' : ` Did you mean "${expected}"?`)
  })
})

describeDatabases(
  'unknown model',
  (db) => {
    let rest: RestClient
    let mapped: RestClient
    beforeAll(() => {
      rest = restClient(db, { atomicOperations: true })
      mapped = restClient(db, { modelNameMapping: { Post: 'articles' } })
    })

    it.each([
      ['/posts', 'Unknown model "posts". Did you mean "post"?'],
      ['/Users/1', 'Unknown model "Users". Did you mean "user"?'],
      ['/catagories', 'Unknown model "catagories". Did you mean "category"?'],
      ['/nothing', 'Unknown model "nothing".'],
    ])('REST %s: responds with 404 and a suggestion', async (path, detail) => {
      const { status, errors } = await rest.get(path)
      expect([status, errors[0]?.code, errors[0]?.detail]).toEqual([404, 'unsupported-model', detail])
    })

    it('REST: suggests mapped names only', async () => {
      expect((await mapped.get('/article')).errors[0]?.detail).toMatch(/Did you mean "articles"\?$/)
      for (const path of ['/posts', '/users']) {
        expect((await mapped.get(path)).errors[0]?.detail).toMatch(/^Unknown model "\w+"\.$/)
      }
    })

    it('REST: responds with 404 and suggests a type in an atomic operation', async () => {
      const body = { 'atomic:operations': [{ op: 'remove', ref: { type: 'posts', id: '1' } }] }
      const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
      const { status, errors } = await rest.post('/operations', body, { 'Content-Type': type })
      expect([status, errors[0]?.detail]).toEqual([404, 'Unknown resource type "posts". Did you mean "post"?'])
    })

    it('RPC: responds with 404 and suggests a model', async () => {
      const handler = db.routes.RPCApiHandler()
      const response = await handler.fetch(new Request('http://localhost/posts/findMany'), { getOrm: () => db.orm })
      expect([response.status, await response.text()]).toEqual([
        404,
        expect.stringContaining('Unknown model \\"posts\\". Did you mean \\"post\\"?'),
      ])
    })
  },
  { only: ['SQLite'] },
)
