import { describe, expect, it } from 'vitest'
import * as z from 'zod'

import type { Field } from '../../runtime/schema/resource.js'
import { fromJson } from '../../runtime/values/from-json.js'
import { describeValueError } from '../../runtime/values/value-error.js'

/** Returns the messages for a value and the rules that it violates. */
function describeErrors(field: Field, value: unknown): readonly unknown[] {
  const read = fromJson(field, value)
  if (read.ok) return []
  return read.errors.map((error) => {
    const { detail, rule } = describeValueError('"nick"', field, error)
    return [detail, rule]
  })
}

const rejectAll = () => ({ success: false as const, error: { issues: [{ path: [], message: 'Bad.' }] } })

describe('violated rule', () => {
  it('uses the custom message of the rule, otherwise the message of zod', () => {
    const rule = z.string().min(3, 'Three letters, please.').max(5).regex(/^a/, 'Begins with an a.')
    expect(describeErrors({ type: 'String', rule }, 'b')).toEqual([
      ['Three letters, please.', { rule: 'too_small', origin: 'string', minimum: 3, inclusive: true }],
      ['Begins with an a.', expect.objectContaining({ rule: 'invalid_format', format: 'regex' })],
    ])
    expect(describeErrors({ type: 'String', rule }, 'abcdefg')).toEqual([
      [
        '"nick" is invalid: Too big: expected string to have <=5 characters.',
        { rule: 'too_big', origin: 'string', maximum: 5, inclusive: true },
      ],
    ])
    const same = z.email('Not an e-mail address.')
    expect(describeErrors({ type: 'String', rule: same }, 'x')).toMatchObject([['Not an e-mail address.', {}]])
  })

  it.each<[string, Field, unknown, object]>([
    ['a bigint', { type: 'BigInt', rule: z.bigint().max(5n) }, '6', { rule: 'too_big', maximum: '5' }],
    [
      'a date',
      { type: 'DateTime', rule: z.date().min(new Date('2020-01-01')) },
      '2019-01-01',
      { rule: 'too_small', minimum: expect.anything() },
    ],
    [
      'a list',
      { type: 'String', list: true, rule: z.string().array().nonempty() },
      [],
      { rule: 'too_small', minimum: 1 },
    ],
    ['an enum', { type: 'String', rule: z.enum(['a', 'b']) }, 'c', { rule: 'invalid_value', values: ['a', 'b'] }],
    ['a rule without a code', { type: 'String', rule: { safeParse: rejectAll } }, 'c', { rule: 'custom' }],
    ['null', { type: 'Int' }, null, { rule: 'required' }],
    ['text for a number', { type: 'Int' }, '1', { rule: 'invalid_type', expected: 'Int' }],
    ['a number that is too large', { type: 'Int' }, 2 ** 31, { rule: 'invalid_type', expected: 'Int' }],
    ['a wrong element', { type: 'Int', list: true }, [1, 'b'], { rule: 'invalid_type', expected: 'Int' }],
    ['a date that does not exist', { type: 'DateTime' }, '2023-02-29', { rule: 'invalid_type', expected: 'DateTime' }],
    ['text that is not a UUID', { type: 'String', uuid: true }, 'x', { rule: 'invalid_type', expected: 'UUID' }],
    ['an unknown enum value', { type: 'Enum', values: ['A'] }, 'B', { rule: 'invalid_value', values: ['A'] }],
  ])('%s: returns a code and parameters that JSON can represent', (_what, field, value, expected) => {
    const [found] = describeErrors(field, value)
    expect(found).toMatchObject([expect.any(String), expected])
    expect(() => JSON.stringify(found)).not.toThrow()
  })
})
