import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillTenants } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { type Attack, callerOf, rpc } from './requests-of-both-styles.js'

const label = { type: 'label', id: '2' }
const document = { type: 'document', id: '1' }
const data = { title: 'x' }

/** All ways to change a document. The first ones name it, and the others reach it through relations. */
const DOORS: readonly Attack[] = [
  ['rest', 'PATCH', '/document/1', { data: { ...document, attributes: data } }],
  ['rest', 'PUT', '/document/1', { data: { ...document, attributes: data } }],
  [
    'rest',
    'PATCH',
    '/document/1',
    { data: { ...document, relationships: { author: { data: { type: 'member', id: '2' } } } } },
  ],
  ['rest', 'PATCH', '/document/1/relationships/author', { data: { type: 'member', id: '2' } }],
  ['rest', 'PATCH', '/document/1/relationships/reviewer', { data: null }],
  ['rest', 'PATCH', '/document/1/relationships/labels', { data: [] }],
  ['rest', 'POST', '/document/1/relationships/labels', { data: [label] }],
  ['rest', 'DELETE', '/document/1/relationships/labels', { data: [{ ...label, id: '1' }] }],
  ['rest', 'POST', '/label/2/relationships/documents', { data: [document] }],
  ['rest', 'DELETE', '/label/1/relationships/documents', { data: [document] }],
  ['rest', 'PATCH', '/label/1/relationships/documents', { data: [] }],
  ['rest', 'PATCH', '/label/2', { data: { ...label, relationships: { documents: { data: [document] } } } }],
  ['rest', 'POST', '/project/2/relationships/documents', { data: [document] }],
  ['rest', 'POST', '/member/2/relationships/documents', { data: [document] }],
  ['rest', 'DELETE', '/member/2/relationships/reviews', { data: [document] }],
  [
    'rest',
    'POST',
    '/label',
    { data: { type: 'label', attributes: { name: 'n' }, relationships: { documents: { data: [document] } } } },
  ],
  rpc('document', 'update', { where: { id: 1 }, data }),
  rpc('document', 'update', { where: { id: 1 }, data: { views: { increment: 1 } } }),
  rpc('document', 'update', { where: { id: 1 }, data: { labels: { connect: { id: 2 } } } }),
  rpc('document', 'updateMany', { where: {}, data }),
  rpc('document', 'updateManyAndReturn', { where: { id: 1 }, data }),
  rpc('document', 'upsert', { where: { id: 1 }, create: { title: 'n', projectId: 1, authorId: 1 }, update: data }),
  rpc('project', 'update', { where: { id: 1 }, data: { documents: { update: { where: { id: 1 }, data } } } }),
  rpc('project', 'update', { where: { id: 1 }, data: { documents: { updateMany: { where: {}, data } } } }),
  rpc('project', 'update', {
    where: { id: 1 },
    data: { documents: { upsert: { where: { id: 1 }, create: { title: 'n', authorId: 1 }, update: data } } },
  }),
  rpc('project', 'update', { where: { id: 2 }, data: { documents: { connect: { id: 1 } } } }),
  rpc('project', 'update', {
    where: { id: 2 },
    data: { documents: { connectOrCreate: { where: { id: 1 }, create: { title: 'n', authorId: 1 } } } },
  }),
  rpc('member', 'update', { where: { id: 2 }, data: { reviews: { set: [] } } }),
  rpc('member', 'update', { where: { id: 2 }, data: { reviews: { disconnect: { id: 1 } } } }),
  rpc('label', 'update', { where: { id: 1 }, data: { documents: { set: [] } } }),
  rpc('label', 'create', { data: { name: 'n', documents: { connect: { id: 1 } } } }),
  rpc('secret', 'update', { where: { id: 1 }, data: { document: { update: data } } }),
  rpc('comment', 'update', {
    where: { documentId_seq: { documentId: 1, seq: 1 } },
    data: { document: { upsert: { create: { title: 'n', projectId: 1, authorId: 1 }, update: data } } },
  }),
  rpc('organisation', 'update', {
    where: { id: 1 },
    data: { projects: { update: { where: { id: 1 }, data: { documents: { updateMany: { where: {}, data } } } } } },
  }),
]

// S-39
describeDatabases(
  'security: updates denied by a rule',
  (db) => {
    const documents = () => db.orm.document.findMany({ include: { labels: true }, orderBy: { id: 'asc' } })
    beforeAll(async () => {
      await db.fill(fillTenants)
    })

    it.each(DOORS.map((attack) => [attack] as const))('%j: does not change documents', async (attack) => {
      const { can, cannot, build } = abilityBuilder()
      can('manage', 'all')
      cannot('update', 'Document')
      const before = await documents()
      const send = callerOf({ orm: db.orm.$extends(withPolicies(build())), routes: db.routes })
      const { status, text } = await send(attack)
      expect(await documents(), text).toEqual(before)
      // Bulk writes skip rows that they may not change.
      if (/updateMany/.test(JSON.stringify(attack))) expect(status, text).toBeLessThan(500)
      else expect(status, text).toBe(403)
    })
  },
  { fixture: 'tenants' },
)

const upload = { type: 'upload', id: '1', attributes: { name: 'x' } }
const create = { name: 'n', body: 'AQ==' }

const UPLOADS: readonly Attack[] = [
  ['rest', 'PATCH', '/upload/1', { data: upload }],
  ['rest', 'PUT', '/upload/1', { data: upload }],
  rpc('upload', 'update', { where: { id: 1 }, data: { name: 'x' } }),
  rpc('upload', 'updateMany', { where: {}, data: { name: 'x' } }),
  rpc('upload', 'updateManyAndReturn', { where: {}, data: { name: 'x' } }),
  rpc('upload', 'upsert', { where: { id: 1 }, create, update: { name: 'x' } }),
]

describeDatabases(
  'security: model without the update operation',
  (db) => {
    beforeAll(async () => {
      await db.reset()
      await db.orm.upload.create({ data: { name: 'first', body: new Uint8Array([1]) } })
    })
    it.each(UPLOADS.map((attack) => [attack] as const))('%j: rejects and does not change rows', async (attack) => {
      const { status, text } = await callerOf(db)(attack)
      expect([403, 404, 405], text).toContain(status)
      expect(await db.orm.upload.findMany({ select: { name: true } })).toEqual([{ name: 'first' }])
    })
  },
  { fixture: 'annotations' },
)
