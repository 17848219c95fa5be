import { expect, it } from 'vitest'
import * as z from 'zod'

import { exampleValue } from '../../runtime/openapi/examples/values.js'

it.each([
  ['says its name', {}, 'name of shop'],
  ['is as long as it must be', { rule: z.string().min(20) }, 'name of shop name of shop'],
  ['is as short as it must be', { rule: z.string().max(5) }, 'name'],
  ['has the form that it must have', { rule: z.string().regex(/^[a-z-]+$/) }, 'name-of-shop'],
  ['is of the kind that it must be of', { rule: z.url() }, 'https://example.com'],
  ['is a list', { list: true }, ['name of shop']],
  ['is none where none is known', { rule: z.string().startsWith('zzz-') }, undefined],
  ['is none where the rule has to wait', { rule: z.string().refine(async () => true) }, undefined],
] as const)('an example of a text %s', (_what, more, expected) => {
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
] as const)('an example of %j', (field, expected) => {
  expect(exampleValue('x', field)).toEqual(expected)
})
