import { expect, it } from 'vitest'

import { looseEnds, manyInRest, manyInRpc } from './support/many-models.js'

it.each([
  ['REST', manyInRest, {}, 3_040_000],
  ['REST', manyInRest, { atomicOperations: true }, 3_270_000],
  ['RPC', manyInRpc, {}, 6_200_000],
  ['RPC', manyInRpc, { transactions: true }, 6_600_000],
])('OpenAPI: the %s document of a hundred models is small, and has no loose ends', async (_style, make, more, most) => {
  const text = await make(100, more)
  expect(text.length).toBeLessThan(most)
  expect(looseEnds(text)).toEqual({ unused: [], missing: [] })
})
