import { describe, expect, it } from 'vitest'

import { abilityBuilder } from '../../fixtures/tenants/expected/policy.js'
import { allOf, anyOf, restrict } from '../../runtime/policy/rules/condition.js'
import { createReadContext } from '../../runtime/policy/read/read-context.js'
import { parseConditions } from '../../runtime/policy/rules/parse-conditions.js'
import { rulesFromAbility } from '../../runtime/policy/rules/rules.js'
import { compilePolicySchema, type PolicyModel } from '../../runtime/policy/policy-schema.js'
import { readableWhere } from '../../runtime/policy/read/readable-where.js'
import { RESOURCES } from './support/tenants.js'

const SCHEMA = compilePolicySchema(RESOURCES)

function modelOf(name: string): PolicyModel {
  const model = SCHEMA.get(name)
  if (!model) throw new Error(`There is no ${name}.`)
  return model
}

const DOCUMENT = modelOf('Document')

describe('parseConditions', () => {
  const read = (conditions: unknown) => parseConditions(DOCUMENT, conditions)

  it('excludes null from conditions on nullable fields', () => {
    expect(read({ views: 1 })).toEqual({ matches: { views: 1 }, fails: { NOT: { views: 1 } }, isExact: true })
    expect(read({ body: 'x' })).toEqual({
      matches: { AND: [{ body: 'x' }, { body: { not: null } }] },
      fails: { AND: [{ NOT: { body: 'x' } }, { body: { not: null } }] },
      isExact: true,
    })
    expect(read({ body: null })).toMatchObject({ matches: { body: null }, fails: { NOT: { body: null } } })
  })

  it('negates NOT, every and is', () => {
    expect(read({ NOT: { views: 1 } })).toMatchObject({ matches: { NOT: { views: 1 } }, fails: { views: 1 } })
    expect(read({ comments: { every: { seq: 1 } } })).toMatchObject({
      matches: { comments: { none: { NOT: { seq: 1 } } } },
      fails: { comments: { some: { NOT: { seq: 1 } } } },
    })
    expect(read({ reviewer: { is: { id: 1 } } })).toMatchObject({
      matches: { reviewer: { is: { id: 1 } } },
      fails: { OR: [{ reviewer: null }, { reviewer: { is: { NOT: { id: 1 } } } }] },
    })
  })

  it('returns true or false for empty conditions', () => {
    expect(read({})).toMatchObject({ matches: true, fails: false })
    expect(read({ OR: [] })).toMatchObject({ matches: false, fails: true })
    expect(read({ comments: { some: { OR: [] } } })).toMatchObject({ matches: false, fails: true })
  })

  it.each([
    [{ authorId: undefined }],
    [{ author: { id: undefined } }],
    [{ author: { is: undefined } }],
    [{ comments: { some: undefined } }],
    [{ views: { gt: undefined } }],
    [{ views: { in: [1, undefined] } }],
    [{ AND: undefined }],
    [{ nope: 1 }],
    [{ views: Symbol('skip') }],
    [undefined],
    [() => true],
  ])('%o: throws on a condition that Prisma would ignore', (conditions) => {
    expect(() => read(conditions)).toThrow('A rule on Document cannot be enforced')
  })
})

describe('allOf, anyOf and restrict', () => {
  it('simplifies constants and empty lists', () => {
    expect([allOf([]), anyOf([])]).toEqual([true, false])
    expect([allOf([true, false, { id: 1 }]), anyOf([true, { id: 1 }])]).toEqual([false, true])
    expect([allOf([true, { id: 1 }]), anyOf([false, { id: 1 }])]).toEqual([{ id: 1 }, { id: 1 }])
  })

  it('adds conditions without changing the filter', () => {
    // Prisma drops an empty OR unless it is outermost, so the filter would match all rows.
    expect(restrict(DOCUMENT, { OR: [] }, [{ views: 1 }])).toEqual({ OR: [], AND: [{ views: 1 }] })
    expect(restrict(DOCUMENT, { AND: { id: 1 } }, [{ views: 1 }])).toEqual({ AND: [{ id: 1 }, { views: 1 }] })
    expect(restrict(DOCUMENT, {}, [false])).toEqual({ id: { in: [] } })
  })
})

describe('readableWhere', () => {
  const { can, cannot, build } = abilityBuilder()
  can('read', ['Document', 'Organisation'])
  can('read', 'Member', { organisationId: 2 })
  can('read', 'Comment', { seq: 1 })
  cannot('read', 'Document', ['body'], { views: 0 })
  const rules = rulesFromAbility(build(), SCHEMA)
  const where = (filter: object, model = DOCUMENT) => readableWhere(createReadContext({ rules }), model, filter)

  it('returns the same object if no rule applies', () => {
    const filter = { project: {}, OR: [{ title: 'x' }, { NOT: { views: { gt: 1 } } }] }
    expect(where(filter)).toBe(filter)
  })

  it('adds the rules of each related model', () => {
    const inside = { organisationId: 2 }
    expect(where({ author: { name: 'x' } })).toEqual({ author: { is: { name: 'x', AND: [inside] } } })
    expect(where({ NOT: { reviewer: { isNot: { name: 'x' } } } })).toEqual({
      NOT: { reviewer: { isNot: { name: 'x', AND: [inside] } } },
    })
    expect(where({ reviewer: null })).toEqual({ reviewer: { isNot: inside } })
    expect(where({ reviewer: { isNot: null } })).toEqual({ reviewer: { is: inside } })
    expect(where({ comments: { none: {} } })).toEqual({ comments: { none: { seq: 1 } } })
    expect(where({ comments: { every: {} } })).toEqual({ comments: { every: {} } })
    expect(where({ project: { name: 'x' } })).toEqual({ project: { is: { name: 'x', AND: [{ id: { in: [] } }] } } })
  })

  it('applies "every" to readable rows only', () => {
    const none = { documentId: { in: [] } }
    expect(where({ comments: { every: { body: 'x' } } })).toEqual({
      AND: [{ comments: { none: { NOT: { AND: [{ body: 'x' }, { NOT: none }] }, AND: [{ seq: 1 }] } } }],
    })
  })

  it('requires that the filtered field is readable on the row', () => {
    expect(where({ NOT: { body: 'x' } })).toEqual({ NOT: { body: 'x' }, AND: [{ NOT: { views: 0 } }] })
    expect(() => where({ nope: 1 })).toThrow('"nope" of Document cannot be used in filters')
  })
})
