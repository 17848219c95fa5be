import { beforeEach, describe, expect, it } from 'vitest'

import { fillTenants } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { ENDPOINT, fixtureClient, type RestClient } from './support/client.js'

describeDatabases(
  'REST: nested routes',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.fill(fillTenants)
      rest = fixtureClient(db)
    })

    describe('single member', () => {
      it('returns the member with links to its own path', async () => {
        const response = await rest.get('/project/3/documents/4?include=author&fields[document]=title')
        expect(response.one).toMatchObject({ id: '4', attributes: { title: 'beta doc two' } })
        expect(response.body.links?.['self']).toMatch(`${ENDPOINT}/document/4?`)
        expect(response.one.links).toEqual({ self: `${ENDPOINT}/document/4` })
        expect(response.body.included?.map(({ id }) => id)).toEqual(['1'])
      })

      it('finds members over a join table and by compound id', async () => {
        expect((await rest.get('/document/3/labels/2')).one.id).toBe('2')
        expect((await rest.get('/label/2/documents/3')).one.id).toBe('3')
        expect((await rest.get('/document/3/comments/3_2')).one.id).toBe('3_2')
        expect((await rest.get('/member/1/assignments/3_1')).one.id).toBe('3_1')
      })

      it.each([
        ['member of another owner', '/project/3/documents/1'],
        ['unknown member', '/project/3/documents/99'],
        ['unknown owner', '/project/99/documents/1'],
        ['invalid id', '/project/3/documents/x'],
        ['invalid owner id', '/project/x/documents/3'],
        ['compound id of another owner', '/document/3/comments/1_1'],
      ])('%s: responds with 404 for each method', async (_what, path) => {
        const type = path.includes('comments') ? 'comment' : 'document'
        expect((await rest.get(path)).status).toBe(404)
        expect((await rest.patch(path, { data: { type, attributes: { body: 'changed' } } })).status).toBe(404)
        expect((await rest.delete(path)).status).toBe(404)
        expect(await db.orm.document.count({ where: { body: 'changed' } })).toBe(0)
        expect(await db.orm.document.count()).toBe(4)
        expect(await db.orm.comment.count({ where: { body: 'changed' } })).toBe(0)
        expect(await db.orm.comment.count()).toBe(4)
      })

      it('updates the member by PATCH and PUT', async () => {
        const data = { type: 'document', id: '3', attributes: { title: 'new' } }
        const response = await rest.patch('/project/3/documents/3', { data })
        expect([response.status, response.one.attributes?.['title']]).toEqual([200, 'new'])
        await rest.put('/project/3/documents/3', { data: { type: 'document', attributes: { title: 'newer' } } })
        expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'newer' })
        const other = await rest.patch('/project/3/documents/3', { data: { ...data, id: '4' } })
        expect([other.status, other.errors[0]?.source]).toEqual([409, { pointer: '/data/id' }])
      })

      it('rejects moving the member to another owner with 422', async () => {
        const to = (id: string) => ({ project: { data: { type: 'project', id } } })
        const moves = [
          [{ relationships: to('4') }, '/data/relationships/project/data'],
          [{ attributes: { projectId: 4 } }, '/data/attributes/projectId'],
        ] as const
        for (const [change, pointer] of moves) {
          const { status, errors } = await rest.patch('/project/3/documents/3', {
            data: { type: 'document', ...change },
          })
          expect([status, errors[0]?.source]).toEqual([422, { pointer }])
        }
        expect((await rest.get('/project/3/documents/3')).status).toBe(200)
        for (const change of [{ relationships: to('3') }, { attributes: { projectId: 3 } }]) {
          const { status } = await rest.patch('/project/3/documents/3', { data: { type: 'document', ...change } })
          expect(status).toBe(200)
        }
      })

      it('replaces relationships only if the member belongs to the owner', async () => {
        const body = (id: string) => ({
          data: { type: 'label', relationships: { documents: { data: [{ type: 'document', id }] } } },
        })
        expect((await rest.patch('/organisation/1/labels/2', body('4'))).status).toBe(404)
        expect((await rest.patch('/organisation/2/labels/2', body('4'))).status).toBe(200)
        expect(
          await db.orm.document.findMany({ where: { labels: { some: { id: 2 } } }, select: { id: true } }),
        ).toEqual([{ id: 4 }])
      })

      it('deletes the member', async () => {
        expect((await rest.delete('/document/3/comments/3_1')).status).toBe(204)
        expect(await db.orm.comment.count({ where: { documentId: 3 } })).toBe(1)
      })
    })

    describe('POST to a relation', () => {
      it('connects the new member to the owner in the URL', async () => {
        const data = { type: 'comment', attributes: { seq: 3, body: 'a third' } }
        const response = await rest.post('/document/3/comments', { data })
        expect([response.status, response.headers.get('Location')]).toEqual([201, `${ENDPOINT}/comment/3_3`])
        expect(response.body.links?.['self']).toBe(`${ENDPOINT}/comment/3_3`)
        expect(response.one.id).toBe('3_3')
        const again = await rest.post('/document/3/comments', { data })
        expect(again.status).toBe(409)
      })

      it('connects join table members in addition to those in the body', async () => {
        const relationships = { documents: { data: [{ type: 'document', id: '4' }] } }
        const { one } = await rest.post('/document/3/labels', {
          data: { type: 'label', attributes: { name: 'fresh' }, relationships },
        })
        const found = await db.orm.label.findUnique({
          where: { id: Number(one.id) },
          include: { documents: { select: { id: true }, orderBy: { id: 'asc' } } },
        })
        expect(found?.documents).toEqual([{ id: 3 }, { id: 4 }])
      })

      it('rejects another owner in the body with 422', async () => {
        const body = (id: string, attributes = {}) => ({
          data: {
            type: 'project',
            attributes: { key: 'k9', name: 'nine', ...attributes },
            relationships: { organisation: { data: { type: 'organisation', id } } },
          },
        })
        const other = await rest.post('/organisation/2/projects', body('1'))
        expect([other.status, other.errors[0]?.source]).toEqual([
          422,
          { pointer: '/data/relationships/organisation/data' },
        ])
        expect((await rest.post('/organisation/2/projects', body('2'))).status).toBe(201)
        const twice = await rest.post('/organisation/2/projects', {
          data: { type: 'project', attributes: { key: 'k8', name: 'eight', organisationId: 1 } },
        })
        expect([twice.status, twice.errors[0]?.source]).toEqual([422, { pointer: '/data/attributes/organisationId' }])
        expect(await db.orm.project.count({ where: { organisationId: 2 } })).toBe(3)
      })

      it('rejects another owner in a foreign key with 422', async () => {
        const body = (projectId: number) => ({
          data: { type: 'document', attributes: { title: 'new', authorId: 3, projectId } },
        })
        expect((await rest.post('/project/3/documents', body(3))).status).toBe(201)
        const other = await rest.post('/project/3/documents', body(4))
        expect([other.status, other.errors[0]?.source]).toEqual([422, { pointer: '/data/attributes/projectId' }])
      })

      it('rejects invalid references with pointers into the request body', async () => {
        const id = await rest.post('/document/3/comments', {
          data: { type: 'comment', id: '1_9', attributes: { body: 'a' } },
        })
        expect([id.status, id.errors[0]?.source]).toEqual([422, { pointer: '/data/id' }])
        const label = { type: 'label', attributes: { name: 'fresh' }, relationships: { documents: { data: [] } } }
        const missing = await rest.post('/document/99/labels', { data: label })
        expect([missing.status, missing.errors[0]?.source]).toEqual([404, undefined])
        const title = { type: 'document', attributes: { title: 'new', authorId: 3 } }
        const project = await rest.post('/project/99/documents', { data: title })
        expect([project.status, project.errors[0]?.source]).toEqual([404, undefined])
        const author = { type: 'document', attributes: { title: 'new', authorId: 99 } }
        const other = await rest.post('/project/3/documents', { data: author })
        expect([other.status, other.errors[0]?.source]).toEqual([409, { pointer: '/data/attributes/authorId' }])
      })

      it('rejects an unknown owner with 404 and creates no row', async () => {
        const label = await rest.post('/document/99/labels', { data: { type: 'label', attributes: { name: 'fresh' } } })
        const project = await rest.post('/organisation/99/projects', {
          data: { type: 'project', attributes: { key: 'k9', name: 'nine' } },
        })
        const child = await rest.post('/project/99/children', {
          data: {
            type: 'project',
            attributes: { key: 'k9', name: 'nine' },
            relationships: { organisation: { data: { type: 'organisation', id: '2' } } },
          },
        })
        expect([label, project, child].map(({ status, errors }) => [status, errors[0]?.source?.pointer])).toEqual([
          [404, undefined],
          [404, undefined],
          [404, undefined],
        ])
        expect([await db.orm.label.count(), await db.orm.project.count()]).toEqual([3, 4])
      })

      it('validates the body like the collection route', async () => {
        const bare = await rest.post('/document/3/comments', {
          data: { type: 'comment', attributes: { body: 'no number' } },
        })
        expect([bare.status, bare.errors.map(({ source }) => source?.pointer)]).toEqual([422, ['/data/attributes/seq']])
        expect((await rest.post('/document/3/comments', { data: { type: 'label' } })).status).toBe(409)
        expect((await rest.post('/document/3/comments', { data: [] })).status).toBe(400)
        expect((await rest.post('/document/3/comments', {})).status).toBe(400)
        expect((await rest.post('/document/3/comments', { data: { type: 'comment', relationships: [] } })).status).toBe(
          400,
        )
      })

      it('rejects an upsert with 400', async () => {
        const body = {
          data: { type: 'label', attributes: { name: 'alpha label' } },
          meta: { operation: 'upsert', matchFields: ['name'] },
        }
        expect((await rest.post('/document/3/labels', body)).status).toBe(400)
      })
    })

    describe('PATCH of a to-one relation', () => {
      it('updates the related resource', async () => {
        const data = { type: 'secret', attributes: { value: 'told' } }
        const response = await rest.patch('/document/3/secret', { data })
        expect([response.status, response.one.links]).toEqual([200, { self: `${ENDPOINT}/secret/2` }])
        expect(await db.orm.secret.findUnique({ where: { id: 2 } })).toMatchObject({ value: 'told' })
        expect((await rest.patch('/document/3/secret', { data: { ...data, id: '1' } })).status).toBe(409)
        const project = { type: 'project', attributes: { name: 'through a document' } }
        expect((await rest.patch('/document/3/project', { data: project })).one.id).toBe('3')
      })

      it('responds with 404 if the related resource or its owner does not exist', async () => {
        const data = { type: 'secret', attributes: { value: 'told' } }
        expect((await rest.patch('/document/2/secret', { data })).status).toBe(404)
        expect((await rest.patch('/document/99/secret', { data })).status).toBe(404)
      })
    })

    it('rejects other methods with 405 and lists the allowed ones', async () => {
      const allow = async (path: string, method: string) => {
        const { status, headers } = await rest.fetch(path, { method })
        return [status, headers.get('Allow')?.split(', ').sort().join(' ')]
      }
      expect(await allow('/document/3/secret', 'DELETE')).toEqual([405, 'GET HEAD PATCH PUT'])
      expect(await allow('/document/3/comments', 'PATCH')).toEqual([405, 'GET HEAD POST'])
      expect(await allow('/document/3/comments/3_1', 'POST')).toEqual([405, 'DELETE GET HEAD PATCH PUT'])
      expect((await rest.get('/document/3/nothing/3_1')).status).toBe(404)
    })
  },
  { fixture: 'tenants' },
)
