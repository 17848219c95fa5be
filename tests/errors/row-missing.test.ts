import { expect, it } from 'vitest'

import { isRowMissing } from '../../runtime/errors/database/classify-database-error.js'
import { MissingRowError } from '../../runtime/errors/policy-error.js'

const prisma = (meta: object) => Object.assign(new Error('P2025'), { code: 'P2025', meta })
const forCategories = "inline the relation on 'Category' record(s)"
const forPosts = "inline the relation on 'Post' record(s)"

// The `meta` of Prisma 7.10.
it.each<[string, boolean, Error]>([
  ['an update', true, prisma({ modelName: 'Category', operation: 'an update' })],
  ['policies', true, new MissingRowError('P2025', 'Missing.')],
  ['a call of another model', false, prisma({ modelName: 'Post', operation: 'a query' })],
  ['rows to connect', false, prisma({ modelName: 'Category', expectedRows: 1 })],
  ['a row of another model to connect', false, nested('a nested connect', 'Post', forCategories)],
  ['a row of another model to update', false, nested('a nested update', 'Post', null)],
  ['the row of the call, for rows to connect', true, nested('a nested connect', 'Category', forPosts)],
  ['the row of the call, for rows to create', true, nested('a nested create', 'Category', forCategories)],
  ['the row of the call, for rows to replace', true, nested('a nested set', 'Category', null)],
  ['a parent to connect in a self-relation', false, nested('a nested connect', 'Category', forCategories)],
  ['a parent to update in a self-relation', false, nested('a nested update', 'Category', null)],
  [
    'policies: a parent to connect',
    false,
    new MissingRowError('P2025', 'Missing.', { model: 'Category', operation: 'a nested connect' }),
  ],
  ['policies: a parent to update', false, new MissingRowError('P2025', 'Missing.', { model: 'Category' })],
])('isRowMissing after %s: %s', (_, expected, error) => {
  expect(isRowMissing(error, 'Category')).toBe(expected)
})

function nested(operation: string, model: string, neededFor: string | null): Error {
  return prisma({ modelName: 'Category', operation, model, neededFor })
}
