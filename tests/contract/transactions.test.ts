import { expect } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { recorder, fillWorkspace } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { MEDIA_TYPE } from '../rest/support/client.js'
import type { TestResponse } from '../rpc/client.js'
import type { Database } from '../support/databases.js'
import { describeContract, type RawRequest } from './describe-contract.js'

const PATH = '/$transaction/sequential'
const ON = { options: { transactions: true } }
const within = (limits: object) => ({ options: { transactions: true, limits } })
const transaction = (steps: unknown): RawRequest => ({ send: `POST ${PATH}`, raw: JSON.stringify(steps) })
const step = (operation: string, args?: object) => {
  const [model, op] = operation.split('.')
  return { model, op, args }
}
const tag = (name: string) => step('Tag.create', { data: { name } })
const tags = (count: number) => Array.from({ length: count }, (_, index) => tag(`n${index}`))
const isExactly = (data: unknown, meta?: object) => (response: TestResponse) => {
  expect(response.body).toEqual({ data, ...meta })
  expect(response.headers.get('Cache-Control')).toBe('private, no-store')
}
const allowsPost = ({ headers }: TestResponse) => expect(headers.get('Allow')).toBe('POST')
const redirects = ({ headers }: TestResponse) => expect(headers.get('Location')).toBe(`../${PATH.slice(1)}`)

const OPERATIONS = {
  send: 'POST /operations',
  headers: { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` },
}
const ATOMIC = { options: { atomicOperations: true } }
const operate = (...operations: readonly object[]) => ({ 'atomic:operations': operations })

describeContract('transactions', ({ rule, rpc }) => {
  rule('4.3', 'runs the operations in order and returns each result', ON)
  const id = { select: { id: true } }
  const steps = [
    step('Post.update', { where: { id: 1 }, data: { title: 'Changed' }, select: { title: true } }),
    step('post.findFirst', { where: { title: 'Changed' }, ...id }),
    step('Comment.deleteMany', { where: { postId: 1 } }),
    step('Comment.count'),
    step('comment.exists', { where: { postId: 1 } }),
    step('Tag.upsert', { where: { name: 'x' }, create: { name: 'x' }, update: {}, select: { name: true } }),
  ]
  rpc(transaction(steps), 200, isExactly([{ title: 'Changed' }, { id: 1 }, { count: 3 }, 1, false, { name: 'x' }]))
  rpc(transaction([]), 200, isExactly([]))
  rule('2.5, 4.3', 'parses and serializes values like a single operation', ON)
  const date = '2024-05-05T00:00:00.000Z'
  const serialization = (path: string) => ({ meta: { serialization: { values: { [path]: ['Date'] }, v: 1 } } })
  const published = { where: { id: 1 }, data: { publishedAt: date }, select: { publishedAt: true } }
  const dated = step('Post.update', { ...published, ...serialization('data.publishedAt') })
  rpc(transaction([dated]), 200, isExactly([{ publishedAt: date }], serialization('0.publishedAt')))

  rule('7.3, 7.4', 'rolls back all operations if one is rejected, and reports its index and path', ON)
  const renamed = step('Post.updateMany', { where: {}, data: { title: 'Renamed' } })
  const email = { email: 'ann@example.org', password: 'long enough' }
  for (const [failing, status] of [
    [step('User.create', { data: email }), 409],
    [step('Post.delete', { where: { id: 99 } }), 404],
    [step('Post.create', { data: { slug: 's', title: 'T', authorId: 99 } }), 409],
    [step('User.update', { where: { id: 1 }, data: { email: 'no address' } }), 422],
    [step('User.findMany', { where: { password: 'long enough' } }), 400],
  ] as const)
    rpc(transaction([tag('first'), renamed, failing]), status, /^Operation 2: /)
  const taken = { code: 'P2002', orm: true, issues: [{ path: [1, 'args', 'data', 'email'] }] }
  rpc(transaction([tag('first'), step('User.create', { data: email })]), 409, taken)
  const missing = { code: 'P2025', issues: [{ path: [1, 'args'] }] }
  rpc(transaction([tag('first'), step('Post.delete', { where: { id: 99 } })]), 404, missing)

  rule('7.3', 'rejects malformed operations', ON)
  for (const [operations, status, message] of [
    [{}, 400, /must be a list/],
    [[tag('a'), null], 400, /^Operation 1: An operation must be an object/],
    [[{ ...tag('a'), method: 'POST' }], 400, /Operation 0: Unknown key "method" in an operation/],
    [[{ op: 'count' }], 400, /model must be the name of a model/],
    [[{ model: 'Tag' }], 400, /op must be the name of an operation/],
    [[step('toString.count')], 404, /Unknown model "toString"/],
    [[step('Tag.constructor')], 404, /Unknown operation "constructor"/],
    [[step('Tag.create', [])], 400, /The arguments must be an object/],
    [[step('Tag.create', { data: { name: 'x' }, with: 1 })], 400, /"with"/],
  ] as const)
    rpc(transaction(operations), status, message)

  rule('8', 'applies limits.operations to the transaction', within({ operations: 3 }))
  rpc(transaction(tags(4)), 400, /limits\.operations/)
  rule('8', 'applies limits.nodes to the transaction', within({ nodes: 10 }))
  rpc(transaction(tags(4)), 400)
  rule('8', 'applies limits.responseBytes to the transaction', within({ responseBytes: 50 }))
  rpc(transaction(tags(4)), 400)
  rule('8', 'applies limits.bodyBytes to the transaction', within({ bodyBytes: 50 }))
  rpc(transaction(tags(4)), 413)
  const expensive = step('Post.count', { where: { title: { contains: 'a' } } })
  rule('8', 'applies limits.filterCost to the transaction', within({ filterCost: 15 }))
  rpc(transaction([expensive, expensive]), 400, /limits\.filterCost/)
  rule('8', 'applies limits.rows to all results of the transaction', within({ rows: 6 }))
  const allPosts = step('Post.findMany')
  rpc(transaction([allPosts]), 200)
  rpc(transaction([tag('rolled-back'), allPosts, allPosts]), 400, /limits\.rows/)
  rpc('tag.findUnique', { where: { name: 'rolled-back' } }, 200, null)
  rule('8', 'accepts expensive filters by default', ON)
  rpc(transaction([expensive, expensive]), 200)

  rule('4.3', 'accepts only POST with JSON and no query', ON)
  rpc(`GET ${PATH}`, 405, allowsPost)
  const plain = { headers: { 'Content-Type': 'text/plain' }, raw: '[]' }
  rpc({ send: `POST ${PATH}`, ...plain }, 415)
  rpc({ send: `POST ${PATH}?q=1`, ...plain }, 400)
  rpc({ send: 'POST /$transaction/itx', ...plain }, 404)
  rule('4.3', 'redirects an encoded path with 308', ON)
  rpc('GET /%24transaction/sequential', 308, redirects)
  rule('4.3', 'responds with 404 if transactions are disabled', { options: { transactions: false } })
  rpc(transaction([tag('first')]), 404)
})

describeContract(
  'transactions under policies',
  ({ rule, rest, rpc }) => {
    const orm = ({ orm: client }: Database<'tenants'>) => client.$extends(withPolicies(betaAbility()))
    const rename = (id: string) => ({ op: 'update', data: { type: 'document', id, attributes: { title: 'Mine' } } })
    const renameStep = (id: number) =>
      step('Document.update', { where: { id }, data: { title: 'Mine' }, select: { title: true } })
    const allowed = ['3', '3', '3', '3'].map(rename)
    rule('5, 7.1', 'atomic operations: rolls back all operations if a policy denies one', { ...ATOMIC, orm })
    rest(OPERATIONS, operate(...allowed, rename('1')), 404, 'not-found /atomic:operations/4')
    rule('5, 7.3', 'transactions: rolls back all operations if a policy denies one', { ...ON, orm })
    rpc(transaction([renameStep(3), renameStep(1)]), 404, /^Operation 1: /)
    rule('5', 'atomic operations: runs allowed operations', { ...ATOMIC, orm })
    rest(OPERATIONS, operate(rename('3')), 200)
    rule('5', 'transactions: runs allowed operations on visible rows', { ...ON, orm })
    rpc(transaction([renameStep(3)]), 200, [{ title: 'Mine' }])
    rpc(transaction([step('Document.count', { where: { projectId: 1 } })]), 200, [0])
  },
  { fixture: 'tenants', fill: fillTenants },
)

const recorded = recorder()
const hasCalled =
  (...steps: readonly string[]) =>
  () =>
    expect(recorded.names()).toEqual(steps.map((name) => `Comment.create.${name}`))

describeContract(
  'transactions with hooks',
  ({ rule, rest, rpc, finally: after }) => {
    const { hooks } = recorded
    const prepare = () => recorded.clear()
    const atomic = { options: { ...ATOMIC.options, hooks }, prepare }
    const sequential = { options: { ...ON.options, hooks }, prepare }
    const add = (text: string) => ({ op: 'add', data: { type: 'comment', attributes: { text, documentId: 1 } } })
    const create = (text: string) => step('Comment.create', { data: { text, documentId: 1 } })
    const committed = hasCalled('before', 'after', 'before', 'after', 'afterCommit', 'afterCommit')
    const rolledBack = hasCalled('before', 'after')

    rule('4.1', 'atomic operations: calls afterCommit only after the commit', atomic)
    rest(OPERATIONS, operate(add('a'), add('b')), 200)
    after(committed)
    rule('4.1', 'atomic operations: does not call afterCommit after a rollback', atomic)
    rest(OPERATIONS, operate(add('c'), { op: 'remove', ref: { type: 'comment', id: '999' } }), 404)
    after(rolledBack)
    rule('4.3', 'transactions: calls afterCommit only after the commit', sequential)
    rpc(transaction([create('a'), create('b')]), 200)
    after(committed)
    rule('4.3', 'transactions: does not call afterCommit after a rollback', sequential)
    rpc(transaction([create('a'), step('Comment.delete', { where: { id: 999 } })]), 404)
    after(rolledBack)
  },
  { fixture: 'workspace', fill: fillWorkspace },
)
