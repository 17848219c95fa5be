import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Finding } from '../../generator/changes/change.js'
import { compareApis } from '../../generator/changes/compare/compare.js'
import { BASE } from './support/base.js'
import { serve, type Served, sideOf } from './support/serve.js'

const AFTER = BASE.replace('  content   String?\n', '  content   String\n')
  .replace('  ARCHIVED\n', '')
  .replace('  rating    Float?\n', '')
  .replace('author    User?', 'author    User')
  .replace('authorId  Int?', 'authorId  Int')

describe('the statuses in sentences', () => {
  let served: Served
  let findings: readonly Finding[]
  beforeAll(async () => {
    served = await serve(AFTER)
    findings = compareApis(await sideOf(BASE), served.side)
  })
  afterAll(() => served.close())

  const row = { slug: 'new', title: 'New', content: 'x', authorId: 1 }
  const status = async (style: 'rest' | 'rpc', method: string, path: string, body?: object) =>
    (await served.send({ style, method, path, body })).status
  const createRest = (attributes: object) => status('rest', 'POST', '/post', { data: { type: 'post', attributes } })
  const createRpc = (data: object) => status('rpc', 'POST', '/post/create', { data })
  const filterRest = (query: string) => status('rest', 'GET', `/post?${query}`)
  const filterRpc = (where: object) => status('rpc', 'POST', '/post/findMany', { where })
  const sentenceOf = (code: string, subject: string) =>
    findings.find(({ code: each, model, member }) => each === code && `${model}.${member}` === subject)?.sentence

  it('field-required: match a create without the field', async () => {
    const { content: _, ...data } = row
    const suffix = `(REST ${await createRest(data)}; RPC ${await createRpc(data)})`
    expect(sentenceOf('field-required', 'Post.content')).toContain(suffix)
  })

  it('field-not-null: match a write and a filter', async () => {
    const data = { ...row, content: null }
    const [write, filter] = [await createRpc(data), await filterRpc({ content: null })]
    expect([await createRest(data), await filterRest('filter[content$isNull]=true')]).toEqual([write, filter])
    const uses = `write null (${write}) or filter by null (${filter}) are rejected (REST and RPC)`
    expect(sentenceOf('field-not-null', 'Post.content')).toContain(uses)
  })

  it('enum-value-removed: match a write and a filter', async () => {
    const data = { ...row, status: 'ARCHIVED' }
    const [rest, rpc] = [await createRest(data), await createRpc(data)]
    expect([await filterRest('filter[status]=ARCHIVED'), await filterRpc({ status: 'ARCHIVED' })]).toEqual([rest, rpc])
    expect(sentenceOf('enum-value-removed', 'Post.status')).toContain(`(REST ${rest}; RPC ${rpc})`)
  })

  it('field-removed: match a write and a filter', async () => {
    const data = { ...row, rating: 1 }
    const rpc = await createRpc(data)
    expect(await filterRpc({ rating: 1 })).toBe(rpc)
    const suffix = `(REST ${await filterRest('filter[rating]=1')} for a filter, ${await createRest(data)} for an attribute; RPC ${rpc})`
    expect(sentenceOf('field-removed', 'Post.rating')).toContain(suffix)
  })

  it('relation-tied: match a disconnect', async () => {
    const args = { where: { id: 1 }, data: { posts: { disconnect: { id: 1 } } } }
    const suffix = `RPC \`disconnect\`: ${await status('rpc', 'PATCH', '/user/update', args)})`
    expect(sentenceOf('relation-tied', 'User.posts')).toContain(suffix)
  })
})
