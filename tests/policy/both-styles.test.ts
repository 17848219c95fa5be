import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { createPolicies } from '../../runtime/policy/index.js'
import { fixtureClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { RESOURCES } from './support/tenants.js'
import { betaAbility, fillTenants, ME } from './support/two-tenants.js'

interface Watched {
  readonly operation: string
  readonly args: unknown
  query(args: unknown): Promise<unknown>
}

describeDatabases(
  'policy: responses',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })
    const policed = (ability: AppAbility) => db.orm.$extends(withPolicies(ability))
    const rpc = (ability: AppAbility) => rpcClient(db as unknown as Database, {}, policed(ability))
    const rest = (ability: AppAbility) => fixtureClient({ orm: policed(ability), routes: db.routes })
    const rules = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
      const builder = abilityBuilder()
      define(builder)
      return builder.build()
    }
    const readOnly = () => rules(({ can }) => can('read', 'all'))

    it('returns the same client for the same ability, with its current rules', async () => {
      const ability = rules(() => {})
      const client = policed(ability)
      expect(policed(ability)).toBe(client)
      expect(policed(readOnly())).not.toBe(client)
      await expect(client.document.count()).resolves.toBe(0)
      ability.update([{ action: 'read', subject: 'Document' }])
      expect(await policed(ability).document.count()).toBe(await db.orm.document.count())
    })

    it('responds with 403 to a readable row and 404 to an unreadable one', async () => {
      const body = { data: { type: 'document', attributes: { title: 'x' } } }
      const denied = await rest(readOnly()).patch('/document/3', body)
      expect(denied.status).toBe(403)
      expect(denied.errors).toMatchObject([{ code: 'forbidden', status: 403, ormCode: 'P2004' }])
      expect((await rest(betaAbility()).patch('/document/1', body)).status).toBe(404)
      const call = { where: { id: 3 }, data: { title: 'x' } }
      expect(await rpc(readOnly()).call('document', 'update', call)).toMatchObject({
        status: 403,
        body: { rejectedByPolicy: true, orm: true, code: 'P2004', reason: 'ACCESS_POLICY_VIOLATION' },
      })
      const hidden = await rpc(betaAbility()).call('document', 'update', { ...call, where: { id: 1 } })
      expect(hidden).toMatchObject({ status: 404, body: { code: 'P2025' } })
    })

    it('responds with 403 RESULT_NOT_READABLE but keeps a write with an unreadable result', async () => {
      const writeOnly = rules(({ can }) => can('create', 'Comment'))
      const data = { documentId: 3, seq: 7, body: 'new' }
      // A foreign key to an unreadable row is treated as dangling.
      expect(await rpc(writeOnly).call('comment', 'create', { data })).toMatchObject({ status: 409 })
      const blind = rules(({ can }) => {
        can('create', 'Comment')
        can('read', 'Document')
      })
      expect(await rpc(blind).call('comment', 'create', { data })).toMatchObject({
        status: 403,
        body: { rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' },
      })
      expect(await db.orm.comment.count({ where: { seq: 7 } })).toBe(1)
      const resource = { data: { type: 'comment', attributes: { ...data, seq: 8 } } }
      const response = await rest(blind).post('/comment', resource)
      expect(response.status).toBe(403)
      expect(response.errors).toMatchObject([{ code: 'forbidden', meta: { reason: 'RESULT_NOT_READABLE' } }])
      expect(await db.orm.comment.count({ where: { seq: 8 } })).toBe(1)
    })

    it('rolls back the whole write if one part is denied', async () => {
      const orm = policed(betaAbility())
      const data = {
        title: 'changed',
        comments: { create: [{ seq: 8, body: 'allowed' }] },
        labels: { create: { name: 'not allowed', organisationId: null } },
      }
      await expect(orm.document.update({ where: { id: 3 }, data })).rejects.toMatchObject({ code: 'P2004' })
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
      expect(await db.orm.comment.count({ where: { seq: 8 } })).toBe(0)
      expect(await db.orm.label.count()).toBe(3)
    })

    it('rolls back with the transaction of the app', async () => {
      const orm = policed(betaAbility())
      const failed = orm.$transaction(async (tx) => {
        await tx.document.update({ where: { id: 3 }, data: { title: 'inside' } })
        expect(await tx.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'inside' })
        expect(await tx.document.findUnique({ where: { id: 4 }, include: { author: true } })).toMatchObject({
          author: null,
        })
        await tx.document.update({ where: { id: 3 }, data: { projectId: 1 } })
      })
      await expect(failed).rejects.toMatchObject({ code: 'P2003' })
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
      await orm.$transaction(async (tx) => {
        await tx.document.update({ where: { id: 3 }, data: { title: 'inside' } })
      })
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'inside' })
      // An array of promises does not provide a transaction in which rows can be checked.
      const batch = orm.$transaction([orm.document.update({ where: { id: 3 }, data: { title: 'batch' } })])
      await expect(batch).rejects.toThrow('async (tx)')
      const [documents] = await orm.$transaction([
        orm.document.findMany({ orderBy: { id: 'asc' } }),
        orm.organisation.count(),
      ])
      expect(documents.map(({ id }) => id)).toEqual([3, 4])
    })

    it('rejects a member list with 403 unless the inverse relation is readable', async () => {
      const readable = (fields: ('document' | 'documentId' | 'seq' | 'body')[]) =>
        rest(
          rules(({ can }) => {
            can('read', 'Document')
            can('read', 'Comment', fields)
          }),
        )
      const denied = await readable(['seq', 'body']).get('/document/1/comments')
      expect(denied.status).toBe(403)
      expect(denied.errors).toMatchObject([
        { detail: expect.stringContaining('"documentId" of Comment is not readable') },
      ])
      for (const name of ['document', 'documentId'] as const) {
        const response = await readable([name, 'seq', 'body']).get('/document/1/comments')
        expect(response.ids).toEqual((await fixtureClient(db).get('/document/1/comments')).ids)
      }
    })

    it('omits an unreadable field from results and rejects its use in queries', async () => {
      const ability = rules(({ can }) => {
        can('read', 'Member', ['id', 'name'])
        can('read', 'Member', ['salary'], { id: ME })
        can('read', 'Document')
      })
      const orm = policed(ability)
      expect(await orm.member.findMany({ orderBy: { id: 'asc' }, take: 3 })).toEqual([
        { id: 1, name: 'alpha one' },
        { id: 2, name: 'alpha two' },
        { id: 3, name: 'me', salary: 3 },
      ])
      expect(await orm.member.findMany({ select: { email: true, name: true }, where: { id: 1 } })).toEqual([
        { name: 'alpha one' },
      ])
      // No field remains, but Prisma rejects queries that load no field.
      expect(await orm.member.findMany({ omit: { id: true, name: true, salary: true }, take: 1 })).toEqual([{}])
      expect(await orm.member.findMany({ where: { salary: { gt: 0 } }, select: { name: true } })).toEqual([
        { name: 'me' },
      ])
      expect(await orm.document.findMany({ where: { author: { salary: { gt: 0 } } }, select: { id: true } })).toEqual([
        { id: 3 },
      ])
      expect(await orm.document.findUnique({ where: { id: 1 }, select: { author: true } })).toEqual({
        author: { id: 1, name: 'alpha one' },
      })
      for (const args of [
        { where: { email: { contains: '@' } } },
        { orderBy: { email: 'asc' } as const },
        { distinct: ['email'] as const },
        { cursor: { email: 'one@alpha' } },
        { where: { documents: { some: {} } } },
      ]) {
        await expect(orm.member.findMany(args as object)).rejects.toThrow(
          /"(email|documents)" of Member is not readable/,
        )
      }
      await expect(orm.member.groupBy({ by: ['email'] })).rejects.toThrow('"email"')
      await expect(orm.member.aggregate({ _max: { email: true } })).rejects.toThrow('"email"')
      await expect(orm.document.findMany({ orderBy: { author: { email: 'asc' } } })).rejects.toThrow('"email"')
      const { attributes } = (await rest(ability).get('/member/1')).one
      expect(attributes).toEqual({ name: 'alpha one' })
    })

    it('rejects REST reads with 403 if the id is unreadable', async () => {
      const ability = rules(({ can }) => can('read', 'Member', ['name']))
      expect((await rest(ability).get('/member?sort=name')).status).toBe(403)
      expect(await policed(ability).member.findMany()).toContainEqual({ name: 'me' })
    })

    it('distinguishes rows with a Boolean id', async () => {
      await db.orm.comment.deleteMany({ where: { documentId: 3 } })
      await db.orm.comment.update({ where: { documentId_seq: { documentId: 1, seq: 1 } }, data: { isHidden: true } })
      await db.orm.comment.update({ where: { documentId_seq: { documentId: 1, seq: 2 } }, data: { isHidden: false } })
      const resources = RESOURCES.map((resource) => {
        if (resource.model !== 'Comment') return resource
        return { ...resource, id: 'isHidden', uniques: { isHidden: ['isHidden'] as const } }
      })
      const ability = rules(({ can, cannot }) => {
        can('read', 'Comment')
        cannot('read', 'Comment', ['body'], { authorId: 1 })
      })
      const read = (of: AppAbility) => {
        return db.orm
          .$extends(createPolicies(resources)(of))
          .comment.findMany({ select: { body: true }, orderBy: { seq: 'asc' } })
      }
      expect(await read(ability)).toEqual([{}, { body: 'alpha comment two' }])
      expect(await read(rules(() => undefined))).toEqual([])
    })

    it('returns null for an unreadable target of a required relation', async () => {
      const [document] = await policed(betaAbility()).document.findMany({
        where: { id: 4 },
        select: { author: { select: { name: true } }, reviewer: true, authorId: true },
      })
      expect(document).toEqual({ author: null, reviewer: null, authorId: 1 })
    })

    it('applies rules to fluent relation calls', async () => {
      const orm = policed(betaAbility())
      expect(await orm.document.findUnique({ where: { id: 4 } }).author()).toBeNull()
      expect(await orm.document.findUnique({ where: { id: 3 } }).author({ select: { name: true } })).toEqual({
        name: 'me',
      })
      expect(
        await orm.document
          .findUnique({ where: { id: 3 } })
          .author()
          .organisation(),
      ).toMatchObject({ id: 2 })
      expect(
        await orm.document
          .findUnique({ where: { id: 4 } })
          .author()
          .organisation(),
      ).toBeNull()
      expect(await orm.document.findUnique({ where: { id: 1 } }).comments()).toBeNull()
      expect(await orm.document.findUnique({ where: { id: 3 } }).labels()).toMatchObject([{ id: 2 }])
      expect(
        await orm.document
          .findUnique({ where: { id: 4 } })
          .project()
          .parent(),
      ).toBeNull()
      expect(await orm.member.findUnique({ where: { id: 4 } }).documents()).toEqual([])
    })

    it('applies rules to reads in a batch transaction', async () => {
      const orm = policed(betaAbility())
      const list = orm.document.findMany({ where: { id: 4 }, include: { author: true }, cursor: { id: 4 } })
      const [documents, count] = await orm.$transaction([list, orm.organisation.count()])
      expect([documents, count]).toMatchObject([[{ id: 4, author: null }], 1])
    })

    it('denies models without a resource, directly and through relations', async () => {
      const orm = policed(rules(({ can }) => can('manage', 'all')))
      await expect(orm.audit.findMany()).rejects.toMatchObject({ code: 'P2004' })
      await expect(orm.organisation.findMany({ include: { audits: true } })).rejects.toMatchObject({ code: 'P2004' })
      await expect(orm.organisation.findMany({ where: { audits: { some: {} } } })).rejects.toMatchObject({
        code: 'P2004',
      })
      expect(await orm.organisation.findFirst({ select: { _count: true } })).toEqual({
        _count: { members: 2, projects: 2, labels: 1 },
      })
      const create = orm.organisation.create({ data: { slug: 's', name: 'n', audits: { create: { what: 'w' } } } })
      await expect(create).rejects.toMatchObject({ code: 'P2004' })
    })

    it('does not pass verified writes to extensions that are added later', async () => {
      const seen: string[] = []
      const watch = {
        query: {
          $allModels: {
            async $allOperations({ operation, args, query }: Watched) {
              seen.push(operation)
              return query(args)
            },
          },
        },
      }
      const title = { needs: { title: true }, compute: ({ title }: { title: string }) => title.toUpperCase() }
      const computed = db.orm.$extends({ result: { document: { loud: title } } })
      const orm = computed.$extends(withPolicies(betaAbility())).$extends(watch)
      await orm.document.update({ where: { id: 3 }, data: { title: 'x' } })
      expect(seen).toEqual([])
      expect(await orm.document.findFirst({ where: { id: 3 } })).toMatchObject({ loud: 'X' })
      expect(seen).toEqual(['findFirst'])
      const selected = await orm.document.findFirst({ where: { id: 3 }, select: { loud: true } })
      expect(JSON.stringify(selected)).toBe('{"loud":"X"}')
      const included = orm.document.findFirst({ include: { loud: true } as object })
      await expect(included).rejects.toMatchObject({ code: 'P2004' })
      // Extensions added before see the call and the flat writes.
      const before = db.orm.$extends(watch).$extends(withPolicies(betaAbility()))
      await before.document.update({ where: { id: 3 }, data: { title: 'y' } })
      expect(seen.filter((operation) => operation === 'update')).not.toEqual([])
    })

    it('throws if a condition of a rule is undefined', async () => {
      const anonymous: { readonly id?: number } = {}
      const ability = readOnly()
      const conditions: object = { authorId: anonymous.id }
      ability.update([{ action: 'read', subject: 'Document', conditions } as (typeof ability.rules)[number]])
      await expect(policed(ability).document.findMany()).rejects.toThrow('"authorId" is undefined')
      // Like `Prisma.skip`, which clients with `strictUndefinedChecks` have.
      const skipped: object = { authorId: Object.create({}) as object }
      ability.update([{ action: 'read', subject: 'Document', conditions: skipped } as (typeof ability.rules)[number]])
      await expect(policed(ability).document.findMany()).rejects.toThrow('"authorId" contains an invalid value')
    })

    type Define = (builder: ReturnType<typeof abilityBuilder>) => unknown
    const labelsUnder = (define: Define) => {
      const builder = abilityBuilder()
      builder.can('read', 'all')
      define(builder)
      return policed(builder.build()).label.findMany()
    }

    // For example after a renamed field: the compiler accepts any name, and a rule without effect would protect nothing.
    it.each<[string, Define, string]>([
      ['cannot', ({ cannot }) => cannot('read', 'Document', ['titel']), '"Document" lists "titel"'],
      ['can', ({ can }) => can('read', 'Member', ['id', 'mail']), '"Member" lists "mail"'],
      ['a field of another model', ({ cannot }) => cannot('read', 'Document', 'email'), '"Document" lists "email"'],
      ['all', ({ cannot }) => cannot('read', 'all', ['titel']), '"all" lists "titel"'],
    ])('%s: rejects a rule with an unknown field', async (_case, define, error) => {
      await expect(labelsUnder(define)).rejects.toThrow(error)
    })

    it.each<[string, Define]>([
      ['a field of one of two models', ({ cannot }) => cannot('read', ['Document', 'Member'], ['title'])],
      ['a field of a model, for all', ({ cannot }) => cannot('read', 'all', ['title'])],
      ['a relation', ({ cannot }) => cannot('read', 'Document', ['author', 'comments'])],
      ['a relation to a hidden model', ({ cannot }) => cannot('read', 'Organisation', ['audits'])],
      ['a pattern', ({ cannot }) => cannot('read', 'Document', ['t*'])],
      ['no fields', ({ rules }) => rules.push({ action: 'read', subject: 'Document', fields: null as never })],
      [
        'an action of the app',
        ({ rules }) => rules.push({ action: 'export' as never, subject: 'Document', fields: 'csv' }),
      ],
      [
        'a model without routes',
        ({ rules }) => rules.push({ action: 'read', subject: 'Audit' as never, fields: 'csv' }),
      ],
    ])('%s: accepts the rule', async (_case, define) => {
      await expect(labelsUnder(define)).resolves.toHaveLength(3)
    })

    it('applies replaced rules immediately', async () => {
      const ability = readOnly()
      const orm = policed(ability)
      expect(await orm.document.count()).toBe(4)
      ability.update([])
      expect(await orm.document.count()).toBe(0)
    })

    it('check: returns whether the rules allow the operation', async () => {
      const api = rpc(betaAbility())
      const check = (model: string, q: object) => api.result(model, 'check', q, 'GET')
      expect(await db.queriesOf(() => check('document', { operation: 'update' }))).toEqual([])
      expect(await check('document', { operation: 'update' })).toBe(true)
      expect(await check('organisation', { operation: 'create' })).toBe(false)
      expect(await check('document', { operation: 'update', where: { id: 3 } })).toBe(true)
      expect(await check('document', { operation: 'update', where: { id: 1 } })).toBe(false)
      expect(await check('label', { operation: 'update', where: { id: 3 } })).toBe(false)
      expect(await check('member', { operation: 'create', where: { organisationId: 2 } })).toBe(true)
      expect(await check('member', { operation: 'create', where: { organisationId: 1 } })).toBe(false)
      expect(await check('member', { operation: 'create', where: { name: 'n' } })).toBe(false)
      const open = rpc(rules(({ can }) => can('manage', 'all')))
      const isOpen = (operation: string, where?: object) =>
        open.result('document', 'check', { operation, ...(where && { where }) }, 'GET')
      expect(
        await db.queriesOf(async () => {
          expect(await isOpen('read', { visibility: 'PUBLIC' })).toBe(true)
          expect(await isOpen('create', { title: 'x' })).toBe(true)
          expect(await isOpen('update')).toBe(true)
        }),
      ).toEqual([])
      for (const operation of ['read', 'update', 'delete']) {
        const where = [{ id: 1 }, { id: 99 }, { AND: [{ id: 1 }, { title: 'beta doc' }] }]
        const found = await Promise.all(where.map((one) => isOpen(operation, one)))
        expect([operation, found]).toEqual([operation, [true, false, operation === 'read']])
      }
      expect(
        await rpcClient(db as unknown as Database).result('document', 'check', { operation: 'delete' }, 'GET'),
      ).toBe(true)
    })

    it('runs no additional queries if the rules have no conditions', async () => {
      const orm = policed(rules(({ can }) => can('manage', 'all')))
      expect(await db.queriesOf(() => orm.document.findMany({ where: { project: { name: 'x' } } }))).toEqual(
        await db.queriesOf(() => db.orm.document.findMany({ where: { project: { name: 'x' } } })),
      )
      expect(await db.queriesOf(() => orm.label.update({ where: { id: 1 }, data: { name: 'y' } }))).toEqual(
        await db.queriesOf(() => db.orm.label.update({ where: { id: 1 }, data: { name: 'y' } })),
      )
    })
  },
  { fixture: 'tenants' },
)
