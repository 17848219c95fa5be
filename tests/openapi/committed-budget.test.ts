import { createTwoFilesPatch } from 'diff'
import { describe, expect, it } from 'vitest'

import { SCHEMA_HEAD } from '../support/generate.js'
import { documentsOf } from './support/documents.js'

describe('how much a change of the schema changes in the documents', () => {
  const shop = (field = '') => `${SCHEMA_HEAD.replace('./routes', '../src/routes')}
model Customer {
  id     Int     @id @default(autoincrement())
  email  String  @unique
  name   String?
  orders Order[]
  ${field}
}
model Order {
  id         Int      @id @default(autoincrement())
  placedAt   DateTime @default(now())
  customer   Customer @relation(fields: [customerId], references: [id])
  customerId Int
}
model Ticket {
  id   Int    @id @default(autoincrement())
  text String
}
`

  it('a scalar field more is lines of its model in both, and what other models offer of it', async () => {
    const [before, after] = [await documentsOf(shop()), await documentsOf(shop('nickname String?'))]
    for (const style of ['rest', 'rpc'] as const) {
      const patch = createTwoFilesPatch('a', 'b', before[style], after[style], '', '', { context: 0 })
      const changed = patch.split('\n').filter((line) => /^[-+] /.test(line))
      expect(changed.length).toBeGreaterThan(10)
      expect(changed.length, patch).toBeLessThanOrEqual(BUDGET[style])
      const elsewhere = placesOf(JSON.parse(before[style]), JSON.parse(after[style])).filter(
        (place) => !/^(paths \/customer\b|components \w+ Customer)/.test(place),
      )
      // Orders can be sorted by what their customer has.
      expect(elsewhere).toEqual(style === 'rest' ? ['components parameters Order-sort'] : [])
    }
  })

  const BUDGET = { rest: 100, rpc: 90 }
})

/** Where two documents differ: down to three names. */
function placesOf(one: unknown, other: unknown, place: readonly string[] = []): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  if (place.length === 3 || !isObject(one) || !isObject(other)) return [place.join(' ')]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => placesOf(one[name], other[name], [...place, name]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
