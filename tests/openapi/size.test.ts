import { expect, it } from 'vitest'

import { looseEnds, manyInRest, manyInRpc } from './support/many-models.js'

it.each([
  ['REST', manyInRest, {}, 2_210_000],
  ['REST with atomic operations', manyInRest, { atomicOperations: true }, 2_410_000],
  ['RPC', manyInRpc, {}, 4_260_000],
  ['RPC with transactions', manyInRpc, { transactions: true }, 4_660_000],
])(
  '%s: OpenAPI document of 100 models is small and has no dangling references',
  async (_style, make, more, maxLength) => {
    const text = await make(100, more)
    expect(text.length).toBeLessThan(maxLength)
    expect(looseEnds(text)).toEqual({ unused: [], missing: [] })
  },
)
