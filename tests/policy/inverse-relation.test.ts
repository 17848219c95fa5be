import { beforeEach, describe, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import type { Tenants } from './support/tenants.js'
import { fillTenants } from './support/two-tenants.js'

type Rules = (builder: ReturnType<typeof abilityBuilder>) => void
type Call = readonly [model: string, operation: string, args: object]
type Request = readonly [method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object]

/** An unreadable field, its two possible values, and the requests that might reveal which one it has. */
interface Secret {
  readonly name: string
  readonly rules: Readonly<Record<string, Rules>>
  readonly setValue: (orm: Tenants['orm'], first: boolean) => Promise<unknown>
  readonly calls: readonly Call[]
  readonly requests: readonly Request[]
}

const READS: ReadonlySet<string> = new Set(['findMany', 'count', 'aggregate', 'groupBy', 'check'])

const find = (model: string, args: object): Call => [model, 'findMany', { orderBy: { id: 'asc' }, ...args }]
const update = (model: string, id: number, data: object): Call => [
  model,
  'update',
  { where: { id }, data, select: { id: true } },
]
const one = (type: string, id: string) => ({ data: { type, id } })
const many = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) })

const author: Secret = {
  name: 'the foreign key of a to-many',
  rules: {
    never({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['authorId'])
    },
    'not on this row'({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['author'], { id: 3 })
    },
    'not on this row, nor writable'({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['authorId'], { id: 3 })
      cannot('update', 'Document', ['authorId'], { id: 3 })
    },
    'not on this row, with a hidden row at the other end'({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['authorId'], { id: 3 })
      cannot('read', 'Member', { id: 2 })
    },
  },
  setValue: (orm, first) => orm.document.update({ where: { id: 3 }, data: { authorId: first ? 1 : 2 } }),
  calls: [
    find('member', { where: { documents: { some: { id: 3 } } } }),
    find('member', { where: { documents: { none: { id: 3 } } } }),
    find('member', { where: { documents: { every: { id: { not: 3 } } } } }),
    find('member', { where: { NOT: { documents: { some: { title: 'beta doc' } } } } }),
    find('organisation', { where: { members: { some: { id: 1, documents: { some: { id: 3 } } } } } }),
    find('member', { include: { documents: { take: 5 } } }),
    find('member', { select: { id: true, documents: { select: { id: true }, take: 5 } } }),
    find('member', { select: { id: true, _count: true } }),
    find('member', { select: { id: true, _count: { select: { documents: true } } } }),
    find('member', { select: { id: true, _count: { select: { documents: { where: { id: 3 } } } } } }),
    find('member', { orderBy: [{ documents: { _count: 'desc' } }, { id: 'asc' }], select: { id: true } }),
    find('member', { include: { documents: { cursor: { id: 3 }, orderBy: { id: 'asc' }, take: 5 } } }),
    ['member', 'count', { where: { documents: { some: { id: 3 } } } }],
    ['member', 'aggregate', { where: { documents: { some: { id: 3 } } }, _max: { id: true } }],
    ['member', 'groupBy', { by: ['id'], where: { documents: { some: { id: 3 } } }, orderBy: { id: 'asc' } }],
    find('document', { where: { author: { documents: { some: { id: 3 } } } }, select: { id: true } }),
    find('document', { include: { author: { include: { documents: { take: 5 } } } } }),
    find('document', { where: { authorId: 1 }, select: { id: true } }),
    find('document', { orderBy: [{ author: { email: 'asc' } }, { id: 'asc' }], select: { id: true } }),
    find('document', { distinct: ['authorId'], select: { id: true } }),
    ['document', 'groupBy', { by: ['authorId'], _count: true, orderBy: { authorId: 'asc' } }],
    ['member', 'check', { operation: 'read', where: { documents: { some: { id: 3 } } } }],
    ['member', 'updateMany', { where: { documents: { some: { id: 3 } } }, data: { name: 'x' } }],
    update('member', 1, { documents: { connect: { id: 3 } } }),
    update('member', 1, { documents: { connectOrCreate: { where: { id: 3 }, create: { title: 'n', projectId: 3 } } } }),
    update('member', 1, { documents: { update: { where: { id: 3 }, data: { title: 'x' } } } }),
    update('member', 1, { documents: { updateMany: { where: { id: 3 }, data: { title: 'x' } } } }),
    update('member', 1, { documents: { delete: { id: 3 } } }),
    update('member', 1, {
      documents: { upsert: { where: { id: 3 }, create: { title: 'n', projectId: 3 }, update: {} } },
    }),
    update('document', 3, { author: { update: { where: { id: 1 }, data: { name: 'x' } } } }),
    update('document', 3, { author: { update: { salary: 5 } } }),
    update('document', 3, { authorId: 2 }),
    update('document', 3, { author: { connect: { id: 2 } } }),
  ],
  requests: [
    ['get', '/member/1/documents'],
    ['get', '/member/1/relationships/documents'],
    ['get', '/member?include=documents'],
    ['get', '/member?filter[documents]=3'],
    ['get', '/member?filter[documents][title]=beta%20doc'],
    ['get', '/document?filter[author]=1&fields[document]=title'],
    ['get', '/document?sort=author.email&fields[document]=title'],
    ['get', '/document/3'],
    ['get', '/document/3/author'],
    ['get', '/document/3/relationships/author'],
    ['get', '/document?include=author.documents'],
    ['post', '/member/1/relationships/documents', many('document', '3')],
    ['delete', '/member/1/relationships/documents', many('document', '3')],
    ['patch', '/document/3/relationships/author', one('member', '2')],
  ],
}

const secret: Secret = {
  name: 'the foreign key of a one-to-one',
  rules: {
    never({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Secret', ['documentId'])
    },
    'not on this row'({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Secret', ['document'], { id: 2 })
    },
  },
  setValue: (orm, first) => orm.secret.update({ where: { id: 2 }, data: { documentId: first ? 3 : 4 } }),
  calls: [
    find('document', { where: { secret: { value: 'beta secret' } } }),
    find('document', { where: { secret: null } }),
    find('document', { where: { secret: { is: null } } }),
    find('document', { where: { secret: { isNot: { id: 2 } } } }),
    find('document', { where: { NOT: { secret: { is: { id: 2 } } } } }),
    find('document', { include: { secret: true } }),
    find('document', { orderBy: [{ secret: { value: 'asc' } }, { id: 'asc' }] }),
    find('comment', { where: { document: { secret: { isNot: null } } }, orderBy: { seq: 'asc' } }),
    update('document', 3, { secret: { update: { value: 'x' } } }),
    update('document', 3, { secret: { delete: { id: 2 } } }),
    update('document', 3, { secret: { disconnect: { id: 2 } } }),
  ],
  requests: [
    ['get', '/document/3'],
    ['get', '/document/3/secret'],
    ['get', '/document/3/relationships/secret'],
    ['get', '/document?include=secret'],
    ['get', '/document?filter[secret]=2'],
    ['get', '/document?sort=secret.value'],
  ],
}

const labels: Secret = {
  name: 'one end of a join table',
  rules: {
    never({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['labels'])
    },
    'not on this row'({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['labels'], { id: 3 })
    },
    'not on this row, nor writable'({ can, cannot }) {
      can('manage', 'all')
      cannot('read', 'Document', ['labels'], { id: 3 })
      cannot('update', 'Document', ['labels'], { id: 3 })
    },
  },
  setValue: (orm, first) =>
    orm.document.update({ where: { id: 3 }, data: { labels: { set: [{ id: first ? 1 : 2 }] } } }),
  calls: [
    find('label', { where: { documents: { some: { id: 3 } } } }),
    find('label', { include: { documents: { take: 5 } } }),
    find('label', { select: { id: true, _count: true } }),
    find('label', { orderBy: [{ documents: { _count: 'asc' } }, { id: 'asc' }] }),
    find('document', { where: { labels: { some: { id: 1 } } } }),
    update('label', 1, { documents: { connect: { id: 3 } } }),
    update('label', 1, { documents: { disconnect: { id: 3 } } }),
    update('label', 1, { documents: { update: { where: { id: 3 }, data: { title: 'x' } } } }),
    update('label', 1, { documents: { delete: { id: 3 } } }),
    update('document', 3, { labels: { update: { where: { id: 1 }, data: { name: 'x' } } } }),
    update('document', 3, { labels: { delete: { id: 1 } } }),
  ],
  requests: [
    ['get', '/label/1/documents'],
    ['get', '/label?include=documents'],
    ['get', '/label?filter[documents]=3'],
    ['delete', '/label/1/relationships/documents', many('document', '3')],
    ['get', '/document/3/labels'],
    ['patch', '/document/3/relationships/labels', many('label', '1')],
  ],
}

describeDatabases(
  'policy: unreadable field with a readable inverse relation',
  (db) => {
    // Filling the database is the slowest part, and reads do not change it.
    let isFilled = false
    const fill = async () => {
      if (!isFilled) await db.fill(fillTenants)
      isFilled = true
    }
    beforeEach(fill)
    const policed = (define: Rules) => {
      const builder = abilityBuilder()
      define(builder)
      return db.orm.$extends(withPolicies(builder.build()))
    }
    /** Returns the response, which must be the same for both values. */
    const requireOne = async (
      { setValue }: Secret,
      isRead: boolean,
      send: () => Promise<{ readonly status: number; readonly body: unknown }>,
    ) => {
      const responses = []
      for (const first of [true, false]) {
        await fill()
        await setValue(db.orm, first)
        isFilled = isRead
        const { status, body } = await send()
        responses.push({ status, body })
      }
      expect(responses[0]).toEqual(responses[1])
      expect(responses[0]?.status, JSON.stringify(responses[0])).toBeLessThan(500)
    }

    for (const hidden of [author, secret, labels]) {
      describe.each(Object.keys(hidden.rules))(`${hidden.name} (readable: %s)`, (which) => {
        const orm = () => policed(hidden.rules[which] ?? (() => {}))
        it.each(hidden.calls)('%s.%s %j: responds equally for both values', async (...call) => {
          await requireOne(hidden, READS.has(call[1]), () =>
            rpcClient(db as unknown as Database, {}, orm()).call(...call),
          )
        })
        it.each(hidden.requests.map((request) => [request] as const))(
          '%j: responds equally for both values',
          async ([method, path, body]) => {
            await requireOne(hidden, method === 'get', () =>
              fixtureClient({ orm: orm(), routes: db.routes })[method](path, body as never),
            )
          },
        )
      })
    }

    it('finds readable rows through the inverse relation', async () => {
      await db.fill(fillTenants)
      const orm = policed(({ can, cannot }) => {
        can('read', 'all')
        cannot('read', 'Document', ['authorId'], { id: 3 })
      })
      const found = await orm.member.findMany({
        where: { id: { in: [1, 3] } },
        select: {
          documents: { select: { id: true }, orderBy: { id: 'asc' } },
          _count: { select: { documents: true } },
        },
        orderBy: { id: 'asc' },
      })
      expect(found).toEqual([
        { documents: [{ id: 1 }, { id: 4 }], _count: { documents: 2 } },
        { documents: [], _count: { documents: 0 } },
      ])
      expect(await orm.member.count({ where: { documents: { some: { id: 4 } } } })).toBe(1)
    })
  },
  { fixture: 'tenants', only: ['sqlite', 'postgresql'] },
)
