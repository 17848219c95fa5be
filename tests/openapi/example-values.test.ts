import { expect, it } from 'vitest'
import * as z from 'zod'

import { exampleValue } from '../../runtime/openapi/example-value.js'

it.each([
  ['returns the field name in words', {}, 'name of shop'],
  ['repeats the name up to a minimum length', { rule: z.string().min(20) }, 'name of shop name of shop'],
  ['cuts the name to a maximum length', { rule: z.string().max(5) }, 'name'],
  ['formats the name to match a pattern', { rule: z.string().regex(/^[a-z-]+$/) }, 'name-of-shop'],
  ['returns a URL for a URL rule', { rule: z.url() }, 'https://example.com'],
  ['returns an array for a list', { list: true }, ['name of shop']],
  ['returns undefined if no candidate passes the rule', { rule: z.string().startsWith('zzz-') }, undefined],
  ['returns undefined if the rule is async', { rule: z.string().refine(async () => true) }, undefined],
] as const)('exampleValue of a String field: %s', (_what, more, expected) => {
  expect(exampleValue('nameOfShop', { type: 'String', ...more })).toEqual(expected)
})

it.each([
  [{ type: 'Int', default: 7 }, 7],
  [{ type: 'Int', rule: z.int().min(18) }, 18],
  [{ type: 'BigInt' }, '1'],
  [{ type: 'Decimal', rule: z.number().max(5) }, '1'],
  [{ type: 'Boolean', default: false }, false],
  [{ type: 'DateTime', default: true }, '2024-05-31T12:00:00.000Z'],
  [{ type: 'Enum', values: ['B', 'A'] }, 'B'],
] as const)('%j: exampleValue returns a value that fits the field', (field, expected) => {
  expect(exampleValue('x', field)).toEqual(expected)
})
