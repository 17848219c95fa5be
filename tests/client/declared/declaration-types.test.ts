import { expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../../fixtures/blog/expected/declare-routes.js'
import { implementRoutes as implementVersionedRoutes } from '../../../fixtures/versions/expected/custom-routes.js'
import { declareRoutes as declareVersionedRoutes } from '../../../fixtures/versions/expected/declare-routes.js'

// `@ts-expect-error` does not hide errors here. It asserts that the compiler rejects the next line, for the reason that follows: if the line
// compiles, `npm run typecheck` fails.

const body = z.object({ note: z.string() })
const post = { method: 'POST', path: '/close' } as const
const get = { method: 'GET', path: '/closed' } as const

it('accepts each kind of declaration', () => {
  const check = () => {
    declareRoutes({
      post: {
        close: { ...post, path: '/:id/close', body, result: 'Post', writes: ['Post', 'User'], transaction: true },
        closed: { ...get, query: z.object({ since: z.string() }), result: ['Post'], list: true, errors: { late: 409 } },
        count: { ...get, path: '/count', result: z.object({ count: z.int() }) },
        newest: { ...get, path: '/newest', result: 'Post', nullable: true },
      },
      reports: { newest: { ...get, result: ['Comment'] }, run: { ...post, body, transaction: true } },
    })
  }
  expect(check).toBeTypeOf('function')
})

it('reports what a declaration must not contain where it is', () => {
  const check = () => {
    // @ts-expect-error A property that does not exist.
    declareRoutes({ post: { close: { ...post, boddy: body } } })
    // @ts-expect-error A property that does not exist, next to valid declarations.
    declareRoutes({ user: { close: post }, post: { close: post, closed: { ...get, lists: true } } })
    // @ts-expect-error A model that does not exist.
    declareRoutes({ post: { close: { ...post, result: 'Pots' } } })
    // @ts-expect-error A list of a model that does not exist.
    declareRoutes({ post: { closed: { ...get, result: ['Pots'] } } })
    // @ts-expect-error A list of two models.
    declareRoutes({ post: { closed: { ...get, result: ['Post', 'User'] } } })
    // @ts-expect-error A GET request has no body.
    declareRoutes({ post: { closed: { ...get, body } } })
    // @ts-expect-error Only GET routes with a list have list parameters.
    declareRoutes({ post: { closed: { ...get, result: 'Post', list: true } } })
    // @ts-expect-error Only a row can be missing.
    declareRoutes({ post: { closed: { ...get, result: ['Post'], nullable: true } } })
    // @ts-expect-error A status of success.
    declareRoutes({ post: { close: { ...post, errors: { closed: 200 } } } })
    // @ts-expect-error A group without a model has no ids.
    declareRoutes({ post: { close: post }, reports: { run: { ...post, path: '/:id/run' } } })
    // @ts-expect-error A GET route cannot be part of a transaction.
    declareRoutes({ reports: { run: { method: 'GET', path: '/run', transaction: true } } })
  }
  expect(check).toBeTypeOf('function')
})

it('implementRoutes: reports what is not a schema', () => {
  const check = () => {
    const close = () => undefined
    const noSchema = declareRoutes({ post: { close: { ...post, body: { note: 'text' } } } })
    // @ts-expect-error The body is not a schema.
    implementRoutes(noSchema, { post: { close } })
    const text = declareRoutes({ post: { close: { ...post, body: z.string() } } })
    // @ts-expect-error The body must be an object.
    implementRoutes(text, { post: { close } })
    const result = declareRoutes({ post: { close: { ...post, result: { note: 'text' } } } })
    // @ts-expect-error The result is not a schema.
    implementRoutes(result, { post: { close } })
  }
  expect(check).toBeTypeOf('function')
})

it('implementRoutes: types the id and the location of errors', () => {
  const check = () => {
    const path = '/:id/close'
    const nested = z.object({ items: z.array(z.object({ quantity: z.int() })) })
    const declarations = declareRoutes({
      post: { close: { ...post, path, body: nested, errors: { closed: 409 } } },
      comment: { close: { ...post, path } },
    })
    implementRoutes(declarations, {
      post: {
        async close({ orm, where, fail }) {
          await orm.post.update({ where: { ...where, status: 'DRAFT' }, data: { title: 'a' } })
          await orm.comment.create({ data: { seq: 1, body: 'a', postId: where.id } })
          // The compiler must reject a path of another property, because no form has a field for it.
          // @ts-expect-error A path starts with a property of the body.
          fail('closed', 'Closed.', ['item', 1])
          throw fail('closed', 'Closed.', ['items', 1, 'quantity'])
        },
      },
      comment: {
        async close({ orm, where }) {
          const { postId, seq } = where.postId_seq
          await orm.comment.update({ where, data: { body: `${postId satisfies number} ${seq satisfies number}` } })
        },
      },
    })
    const versioned = declareVersionedRoutes({ account: { close: { ...post, path } } })
    implementVersionedRoutes(versioned, {
      account: {
        async close({ orm, where }) {
          await orm.account.update({ where: { ...where, balance: 0 }, data: { version: { increment: 1 } } })
          await orm.entry.create({ data: { text: 'a', accountId: where.id } })
        },
      },
    })
  }
  expect(check).toBeTypeOf('function')
})
