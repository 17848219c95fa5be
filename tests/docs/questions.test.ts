import { expect, it } from 'vitest'

import { RPCApiHandler } from '../../fixtures/kitchen-sink/expected/index.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApi } from '../../runtime/openapi/index.js'
import { tableWith } from './support/pages.js'

it('docs/rest.md: maps every RPC query keyword to REST', async () => {
  const documentedWords = new Set(tableWith('questions').flatMap(([words = '']) => words.split(', ')))
  const handler = RPCApiHandler({ openapi: openApi() })
  const response = await handler.fetch(new Request('https://example.com/openapi.json'), { getOrm: () => ({}) as never })
  const { paths, components }: OpenApiDocument = await response.json()
  const operations = Object.entries(paths).flatMap(([path, item]) => ('get' in item ? [path.split('/')[2] ?? ''] : []))
  const members = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
    /^(Scalars|Person)((FindMany|Count|Aggregate|GroupBy|Check)Args|Window|Returning|Aggregating)$|(Filter|Operators)$/.test(
      name,
    )
      ? Object.keys(properties)
      : [],
  )
  const words = new Set([...operations, ...members, 'AND', 'OR', 'NOT', 'some', 'every', 'none', 'is', 'isNot'])
  // The argument of `check`, and the metadata of values.
  for (const word of ['operation', 'meta']) words.delete(word)
  expect([...words].filter((word) => !documentedWords.has(word))).toEqual([])
  expect(words.size).toBeGreaterThan(45)
})
