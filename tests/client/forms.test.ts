import { beforeEach, describe, expect, it } from 'vitest'

import type { Api } from '../../fixtures/blog/expected/client.js'
import {
  ApiError,
  createRpcClient,
  setReactHookFormErrors,
  toConformErrors,
  toFormErrors,
  type ToFormPath,
  toTanStackFormErrors,
} from '../../client/index.js'
import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { blogClient as rpcClient } from './support.js'
import { blogClient as restClient } from './rest/apis.js'
import { fetchOf } from './rest/serve.js'

/** Returns the error of a call that must fail. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable('The call succeeded.'),
    (error: unknown) => error,
  )

/** Returns the errors of a call, one line per error. */
async function linesOf(call: Promise<unknown>, target?: ToFormPath | number): Promise<string[]> {
  const { fields, form } = toFormErrors(await errorOf(call), target)
  const lines = fields.map(({ name, message, code, params }) =>
    [name, message, code, ...(Object.keys(params).length > 0 ? [JSON.stringify(params)] : [])].join(' | '),
  )
  return [...lines, ...form.map((message) => `(form) ${message}`)]
}

describeDatabases('toFormErrors', (db) => {
  let rest: ReturnType<typeof restClient>
  let rpc: ReturnType<typeof rpcClient>['api']

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(fetchOf(db))
    rpc = rpcClient(db).api
  })

  const invalidUser = { email: 'nonsense', password: 'short', name: 1 } as unknown as {
    email: string
    password: string
  }
  const rules = [
    'email | Invalid email address | invalid_format | {"origin":"string","format":"email"}',
    'password | Too small: expected string to have >=8 characters | too_small | {"origin":"string","minimum":8,"inclusive":true}',
  ]

  it('converts violated rules and types of REST', async () => {
    const lines = [...rules, 'name | Must be a string. | invalid_type | {"expected":"String"}']
    expect((await linesOf(rest.user.create(invalidUser))).sort()).toEqual(lines.sort())
  })

  it('converts violated rules and types of RPC', async () => {
    const lines = [...rules, 'name | Must be a string. | invalid_type | {"expected":"String"}']
    expect((await linesOf(rpc.user.create({ data: invalidUser }))).sort()).toEqual(lines.sort())
  })

  it('converts missing values', async () => {
    const none = {} as { email: string; password: string }
    const lines = ['email | Must have a value. | required', 'password | Must have a value. | required']
    expect(await linesOf(rest.user.create(none))).toEqual(lines)
    expect(await linesOf(rpc.user.create({ data: none }))).toEqual(lines)
  })

  it('converts unique violations', async () => {
    const data = { slug: 'one', title: 'Again' }
    const lines = [expect.stringMatching(/^slug \| .+ \| unique-violation$/)]
    expect(await linesOf(rest.post.create(data))).toEqual(lines)
    expect(await linesOf(rpc.post.create({ data }))).toEqual(lines)
  })

  it('converts violations of compound keys to an error of each field', async () => {
    const data = { postId: 1, seq: 1, body: 'Again' }
    const message = 'A record with the same postId and seq already exists.'
    const lines = ['postId', 'seq'].map((name) => `${name} | ${message} | unique-violation`)
    expect(await linesOf(rest.comment.create(data))).toEqual(lines)
    expect(await linesOf(rpc.comment.create({ data }))).toEqual(lines)
  })

  it('converts relationships that do not exist', async () => {
    const data = { slug: 'new', title: 'New' }
    expect(await linesOf(rest.post.create({ ...data, author: 'x' }))).toEqual([
      'author | There is no "user" with this id. | not-found',
    ])
    const { fields } = toFormErrors(await errorOf(rest.post.create({ ...data, author: 999 })))
    expect(fields.map(({ name }) => name)).toEqual(['author'])
    const rpcErrors = toFormErrors(await errorOf(rpc.post.create({ data: { ...data, authorId: 999 } })))
    expect(rpcErrors.fields.map(({ name }) => name)).toEqual(['authorId'])
  })

  it('converts nested writes of RPC, and maps them to other fields', async () => {
    const data = {
      slug: 'new',
      title: '',
      author: { create: invalidUser },
      tags: { create: [{ name: 'a' }, { name: 1 }] },
    }
    const lines = await linesOf(rpc.post.create({ data: data as never }))
    expect(lines.map((line) => line.split(' | ')[0]).sort()).toEqual([
      'author.create.email',
      'author.create.name',
      'author.create.password',
      'tags.create.1.name',
      'title',
    ])
    const flat = await linesOf(rpc.post.create({ data: data as never }), (path) =>
      path.filter((key) => key !== 'create'),
    )
    expect(flat.map((line) => line.split(' | ')[0])).toContain('tags.1.name')
    const hidden = await linesOf(rpc.post.create({ data: { slug: 'new', title: '' } }), () => undefined)
    expect(hidden).toEqual(['(form) data.title is invalid: Too small: expected string to have >=1 characters.'])
  })

  it('converts the data of an upsert', async () => {
    const args = { where: { id: 1 }, create: { slug: 'x', title: '' }, update: {} }
    expect((await linesOf(rpc.post.upsert(args)))[0]).toMatch(/^title \| Too small/)
  })

  it('passes the index of an atomic operation and of a call in a transaction', async () => {
    const toFormPath: ToFormPath = (path, operation) => ['posts', operation ?? -1, ...path]
    const good = { slug: 'new', title: 'New' }
    const atomic = rest.$operations([rest.post.create.call(good), rest.post.create.call({ slug: 'other', title: '' })])
    expect((await linesOf(atomic, toFormPath))[0]).toMatch(/^posts\.1\.title \| Too small/)
    const transaction = rpc.$transaction([
      rpc.post.create.call({ data: good }),
      rpc.post.create.call({ data: { slug: 'other', title: '' } }),
    ])
    expect((await linesOf(transaction, toFormPath))[0]).toMatch(/^posts\.1\.title \| Too small/)
  })

  it('returns the errors of one operation, or of one call in a transaction', async () => {
    const good = { slug: 'new', title: 'New' }
    const bad = { slug: 'other', title: '' }
    const send = {
      rest: () => rest.$operations([rest.post.create.call(good), rest.post.create.call(bad)]),
      rpc: () => rpc.$transaction([rpc.post.create.call({ data: good }), rpc.post.create.call({ data: bad })]),
      missing: () => rest.$operations([rest.post.create.call(good), rest.post.delete.call(999)]),
      missingRow: () => rpc.$transaction([rpc.tag.count.call(), rpc.post.delete.call({ where: { id: 999 } })]),
    }
    for (const style of ['rest', 'rpc'] as const) {
      expect(await linesOf(send[style](), 1)).toEqual([expect.stringMatching(/^title \| Too small/)])
      expect(await linesOf(send[style](), 0)).toEqual([])
    }
    expect(await linesOf(send.missing(), 1)).toEqual([expect.stringMatching(/^\(form\) /)])
    expect(await linesOf(send.missing(), 0)).toEqual([])
    expect(await linesOf(send.missingRow(), 1)).toEqual(['(form) The record or a related record was not found.'])
  })

  it('returns the errors of one row of createMany', async () => {
    const rows = [
      { slug: 'a', title: '' },
      { slug: 'b', title: 'B' },
      { slug: 'c', title: '' },
    ]
    const send = () => rpc.post.createMany({ data: rows })
    for (const row of [0, 2]) expect(await linesOf(send(), row)).toEqual([expect.stringMatching(/^title \| Too small/)])
    expect(await linesOf(send(), 1)).toEqual([])
    expect(await linesOf(send(), (path) => ['posts', ...path])).toEqual(
      [0, 2].map((row): unknown => expect.stringMatching(new RegExp(`^posts.${row}.title . Too small`))),
    )
    const nested = () => rpc.$transaction([rpc.tag.count.call(), rpc.post.createMany.call({ data: rows })])
    expect((await linesOf(nested(), 1))[0]).toMatch(/^0\.title \| Too small/)
  })

  it('passes the errors of one operation to form libraries', async () => {
    const send = () =>
      rpc.post.createMany({
        data: [
          { slug: 'a', title: 'A' },
          { slug: 'b', title: '' },
        ],
      })
    const error = await errorOf(send())
    const message = 'Too small: expected string to have >=1 characters'
    expect([toTanStackFormErrors(error, 1).fields, toTanStackFormErrors(error, 0)]).toEqual([
      { title: message },
      { form: undefined, fields: {} },
    ])
    expect([toConformErrors(error, 1).fieldErrors, toConformErrors(error, 0)]).toEqual([
      { title: [message] },
      { formErrors: [], fieldErrors: {} },
    ])
    const set: string[] = []
    const forms = [0, 1].map((index) => ({ setError: (name: string) => void set.push(`${index} ${name}`) }))
    for (const [index, form] of forms.entries()) setReactHookFormErrors(form, error, index)
    expect(set).toEqual(['1 title'])
  })

  it('converts errors without a field to errors of the form', async () => {
    expect(await linesOf(rest.post.update(999, { title: 'Nobody' }))).toEqual([expect.stringMatching(/^\(form\) /)])
    expect(await linesOf(rpc.post.update({ where: { id: 999 }, data: { title: 'Nobody' } }))).toEqual([
      '(form) The record or a related record was not found.',
    ])
    expect(await linesOf(rpc.post.update({ where: { id: 'x' as never }, data: {} }))).toEqual([
      expect.stringMatching(/^\(form\) where\.id /),
    ])
  })

  it('uses the names of form libraries', async () => {
    const data = { slug: 'new', title: '', tags: { create: [{ name: 1 }] } }
    const error = await errorOf(rpc.post.create({ data: data as never }))
    const small = 'Too small: expected string to have >=1 characters'
    expect(toTanStackFormErrors(error)).toEqual({
      form: undefined,
      fields: { title: small, 'tags.create[0].name': 'Must be a string.' },
    })
    expect(toConformErrors(error)).toEqual({
      formErrors: [],
      fieldErrors: { title: [small], 'tags.create[0].name': ['Must be a string.'] },
    })
    const calls: unknown[] = []
    setReactHookFormErrors({ setError: (...args) => calls.push(args) }, error)
    expect(calls.sort()).toEqual([
      ['tags.create.0.name', { type: 'invalid_type', message: 'Must be a string.' }],
      ['title', { type: 'too_small', message: small }],
    ])
  })
})

describe('toFormErrors without a response', () => {
  const offline = new ApiError('The server cannot be reached.', { status: 0, code: 'network-error' })

  it('returns the message of an error of the whole request for each operation', () => {
    const error = new ApiError('The server cannot be reached.', { status: 0, code: 'network-error' })
    expect(toFormErrors(error, 1)).toEqual({ fields: [], form: ['The server cannot be reached.'] })
  })

  it('returns the message of the error', () => {
    expect(toFormErrors(offline)).toEqual({ fields: [], form: ['The server cannot be reached.'] })
    const calls: unknown[] = []
    setReactHookFormErrors({ setError: (...args) => calls.push(args) }, offline)
    expect(calls).toEqual([['root.server', { type: 'server', message: 'The server cannot be reached.' }]])
  })

  it.each([{ meta: null, source: { pointer: null } }, { meta: [], source: { pointer: 5 } }, { source: null }])(
    'REST: returns the message of an error with invalid members: %j',
    async (members) => {
      const errors = [{ status: 422, detail: 'It is invalid.', ...members }]
      const client = restClient(() => Promise.resolve(Response.json({ errors }, { status: 422 })))
      const error = await errorOf(client.tag.create({ name: 'x' }))
      expect(toFormErrors(error)).toEqual({ fields: [], form: ['It is invalid.'] })
    },
  )

  it.each([[[null]], [[{ message: 'x' }]], [[{ path: 'abc' }, { path: {} }]]])(
    'RPC: returns the message of an error with invalid issues: %j',
    async (issues) => {
      const response = Response.json({ message: 'It is invalid.', issues }, { status: 422 })
      const client = createRpcClient<Api>({ url: 'http://localhost', fetch: () => Promise.resolve(response) })
      const error = await errorOf(client.tag.create({ data: { name: 'x' } }))
      expect(toFormErrors(error)).toEqual({ fields: [], form: ['It is invalid.'] })
    },
  )

  it('throws errors that are not from a client', () => {
    const bug = new TypeError('x is not a function')
    expect(() => toFormErrors(bug)).toThrow(bug)
  })
})
