import { expect } from 'vitest'

import type { TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

type Orm = Pick<Database<'kitchen-sink'>, 'orm'>

const fillPeople = ({ orm }: Orm) =>
  orm.person.createMany({ data: ['Ann', 'Ben', 'Cat'].map((name, index) => ({ id: index + 1, name })) })

const identifier = (type: string, id: string | number) => ({ data: { type, id: String(id) } })
const person = (id: number) => identifier('person', id)
const NULL = { data: null }
const list = (type: string, ...ids: readonly number[]) => ({ data: ids.map((id) => ({ type, id: String(id) })) })
const resource = (type: string, relationships: object, more: object = {}) => ({
  data: { type, relationships, ...more },
})

const REQUIRED = 'relationship-required'
const COMPOUND = 't_2024-02-29T00:00:00.000Z_5'
const KEY = { tenant: 't', day: new Date('2024-02-29'), number: 5n }

const includes =
  (...ids: readonly string[]) =>
  ({ body }: TestResponse) =>
    expect(body.included?.map(({ id }) => id).sort()).toEqual(ids)

describeContract(
  'kinds of relations',
  ({ rule, rest, finally: after }) => {
    rule('4.1', 'links a model to itself in both directions')
    rest('PATCH /person/2/relationships/mentor', person(1), 200)
    rest('POST /person/1/relationships/follows', list('person', 2, 3), 200)
    rest('/person/1?include=mentees.mentor,follows.followers', 200, includes('2', '3'))
    rest('/person/3/relationships/followers', 200, ['1'])
    rest('DELETE /person/3/relationships/followers', list('person', 1), 200, [])

    rule('4.1', 'links one-to-one relations from both sides', {
      prepare: ({ orm }) => orm.locker.createMany({ data: [{}, {}] }),
    })
    for (const id of [1, 2])
      rest('PATCH /person/1/relationships/locker', identifier('locker', id), 200, identifier('locker', id))
    rest('/locker/1/owner', 200, NULL)
    rest('PATCH /locker/2/relationships/owner', person(2), 200, person(2))
    rest('PATCH /person/2/relationships/locker', NULL, 200, NULL)
    rest('PATCH /person/2/relationships/locker', NULL, 200, NULL)
    rest('/person/1?include=partner,partnerOf,locker', 200, { included: [] })

    const passports = (...holders: readonly number[]) => ({
      prepare: ({ orm }: Orm) =>
        orm.passport.createMany({ data: holders.map((holderId) => ({ number: `P${holderId}`, holderId })) }),
    })
    const AT = '/person/2/relationships/passport'
    const withoutPassport = resource('person', { passport: NULL }, { attributes: { name: 'B' } })
    rule('4.1', 'accepts null for an empty relationship')
    rest(`PATCH ${AT}`, NULL, 200, NULL)
    rest('PATCH /person/2', withoutPassport, 200)
    rule('4.1, 7.1', 'rejects emptying a required relationship with 403', passports(2))
    rest(`PATCH ${AT}`, NULL, 403, `${REQUIRED} /data`)
    rest('PATCH /person/2', withoutPassport, 403, `${REQUIRED} /data/relationships/passport/data`)
    rest('PATCH /person/99/relationships/passport', NULL, 404)
    rule('4.1, 7.1', 'rejects taking a required row from its owner with 409', passports(1, 2))
    // A person without a passport does not take one from its holder either.
    for (const id of [1, 3]) rest(`PATCH /person/${id}/relationships/passport`, identifier('passport', 'P2'), 409)

    const courses = { prepare: ({ orm }: Orm) => orm.course.create({ data: { code: 'C1' } }) }
    const enrol = (who: object) => resource('enrolment', { person: who }, { id: '1_C1' })
    rule('2.4', 'rejects a relationship that contradicts the compound id with 422', courses)
    rest('POST /enrolment', enrol(person(1)), 201, { data: { id: '1_C1' } })
    rest('POST /enrolment', enrol(person(2)), 422, ['invalid-value /data/relationships/person/data/id'])
    rest('POST /enrolment', enrol(NULL), 422, { errors: [{ source: { pointer: '/data/relationships/person/data' } }] })

    rule('4.1', 'links by a unique that is not the id', courses)
    const relationships = { person: person(1), course: identifier('course', 1) }
    const enrolled = { id: '1_C1', relationships: { course: identifier('course', '1') } }
    rest('POST /enrolment', resource('enrolment', relationships), 201, { data: enrolled })
    rule('4.1', 'links by a compound foreign key', {
      prepare: ({ orm }) => orm.compoundKey.create({ data: { ...KEY, label: 'x' } }),
    })
    const order = { order: identifier('compoundkey', COMPOUND) }
    rest('POST /compoundline', resource('compoundline', order), 201, { data: { relationships: order } })
    rest(`/compoundline?filter[order]=${COMPOUND}`, 200, ['1'])
    rest(`/compoundkey/${COMPOUND}/lines`, 200, ['1'])

    const sessions = { prepare: ({ orm }: Orm) => orm.session.createMany({ data: [{ personId: 1 }, { personId: 1 }] }) }
    rule('4.1, 7.1', 'rejects emptying a relation with a required foreign key with 403', sessions)
    rest('PATCH /session/1/relationships/person', NULL, 403, `${REQUIRED} /data`)
    rest('PATCH /session/1', resource('session', { person: NULL }), 403, { errors: [{ code: REQUIRED }] })
    rest('PATCH /person/1/relationships/sessions', list('session', 2), 403, { errors: [{ code: REQUIRED }] })
    rest('DELETE /person/1/relationships/sessions', list('session', 1, 2), 403)
    rule('4.1', 'replaces a relation with a required foreign key', sessions)
    rest('PATCH /person/1/relationships/sessions', list('session', 1, 2), 200, ['1', '2'])
    rest('PATCH /session/1/relationships/person', person(2), 200)
    const holders = async ({ orm }: Orm) =>
      expect(await orm.session.findMany({ orderBy: { id: 'asc' } })).toMatchObject([{ personId: 2 }, { personId: 1 }])
    after(holders)

    const seat = {
      prepare: ({ orm }: Orm) => orm.compoundKey.create({ data: { ...KEY, label: 'x', seats: { create: {} } } }),
    }
    const freed = async ({ orm }: Orm) =>
      expect(await orm.seat.findMany()).toEqual([{ id: 1, tenant: 't', day: null, number: null }])
    for (const [path, body] of [
      ['/seat/1/relationships/order', NULL],
      ['/seat/1', resource('seat', { order: NULL })],
    ] as const) {
      rule('4.1', `PATCH ${path}: empties only the nullable parts of a compound foreign key`, seat)
      rest(`PATCH ${path}`, body, 200)
      after(freed)
    }
    rule('4.1', 'rejects emptying a compound foreign key from the other end with 403', seat)
    rest(`PATCH /compoundkey/${COMPOUND}/relationships/seats`, { data: [] }, 403, { errors: [{ code: REQUIRED }] })

    rule('4.1', 'distinguishes two relations between the same models')
    const document = { attributes: { title: 'x', reviewerId: 2 } }
    const created = { data: { attributes: { authorId: 1, reviewerId: 2 } } }
    rest('POST /document', resource('document', { author: person(1) }, document), 201, created)
    rest('/person/1/relationships/authored', 200, ['1'])
    rest('/person/2/relationships/authored', 200, [])
  },
  { fixture: 'kitchen-sink', fill: fillPeople },
)
