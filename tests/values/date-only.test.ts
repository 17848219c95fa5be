import { beforeEach, describe, expect, it } from 'vitest'

import type { JsonSchema } from '../../runtime/openapi/document-types.js'
import {
  elementSchema,
  readSchema,
  requestElementSchema,
  responseValueSchema,
} from '../../runtime/openapi/schemas/field-schema.js'
import { fillBlog } from '../rest/support/blog.js'
import { restClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

const DAY = '2026-11-24'
const MIDNIGHT = `${DAY}T00:00:00.000Z`

describeDatabases('date as a DateTime value', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })

  it('REST: parses it as midnight UTC in attributes and filters', async () => {
    const rest = restClient(db)
    const response = await rest.patch('/post/1', { data: { type: 'post', id: '1', attributes: { publishedAt: DAY } } })
    expect([response.status, response.one.attributes?.['publishedAt']]).toEqual([200, MIDNIGHT])
    for (const filter of [
      `filter[publishedAt]=${DAY}`,
      `filter[publishedAt$gte]=${DAY}`,
      `filter[publishedAt$between]=${DAY},2026-11-25`,
      `filter=equals(publishedAt,'${DAY}')`,
    ]) {
      expect([filter, (await rest.get(`/post?${filter}`)).ids]).toEqual([filter, ['1']])
    }
  })

  it('RPC: parses it as midnight UTC in data and filters', async () => {
    const rpc = rpcClient(db)
    const updated = await rpc.call('post', 'update', { where: { id: 1 }, data: { publishedAt: DAY } })
    expect([updated.status, updated.body.data]).toMatchObject([200, { publishedAt: MIDNIGHT }])
    for (const publishedAt of [DAY, { equals: DAY }, { gte: DAY }, { in: [DAY] }, { not: { lt: DAY } }]) {
      const { body } = await rpc.call('post', 'findMany', { where: { publishedAt }, select: { id: true } })
      expect([publishedAt, body.data]).toEqual([publishedAt, [{ id: 1 }]])
    }
  })
})

describe('schema of a @db.Date field', () => {
  const field = { type: 'DateTime', db: 'Date' } as const
  const time: JsonSchema = { type: 'string', format: 'date-time', 'x-serialization': 'Date' }

  it('accepts a date in requests', () => {
    expect(elementSchema(field)).toEqual({ anyOf: [{ type: 'string', format: 'date' }, time] })
    expect(elementSchema({ type: 'DateTime' })).toEqual(time)
  })

  it('uses DateInput in requests and DateTime in responses', () => {
    const share = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const optional = { ...field, optional: true } as const
    const names = [
      requestElementSchema(share, field),
      responseValueSchema(share, field),
      responseValueSchema(share, optional),
    ]
    expect(names.map(({ $ref }) => $ref?.split('/').at(-1))).toEqual(['DateInput', 'DateTime', 'NullableDateTime'])
    expect(readSchema(field)).toEqual(time)
  })
})
