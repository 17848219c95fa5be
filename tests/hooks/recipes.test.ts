import { beforeEach, expect, it } from 'vitest'

import { abilityFor } from '../../examples/workspace/ability.js'
import type { Caller } from '../../examples/workspace/caller.js'
import { hooks } from '../../examples/workspace/hooks.js'
import { withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillWorkspace } from './support/workspace.js'

describeDatabases(
  'hooks: recipes of the documentation',
  (db) => {
    const mails: string[] = []
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      mails.length = 0
    })
    const caller = (id: number, more: Partial<Caller> = {}): Caller => {
      const teamId = id === 3 ? 2 : 1
      return { id, teamId, isAdmin: false, seesArchive: false, mail: (text) => void mails.push(text), ...more }
    }
    const serve = (who: Caller) => {
      const of = {
        context: () => who,
        getOrm: (_c: unknown, context: Caller) => db.orm.$extends(withPolicies(abilityFor(context))) as never,
      }
      const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT, hooks })
      const rpc = db.routes.RPCApiHandler({ hooks })
      const app = db.hono.createHonoHandler({ ...of, handler: rest, prefix: '/api' })
      const rpcApp = db.hono.createHonoHandler({ ...of, handler: rpc, prefix: '/api' })
      return {
        rest: clientOf(async (request) => app.fetch(request)),
        rpc: rpcClientOf(async (request) => rpcApp.fetch(request), superjsonOf(db.client.Prisma as never)),
      }
    }
    const ann = () => serve(caller(1))
    const title = (id: string, text: string) => ({ data: { type: 'document', id, attributes: { title: text } } })

    it('sets the owner, team and slug of a document', async () => {
      const created = await ann().rest.post('/document', {
        data: { type: 'document', attributes: { title: 'Big Plan' } },
      })
      expect(created.status).toBe(201)
      expect(created.one.attributes).toMatchObject({ ownerId: 1, teamId: 1, slug: expect.stringMatching(/^big-plan-/) })
      const changed = await ann().rest.patch(`/document/${created.one.id}`, title(created.one.id, 'Small Plan'))
      expect(changed.one.attributes).toMatchObject({ slug: `small-plan-${Number(created.one.id).toString(36)}` })
    })

    it('hides rows of other teams', async () => {
      expect((await ann().rest.get('/document')).ids).toEqual(['1', '2'])
      expect((await ann().rest.get('/document/3')).status).toBe(404)
      expect((await ann().rest.patch('/document/3', title('3', 'x'))).status).toBe(404)
      expect((await ann().rest.get('/comment')).ids).toEqual(['1', '2'])
      expect((await serve(caller(3)).rest.get('/team')).ids).toEqual(['2'])
      const into = { data: { title: 'x', comments: { connect: { id: 3 } } } }
      expect(await ann().rpc.call('document', 'create', into)).toMatchObject({ status: 404 })
    })

    it('soft delete: hides archived rows from every read', async () => {
      const { rest, rpc } = ann()
      expect((await rest.delete('/document/2')).status).toBe(403)
      expect((await rest.delete('/document/1')).status).toBe(204)
      expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({ deletedAt: expect.any(Date) })
      for (const path of ['/document/1', '/document/1/comments', '/document/1/relationships/comments', '/comment/1']) {
        expect((await rest.get(path)).status, path).toBe(404)
      }
      expect((await rest.get('/document')).ids).toEqual(['2'])
      expect((await rest.get('/document?filter[slug]=one')).ids).toEqual([])
      expect((await rest.get('/folder/1?include=documents')).body.included).toEqual([])
      expect((await rest.get('/person?filter[documents.title]=One')).status).not.toBe(500)
      expect(await rpc.result('document', 'findUnique', { where: { slug: 'one' } })).toBeNull()
      expect(await rpc.result('document', 'count')).toBe(1)
      expect(await rpc.result('folder', 'count', { where: { documents: { some: {} } } })).toBe(0)
      expect(await rpc.result('comment', 'findMany', { include: { document: true } })).toEqual([])
      const counted = { where: { id: 1 }, select: { _count: { select: { documents: true, comments: true } } } }
      expect(await rpc.result('person', 'findUnique', counted)).toEqual({ _count: { documents: 0, comments: 0 } })
    })

    it('soft delete: archives rows of nested deletes and deleteMany', async () => {
      const { rpc } = serve(caller(1, { isAdmin: true }))
      await rpc.result('document', 'update', {
        where: { id: 1 },
        data: { comments: { delete: { id: 2 }, deleteMany: { authorId: 1 } } },
      })
      expect(await db.orm.comment.count({ where: { deletedAt: { not: null } } })).toBe(1)
      expect(await rpc.result('document', 'deleteMany', { where: { teamId: 1 } })).toEqual({ count: 2 })
      expect(await db.orm.document.count({ where: { deletedAt: { not: null } } })).toBe(2)
      expect(await db.orm.document.count()).toBe(3)
    })

    it('soft delete: restores a row only for an admin with access to the archive', async () => {
      await ann().rest.delete('/document/1')
      const back = { data: { type: 'document', id: '1', attributes: { deletedAt: null } } }
      expect((await serve(caller(1, { isAdmin: true })).rest.patch('/document/1', back)).status).toBe(404)
      expect((await serve(caller(1, { seesArchive: true })).rest.patch('/document/1', back)).status).toBe(403)
      const admin = serve(caller(2, { isAdmin: true, seesArchive: true }))
      expect((await admin.rest.patch('/document/1', back)).status).toBe(200)
      expect((await ann().rest.get('/document/1')).status).toBe(200)
    })

    it('audit log: records every change without passwords', async () => {
      const { rest } = ann()
      await rest.patch('/document/1', title('1', 'Changed'))
      await rest.delete('/document/1')
      const person = { type: 'person', attributes: { email: 'new@red', password: 'secret word' } }
      expect((await rest.post('/person', { data: person })).status).toBe(201)
      const entries = await db.orm.auditEntry.findMany({ orderBy: { id: 'asc' } })
      expect(entries).toMatchObject([
        { actor: 1, action: 'update', model: 'Document', before: { title: 'One' }, after: { title: 'Changed' } },
        { action: 'update', model: 'Document', before: { deletedAt: null }, after: { deletedAt: expect.any(String) } },
        { action: 'create', model: 'Person', before: null, after: { email: 'new@red', teamId: 1 } },
      ])
      expect(JSON.stringify(entries)).not.toContain('password')
      const stored = await db.orm.person.findUniqueOrThrow({ where: { email: 'new@red' } })
      expect(stored.password).toMatch(/^[A-Za-z0-9+/]{22}==:[A-Za-z0-9+/]{43}=$/)
    })

    it('audit log: stores every column type as JSON', async () => {
      const { rpc } = serve(caller(1, { isAdmin: true, seesArchive: true }))
      const data = { name: 'c', price: '0.10', weight: 0.5, downloads: 2n ** 60n, checksum: new Uint8Array([0, 255]) }
      const { id } = (await rpc.result('attachment', 'create', { data: { ...data, documentId: 1 } })) as { id: number }
      await rpc.result('attachment', 'update', { where: { id }, data: { downloads: null } })
      await rpc.result('document', 'update', { where: { id: 1 }, data: { deletedAt: new Date(0) } })
      const json = { name: 'c', price: '0.1', weight: 0.5, downloads: '1152921504606846976', checksum: 'AP8=' }
      expect(await db.orm.auditEntry.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
        { action: 'create', model: 'Attachment', before: null, after: json },
        { action: 'update', model: 'Attachment', before: json, after: { ...json, downloads: null } },
        { action: 'update', model: 'Document', after: { deletedAt: '1970-01-01T00:00:00.000Z' } },
      ])
    })

    it('mail: sends it only after a commit', async () => {
      const comment = (text: string, id: number) => ({ data: { text, document: { connect: { id } } } })
      expect(await ann().rpc.call('comment', 'create', comment('Hello', 1))).toMatchObject({ status: 201 })
      expect(mails).toEqual(['New comment: Hello'])
      expect(await ann().rpc.call('comment', 'create', comment('Lost', 3))).toMatchObject({ status: 404 })
      expect(mails).toHaveLength(1)
    })
  },
  { fixture: 'workspace' },
)
