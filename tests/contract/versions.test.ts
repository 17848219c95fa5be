import { expect } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import type { TestResponse } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

type Versions = Database<'versions'>

const one = { id: 1 }
const to = (type: string, id: string, meta?: object) => ({ data: { type, id, ...(meta && { meta }) } })
const members = (type: string, ...ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })
const version = (text: string) => ({ meta: { version: text } })
const account = (attributes: object, more: object = {}) => ({
  data: { type: 'account', id: '1', attributes, ...more },
})
const linked = (relationships: object) => ({ data: { type: 'account', id: '1', relationships } })
const add = (type: string, attributes: object, more: object = {}) => ({ data: { type, attributes, ...more } })
const upsert = (type: string, attributes: object) =>
  Object.assign(add(type, attributes), { meta: { operation: 'upsert', matchFields: ['name'] } })
const at = (source: object) => ({ errors: [{ source }] })
const match = (send: string, tag: string) => ({ send, headers: { 'If-Match': tag } })
const noneMatch = (send: string, tag: string) => ({ send, headers: { 'If-None-Match': tag } })

const hasRevision = (revision: number) => (response: TestResponse) =>
  expect(response.headers.get('ETag')).toMatch(new RegExp(`^"${revision}[."]`))
const hasHeaders = (tag: unknown, caching: string) => (response: TestResponse) =>
  expect([response.headers.get('ETag'), response.headers.get('Cache-Control')]).toEqual([tag, caching])
const hasOnly =
  (members: object) =>
  ({ one: { attributes, meta } }: TestResponse) =>
    expect({ attributes, meta }).toEqual(members)
const isStored = (row: object) => async (db: Versions) =>
  expect(await db.orm.account.findUnique({ where: one })).toMatchObject(row)

/** The version of bank 1 under {@link dated}. */
const updatedAt = new Date(1_700_000_000_000)
const TAG = `"${updatedAt.getTime()}"`
const LATEST = 253_402_300_799_999
const datedAt = (time: Date) => ({
  prepare: (db: Versions) => db.orm.bank.update({ where: one, data: { updatedAt: time } }),
})
const dated = datedAt(updatedAt)
const storedTime = async ({ orm }: Versions) => (await orm.bank.findUniqueOrThrow({ where: one })).updatedAt.getTime()
const isNotFuture = async (db: Versions) => expect(await storedTime(db)).toBeLessThan(Date.now() + 1000)
const isDated = (time: number) => async (db: Versions) => expect(await storedTime(db)).toBe(time)

function restricted({ orm }: Versions): unknown {
  const { can, build } = abilityBuilder()
  can('read', 'all')
  can('update', 'Account', ['balance'], { balance: { gte: 0 } })
  return orm.$extends(withPolicies(build()))
}

/** Requests that change account 1. */
const CHANGES: readonly (readonly [send: string, body: object])[] = [
  ['PUT /account/1', account({ balance: 1 })],
  ['PATCH /account/1', linked({ bank: to('bank', '2') })],
  ['PATCH /account/1', linked({ entries: members('entry') })],
  ['PATCH /account/1/relationships/bank', { data: null }],
  ['PATCH /account/1/relationships/entries', members('entry', '3')],
  ['POST /account/1/relationships/entries', members('entry', '3')],
  ['DELETE /account/1/relationships/entries', members('entry', '1')],
  ['POST /account/1/relationships/holders', members('holder', '1')],
  ['PATCH /bank/1/accounts/1', account({ balance: 9 })],
  ['PATCH /entry/1/account', account({ balance: 9 })],
]

describeContract(
  'versions',
  ({ rule, rest, rpc, finally: after }) => {
    rule('2.2', 'returns the version in ETag and meta, and allows caching only with revalidation')
    rest('/account/1', 200, hasHeaders(expect.stringMatching(/^"1\.[a-z\d]+"$/), 'private, no-cache'))
    rest('/account/1', 200, { data: version('1') })
    rest('/account', 200, { data: [version('1'), version('1')] })
    rest('/entry/1', 200, hasHeaders(null, 'private, no-store'))
    rest('/account/1?fields[account]=name', 200, hasOnly({ attributes: { name: 'one' }, ...version('1') }))
    rule('4.1', 'returns the ETag of a created resource')
    rest('POST /account', add('account', { name: 'new' }), 201, hasRevision(1))
    rule('4.1', 'returns an ETag of only the version for return=minimal')
    const minimal = { send: 'PATCH /account/1', headers: { Prefer: 'return=minimal' } }
    rest(minimal, account({ balance: 1 }), 200, hasHeaders('"2"', 'private, no-cache'))
    rule('4.1', 'applies If-Match to reads, also of related resources', dated)
    rest('/account/1/bank', 200, hasRevision(updatedAt.getTime()))
    rest(match('/account/1', '"2"'), 412)
    rest(match('/account/1', '"1"'), 200)

    rule('4.1', 'increments the version without a condition, even if no value changes')
    rest('PATCH /account/1', account({ balance: 5 }), 200)
    rest('PUT /account/1', account({ balance: 6 }), 200)
    rest('POST /account', upsert('account', { name: 'one', balance: 7 }), 200)
    rest('PATCH /account/1', account({}), 200)
    after(isStored({ balance: 7, version: 5 }))
    const nested = { where: one, data: { balance: 1 } }
    for (const [operation, args] of [
      ['account.update', nested],
      ['account.updateMany', nested],
      ['account.upsert', { where: one, create: { name: 'x' }, update: { balance: 1 } }],
      ['entry.update', { where: one, data: { account: { update: { balance: 1 } } } }],
      ['entry.update', { where: one, data: { account: { update: { ...nested, where: { balance: 0 } } } } }],
      ['holder.update', { where: one, data: { accounts: { update: nested } } }],
      ['holder.update', { where: one, data: { accounts: { updateMany: nested } } }],
    ] as const) {
      rule('4.3', `${operation} ${JSON.stringify(args.where)} ${JSON.stringify(args)}: increments the version`, {
        prepare: (db) => db.orm.holder.update({ where: one, data: { accounts: { connect: one } } }),
      })
      rpc(operation, args, 200)
      after(isStored({ balance: 1, version: 2 }))
    }
    rule('4.1, 4.3', 'rejects the version attribute with 403')
    rest('PATCH /account/1', account({ version: 9 }), 403)
    rest('POST /account', add('account', { name: 'x', version: 9 }), 403)
    rpc('account.update', { where: one, data: { version: 7 } }, 403)
    rpc('account.create', { data: { name: 'x', version: 7 } }, 403)

    for (const [send, body] of CHANGES) {
      rule('4.1', `${send} ${JSON.stringify(body)}: rejects a stale If-Match with 412`)
      rest(match(send, '"7"'), body, 412, 'precondition-failed If-Match')
      rule('4.1', `${send} ${JSON.stringify(body)}: compares and increments the version`)
      rest(match(send, '"0", "1.other"'), body, 200, hasRevision(2))
      rest(match(send, '"1"'), body, 412)
      rest(send, body, 200)
      after(isStored({ version: 3 }))
    }
    for (const data of [
      { balance: 5 },
      { balance: 5, bank: { connect: { id: 2 } } },
      { balance: 5, entries: { connect: [{ id: 3 }] } },
      { balance: 5, entries: { set: [{ id: 3 }] } },
    ]) {
      rule('4.3', `${JSON.stringify(data)}: rejects an update with a stale version with 412`)
      rpc('account.update', { where: { id: 1, version: 1 }, data }, 200, { balance: 5, version: 2 })
      rpc('account.update', { where: { id: 1, version: 1 }, data }, 412, { issues: [{ path: ['where', 'version'] }] })
      rpc('account.update', { where: { id: 1, version: { in: [1, 3] } }, data }, 412)
      after(isStored({ version: 2 }))
    }
    rule('4.1, 4.3', 'rejects a delete with a stale version with 412 and a missing row with 404')
    rest(match('DELETE /account/2', '"2"'), 412)
    rest(match('DELETE /account/2', '"1"'), 204)
    for (const tag of ['"1"', '*']) rest(match('DELETE /account/2', tag), 404)
    rpc('account.delete', { where: { id: 2, version: 7 } }, 412)
    rpc('account.delete', { where: { id: 2, version: 1 } }, 200)
    rpc('account.delete', { where: { id: 2, version: 1 } }, 404)
    rule('2.4, 4.1, 4.3', 'compares the versions of rows with compound ids')
    const seat = { data: { type: 'seat', id: '1_2', attributes: { guest: 'Ann' } } }
    rest(match('PATCH /seat/1_2', '"1"'), seat, 412)
    rest(match('PATCH /seat/1_2', '"0"'), seat, 200)
    rest(match('DELETE /seat/1_2', '"0"'), 412)
    rest(match('DELETE /seat/1_2', '"1"'), 204)
    const row = { row_number: { row: 1, number: 2 } }
    rpc('seat.update', { where: { ...row, revision: 1 }, data: { guest: 'Ann' } }, 412)
    rpc('seat.update', { where: { ...row, revision: 0 }, data: { guest: 'Ann' } }, 200)
    rpc('seat.update', { where: { ...row, revision: 0 }, data: { guest: 'Ann' } }, 412)
    rule('4.1, 4.3', 'responds with 404 to missing rows and with 412 to stale versions')
    rest(match('PATCH /account/9', '"1"'), { data: { type: 'account', id: '9' } }, 404)
    rest(match('PATCH /account/1', '"1"'), linked({ bank: to('bank', '9') }), 404)
    rest(match('PATCH /account/1', '"2"'), linked({ bank: to('bank', '9') }), 412)
    rest(match('POST /account/1/relationships/entries', '"1"'), members('entry', '9'), 404)
    rpc('account.update', { where: { id: 1, version: 1 }, data: { bank: { connect: { id: 9 } } } }, 404)
    rule('4.3', 'rejects a stale version under policies with 412', { orm: restricted })
    rpc('account.update', { where: { id: 1, version: 2 }, data: { balance: 5 } }, 412)
    rpc('account.update', { where: { id: 1, version: 1 }, data: { balance: 5 } }, 200)
    rpc('account.update', { where: { id: 1, version: 1 }, data: { balance: 5 } }, 412)
    rpc('account.updateMany', nested, 200)
    after(isStored({ version: 3 }))

    rule('4.1', 'rejects an If-Match that does not contain the version with 412')
    for (const tag of ['W/"1"', '"x-1"', '""', '"+1"', '"01"', '"99999999999999999999"'])
      rest(match('PATCH /account/1', tag), account({ balance: 1 }), 412)
    for (const time of ['8640000000000000', '-1', '253402300800000'])
      rest(match('PATCH /bank/1', `"${time}"`), { data: { type: 'bank', id: '1', attributes: { city: 'x' } } }, 412)
    rule('4.1', 'rejects a malformed If-Match with 400')
    for (const tag of ['1', '', ',', '"1",', '"1', Array.from({ length: 101 }, () => '"1"').join(',')])
      rest(match('PATCH /account/1', tag), account({ balance: 1 }), 400, at({ header: 'If-Match' }))
    for (const tag of ['*', '"0.a" , W/"x","1.zz"']) {
      rule('4.1', `accepts If-Match: ${tag}`)
      rest(match('PATCH /account/1', tag), account({ balance: 1 }), 200)
    }
    rule('4.1', 'rejects an If-None-Match that matches the current version with 412')
    rest(noneMatch('PATCH /account/1', '*'), account({}), 412)
    rest(noneMatch('PATCH /account/1', '"1.x"'), account({}), 412)
    rest(noneMatch('PATCH /account/1', '"2"'), account({}), 200)
    const both = { 'If-Match': '"2", "3"', 'If-None-Match': '"2"' }
    rest({ send: 'PATCH /account/1', headers: both }, account({}), 412)
    rule('4.1', 'rejects If-Match with 412 if the model has no versions')
    const entry = { data: { type: 'entry', attributes: { text: 'x' } } }
    const noVersions = /^"entry" has no versions, so no ETag matches\. Omit the precondition\.$/
    rest(match('PATCH /entry/1', '"1"'), entry, 412, noVersions)
    rest(match('DELETE /entry/1', '"1"'), 412)
    rest(match('PATCH /entry/9', '"1"'), entry, 404)
    rest(match('PATCH /entry/1', '*'), entry, 200)
    rule('4.1', 'rejects a stale meta.version in the body with 412')
    const seen = (version: unknown) => account({ balance: 5 }, { meta: { version } })
    rest('PATCH /account/1', seen('1'), 200)
    rest('PATCH /account/1', seen('1'), 412, 'precondition-failed /data/meta/version')
    rest('PATCH /account/1', { ...seen('1'), meta: { version: 2 } }, 200)
    rest(match('PATCH /account/1', '"3"'), seen('1'), 412)
    rest('POST /account', add('account', { name: 'copy' }, { meta: { version: '1' } }), 201)
    rule('4.1', 'rejects an upsert of an existing row with 412 under If-None-Match: *')
    rest(noneMatch('POST /account', '*'), upsert('account', { name: 'one', balance: 5 }), 412)
    after(isStored({ balance: 0 }))
    rest(noneMatch('POST /account', '*'), upsert('account', { name: 'new', balance: 5 }), 201)
    rule('4.1', 'rejects a create or upsert with 412 if If-Match does not match a row')
    rest(match('POST /account', '"2"'), upsert('account', { name: 'one' }), 412)
    for (const tag of ['"1"', '*']) rest(match('POST /account', tag), upsert('account', { name: 'new' }), 412)
    rest(match('POST /account', '"1"'), add('account', { name: 'new' }), 412)
    rule('4.1', 'accepts an upsert whose If-Match matches the row')
    rest(match('POST /account', '"1"'), upsert('account', { name: 'one' }), 200)
    rule('4.3', 'rejects a version that the write cannot compare with 400')
    rpc('account.update', { where: { id: 1, AND: [{ version: 1 }] }, data: { balance: 1 } }, 400)
    rpc('account.delete', { where: { id: 1, NOT: { version: 2 } } }, 400)
    rpc('account.updateMany', { where: { id: 1, version: 1 }, limit: 1, data: { balance: 1 } }, 400)
    rpc('account.deleteMany', { where: { id: 1, version: 1 }, limit: 1 }, 400)
    rpc('account.upsert', { where: { id: 1, version: 1 }, create: { name: 'x' }, update: { balance: 1 } }, 400)
    const stale = { where: { version: 7 }, data: { balance: 5 } }
    rpc('entry.update', { where: one, data: { account: { update: stale } } }, 400)
    const staleMember = { update: { ...stale, where: { id: 1, version: 7 } } }
    rpc('holder.update', { where: one, data: { accounts: staleMember } }, 400)
    rpc({ ...match('PATCH /account/update', '"7"'), raw: JSON.stringify(nested) }, 400)

    rule('4.1, 4.3', 'rejects changes without a required version with 428', dated)
    const bank = (city: string) => ({ data: { type: 'bank', id: '1', attributes: { city } } })
    const deposits = members('deposit', '1')
    rest('PATCH /bank/1', bank('Bern'), 428, 'precondition-required If-Match')
    rest('DELETE /bank/1', 428)
    rest('PATCH /bank/1/relationships/accounts', members('account'), 428)
    rest('PATCH /account/1/bank', bank('Bern'), 428)
    rest('POST /bank', upsert('bank', { name: 'First', city: 'Bern' }), 428)
    rest(noneMatch('PATCH /bank/1', '"nonsense"'), bank('Bern'), 428)
    rest(noneMatch('DELETE /bank/1', '"nonsense"'), 428)
    rest('PATCH /deposit/1/relationships/account', to('account', '2'), 428)
    rest('PATCH /deposit/1/relationships/account', to('account', '2', { version: '1' }), 428)
    const data = { city: 'Bern' }
    rpc('bank.update', { where: one, data }, 428)
    rpc('bank.update', { where: { id: 1, OR: [{ updatedAt }, { id: 1 }] }, data }, 400)
    rpc('bank.updateMany', { where: one, data }, 428)
    rpc('bank.delete', { where: one }, 428)
    rpc('bank.deleteMany', { where: one }, 428)
    rpc('bank.upsert', { where: one, create: { name: 'x' }, update: data }, 428)
    for (const change of [
      { update: data },
      { update: { where: { updatedAt }, data } },
      { delete: true },
      { upsert: { create: { name: 'x' }, update: data } },
    ])
      rpc('account.update', { where: one, data: { bank: change } }, 428)
    for (const change of [{ connect: one }, { set: [one] }, { set: [] }, { disconnect: [one] }])
      rpc('account.update', { where: { id: 2 }, data: { deposits: change } }, 428)
    rpc('account.create', { data: { name: 'new', deposits: { connect: one } } }, 428)
    rule('4.1', 'rejects moving members that require a version with 403')
    rest('POST /account/2/relationships/deposits', deposits, 403)
    rest('PATCH /account/2', { data: { type: 'account', id: '2', relationships: { deposits } } }, 403)
    rule('4.1, 4.3', 'accepts changes with a required version, and creates without it', dated)
    rest(match('PATCH /bank/1', '*'), bank('Bern'), 200)
    rest(match('PATCH /deposit/1/relationships/account', '"1"'), to('account', '2'), 200)
    rpc('account.update', { where: one, data: { deposits: { create: {} } } }, 200)
    rpc('bank.update', { where: { id: 1, updatedAt }, data }, 200)
    rpc('bank.update', { where: { id: 1, updatedAt }, data }, 412)
    rule('4.1', 'ignores meta.version of a resource identifier')
    // No version is required if it would be compared with another resource.
    rest('PATCH /entry/1/relationships/account', to('account', '2', { version: '1' }), 200)
    rest('PATCH /account/1/relationships/bank', to('bank', '2', { version: '7' }), 200)
    rest('PATCH /deposit/1/relationships/account', to('account', '2', { version: '1' }), 428)
    const versioned = { ...to('account', '2', { version: '7' }), ...version('1') }
    rest('PATCH /deposit/1/relationships/account', versioned, 200)
    after(isStored({ bankId: 2, version: 2 }))

    rule('4.1, 4.3', 'does not advance the version to a future timestamp in the condition', dated)
    rest(match('PATCH /bank/1', `${TAG}, "${LATEST - 1}"`), bank('Bern'), 200)
    const future = { id: 1, updatedAt: { in: [updatedAt, new Date(LATEST)] } }
    rpc('bank.update', { where: future, data }, 200, data)
    rpc('bank.updateMany', { where: future, data }, 200, { count: 0 })
    after(isNotFuture)
    // Only something else can have written this version. The row stays updatable.
    rule('4.1', 'updates a row with the latest timestamp', datedAt(new Date(LATEST)))
    rest(match('PATCH /bank/1', `"${LATEST}"`), bank('Basel'), 200)
    rest(match('PATCH /bank/1', `"${LATEST}"`), bank('Zug'), 412)
    rule('4.3', 'changes a timestamp version with relation changes', dated)
    const set = { accounts: { set: [one] } }
    rpc('bank.update', { where: { id: 1, updatedAt }, data: set }, 200)
    rpc('bank.update', { where: { id: 1, updatedAt }, data: set }, 412)
    const ahead = new Date(Date.now() + 600_000)
    for (const condition of [{ equals: ahead }, { in: [ahead] }]) {
      rule('4.3', `${Object.keys(condition).join()}: increases a timestamp that is ahead of the clock`, datedAt(ahead))
      rpc('bank.updateMany', { where: { id: 1, updatedAt: condition }, data }, 200, { count: 1 })
      after(isDated(ahead.getTime() + 1))
    }

    const atomic = { options: { atomicOperations: true } }
    const EXT = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const operate = (...operations: readonly object[]) => ({ 'atomic:operations': operations })
    const operations = { send: 'POST /operations', headers: { 'Content-Type': EXT } }
    const results = (...list: readonly object[]) => ({ 'atomic:results': list })
    const change = (balance: number, version?: unknown, id = '1') => ({
      op: 'update',
      data: { type: 'account', id, attributes: { balance } },
      ...(version !== undefined && { meta: { version } }),
    })
    const of = (relationship: string, id = '1') => ({ ref: { type: 'account', id, relationship } })
    const holder = members('holder', '1')
    rule('4.1', 'atomic operations: compares meta.version and returns the new version in each result', atomic)
    const changed = results({ data: version('2') }, { data: version('3') }, { data: version('2') })
    rest(operations, operate(change(1, '1'), change(2, 2), change(3, undefined, '2')), 200, changed)
    rest('/account', 200, { data: [{ attributes: { balance: 2, version: 3 } }, { attributes: { balance: 3 } }] })
    rule('4.1', 'atomic operations: returns the new version after a relationship change', atomic)
    const added = { op: 'add', ...of('holders'), ...holder, ...version('1') }
    const unset = { op: 'update', ...of('bank'), data: null, ...version('2') }
    rest(operations, operate(added, unset), 200, results(version('2'), version('3')))
    rule('4.1, 4.3', 'rolls back all operations with 412 if a version is stale', atomic)
    for (const operation of [
      change(9, '7'),
      { op: 'remove', ref: { type: 'account', id: '2' }, ...version('7') },
      { op: 'update', ...of('entries', '2'), data: [], ...version('7') },
      { op: 'add', ...of('holders', '2'), ...holder, ...version('x') },
    ]) {
      rest(operations, operate(change(1), operation), 412, 'precondition-failed /atomic:operations/1/meta/version')
    }
    rule('4.3', 'transactions: rejects a stale version with 412', { options: { transactions: true } })
    const transaction = (...seenVersions: readonly number[]) => {
      const args = seenVersions.map((seenVersion) => ({ where: { id: 1, version: seenVersion }, data: { balance: 5 } }))
      const steps = args.map((update) => ({ model: 'account', op: 'update', args: update }))
      return { send: 'POST /$transaction/sequential', raw: JSON.stringify(steps) }
    }
    rpc(transaction(1, 1), 412)
    rpc('account.findUnique', { where: one }, 200, { balance: 0, version: 1 })
    rpc(transaction(1, 2), 200)
    for (const header of ['If-Match', 'If-None-Match']) {
      const body = { message: expect.stringMatching(new RegExp(`^${header} is not supported`)) as string }
      rpc({ ...transaction(1, 2), headers: { [header]: '*' } }, 400, body)
      const raw = JSON.stringify({ where: one, data: { balance: 7 } })
      rpc({ send: 'PATCH /account/update', raw, headers: { [header]: '*' } }, 400, body)
    }
    rpc('account.findUnique', { where: one }, 200, { balance: 5, version: 3 })
    rule('4.1', 'atomic operations: rejects an invalid or missing version, and headers', atomic)
    const text = { op: 'update', data: { type: 'entry', id: '1', attributes: { text: 'x' } }, ...version('1') }
    for (const operation of [change(1, {}), change(1, null), text]) {
      rest(operations, operate(operation), 400, at({ pointer: '/atomic:operations/0/meta/version' }))
    }
    const update = { op: 'update', ...bank('Bern') }
    rest(operations, operate(update), 428, 'precondition-required /atomic:operations/0')
    for (const header of ['If-Match', 'If-None-Match']) {
      const conditional = { ...operations, headers: { ...operations.headers, [header]: '"1"' } }
      rest(conditional, operate(change(1)), 400, at({ header }))
    }
    rule('4.1', 'atomic operations: requires no version of a resource that the request adds', atomic)
    const local = (attributes: object) => ({ data: { type: 'bank', lid: 'b', attributes } })
    const isNew = operate({ op: 'add', ...local({ name: 'New' }) }, { op: 'update', ...local({ city: 'Bern' }) })
    rest(operations, isNew, 200)
  },
  { fixture: 'versions', fill: fillVersions },
)
