import { openApi, type OpenApiOptions, type SchemaDescriptions } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'

import { descriptions } from '../../fixtures/blog/expected/descriptions.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { describeMember, describeModel } from '../../runtime/openapi/openapi-options.js'

const BASE = 'https://example.com/api'

const HANDLERS: readonly [style: string, create: (options: OpenApiOptions) => ApiHandler<never>][] = [
  ['REST', (options) => RestApiHandler({ endpoint: BASE, openapi: openApi(options) })],
  ['RPC', (options) => RPCApiHandler({ openapi: openApi(options) })],
]

async function documentOf(handler: ApiHandler<never>): Promise<OpenApiDocument> {
  const getOrm = () => {
    throw new Error('Documents need no client.')
  }
  const response = await handler.fetch(new Request(`${BASE}/openapi.json`), { getOrm, prefix: '/api' })
  return (await response.json()) as OpenApiDocument
}

describe('option `descriptions` of openApi', () => {
  it.each(HANDLERS)('%s: adds the comments of models and fields to the document', async (_style, create) => {
    const document = await documentOf(create({ descriptions }))
    expect(document.tags).toContainEqual({ name: 'Post', description: 'An article.' })
    expect(document.components.schemas).toHaveProperty('Post.description', 'An article.')
    expect(JSON.stringify(document)).toContain(
      JSON.stringify({ description: 'The address of the post, as in `/posts/hello-world`.' }).slice(1, -1),
    )
  })

  it.each(HANDLERS)('%s: adds no comments by default', async (_style, create) => {
    const text = JSON.stringify(await documentOf(create({})))
    const comments = Object.values(descriptions).flatMap(({ description = [], fields = {} }) => [
      description,
      ...Object.values(fields),
    ])
    expect(comments.flat().filter((comment) => text.includes(JSON.stringify(comment).slice(1, -1)))).toEqual([])
  })

  it.each(HANDLERS)('%s: ignores models that the handler does not serve', async (_style, create) => {
    const more: SchemaDescriptions = { ...descriptions, Other: { description: 'Another API.' } }
    expect(await documentOf(create({ descriptions: more }))).toEqual(await documentOf(create({ descriptions })))
  })
})

describe('comments of names that every object inherits', () => {
  it.each(['constructor', 'toString'])('%s: has no comment by default', (name) => {
    expect(describeModel({ descriptions: {} }, name)).toBe(undefined)
    expect(describeMember({ descriptions: {} }, name, name)).toBe(undefined)
    expect(describeMember({ descriptions: { Post: { fields: {} } } }, 'Post', name)).toBe(undefined)
  })

  it('can have a comment', () => {
    const described = { descriptions: { constructor: { description: 'A model.', fields: { toString: 'A field.' } } } }
    expect(describeModel(described, 'constructor')).toBe('A model.')
    expect(describeMember(described, 'constructor', 'toString')).toBe('A field.')
  })
})
