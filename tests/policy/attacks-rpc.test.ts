import { beforeEach, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { type TestResponse, rpcClient } from '../rpc/client.js'
import { betaAbility, sceneOf } from './support/two-tenants.js'

type Attack = readonly [model: string, operation: string, args: unknown]

const READS: readonly Attack[] = [
  ['document', 'findMany', {}],
  [
    'document',
    'findMany',
    { include: { project: true, author: true, reviewer: true, comments: true, secret: true, labels: true } },
  ],
  [
    'document',
    'findMany',
    { select: { project: { select: { organisation: { select: { members: true, labels: true } } } } } },
  ],
  ['document', 'findMany', { where: { OR: [{ id: 1 }, { NOT: { id: 1 } }] } }],
  ['document', 'findMany', { where: { author: { name: { startsWith: 'al' } } } }],
  ['document', 'findMany', { where: { author: { isNot: { name: 'me' } } }, include: { author: true } }],
  ['document', 'findMany', { where: { reviewer: null }, include: { reviewer: true } }],
  ['document', 'findMany', { cursor: { id: 1 } }],
  ['document', 'findMany', { cursor: { id: 1 }, take: -5 }],
  ['document', 'findMany', { orderBy: { author: { name: 'asc' } } }],
  ['document', 'findMany', { orderBy: { project: { organisation: { plan: 'asc' } } } }],
  ['document', 'findMany', { orderBy: { comments: { _count: 'desc' } } }],
  ['document', 'findMany', { distinct: ['authorId'] }],
  ['document', 'findFirst', { where: { id: 1 } }],
  ['document', 'findUnique', { where: { id: 1 } }],
  ['document', 'findUniqueOrThrow', { where: { id: 2 } }],
  ['document', 'count', { where: { id: 1 } }],
  ['document', 'count', { cursor: { id: 1 } }],
  ['document', 'aggregate', { _max: { title: true, views: true }, _sum: { views: true } }],
  ['document', 'groupBy', { by: ['title', 'projectId'] }],
  ['document', 'groupBy', { by: ['projectId'], having: { views: { _max: { gt: 70 } } } }],
  ['organisation', 'findMany', { include: { _count: true, members: true, projects: true, labels: true } }],
  ['organisation', 'findUnique', { where: { slug: 'alpha' } }],
  [
    'member',
    'findMany',
    { include: { comments: { include: { document: true } }, documents: { include: { project: true } } } },
  ],
  [
    'member',
    'findUnique',
    { where: { id: 3 }, select: { comments: { select: { document: { select: { title: true } } } } } },
  ],
  ['member', 'findMany', { where: { salary: { gt: 70000 } } }],
  ['member', 'findMany', { orderBy: { salary: 'desc' } }],
  ['member', 'aggregate', { _max: { salary: true } }],
  ['member', 'groupBy', { by: ['salary'] }],
  ['member', 'groupBy', { by: ['role'], having: { salary: { _max: { gt: 70000 } } } }],
  ['member', 'findMany', { distinct: ['salary'] }],
  ['member', 'count', { select: { salary: true } }],
  ['project', 'findMany', { include: { parent: true, children: true, assignments: { include: { member: true } } } }],
  ['project', 'findUnique', { where: { organisationId_key: { organisationId: 1, key: 'k1' } } }],
  ['label', 'findMany', { include: { documents: true, projects: true, organisation: true } }],
  ['label', 'findMany', { where: { documents: { every: { title: { startsWith: 'al' } } } } }],
  ['comment', 'findMany', { include: { author: true, document: { include: { secret: true } } } }],
  ['comment', 'findUnique', { where: { documentId_seq: { documentId: 1, seq: 2 } } }],
  ['secret', 'findMany', { include: { document: true } }],
  ['assignment', 'findMany', { include: { member: true, project: { include: { parent: true } } } }],
]

const WRITES: readonly Attack[] = [
  ['document', 'update', { where: { id: 1 }, data: { title: 'x' } }],
  ['document', 'update', { where: { id: 1 }, data: { projectId: 3 } }],
  ['document', 'update', { where: { id: 3 }, data: { projectId: 1 } }],
  ['document', 'update', { where: { id: 3 }, data: { project: { connect: { id: 1 } } } }],
  ['document', 'update', { where: { id: 3 }, data: { author: { connect: { id: 1 } } } }],
  ['document', 'update', { where: { id: 3 }, data: { authorId: 1 } }],
  ['document', 'update', { where: { id: 3 }, data: { reviewerId: 2 } }],
  ['document', 'update', { where: { id: 3 }, data: { id: 1 } }],
  ['document', 'update', { where: { id: 4 }, data: { author: { update: { name: 'x' } } } }],
  ['document', 'update', { where: { id: 4 }, data: { reviewer: { update: { name: 'x' } } } }],
  ['document', 'update', { where: { id: 4 }, data: { reviewer: { delete: true } } }],
  [
    'document',
    'update',
    {
      where: { id: 4 },
      data: { reviewer: { upsert: { create: { email: 'n', organisationId: 1 }, update: { name: 'x' } } } },
    },
  ],
  ['document', 'update', { where: { id: 3 }, data: { project: { update: { organisationId: 1 } } } }],
  [
    'document',
    'update',
    { where: { id: 3 }, data: { project: { create: { key: 'n', name: 'n', organisationId: 1 } } } },
  ],
  [
    'document',
    'update',
    {
      where: { id: 3 },
      data: { project: { connectOrCreate: { where: { id: 1 }, create: { key: 'n', name: 'n', organisationId: 1 } } } },
    },
  ],
  ['document', 'update', { where: { id: 3 }, data: { secret: { connect: { id: 1 } } } }],
  [
    'document',
    'update',
    { where: { id: 3 }, data: { comments: { connect: { documentId_seq: { documentId: 1, seq: 2 } } } } },
  ],
  [
    'document',
    'update',
    {
      where: { id: 3 },
      data: { comments: { update: { where: { documentId_seq: { documentId: 1, seq: 2 } }, data: { body: 'x' } } } },
    },
  ],
  [
    'document',
    'update',
    { where: { id: 3 }, data: { comments: { delete: { documentId_seq: { documentId: 1, seq: 1 } } } } },
  ],
  ['document', 'update', { where: { id: 3 }, data: { labels: { connect: [{ id: 1 }] } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { connect: [{ id: 3 }] } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { update: { where: { id: 1 }, data: { name: 'x' } } } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { delete: { id: 1 } } } }],
  [
    'document',
    'update',
    {
      where: { id: 3 },
      data: {
        labels: { upsert: { where: { id: 1 }, create: { name: 'n', organisationId: 1 }, update: { name: 'x' } } },
      },
    },
  ],
  ['document', 'updateMany', { where: {}, data: { title: 'x', reviewerId: 2 } }],
  ['document', 'updateMany', { where: { id: 1 }, data: { projectId: 3 } }],
  ['document', 'updateMany', { where: {}, data: { projectId: 1 } }],
  ['document', 'updateManyAndReturn', { where: { id: { in: [1, 2] } }, data: { title: 'x' } }],
  ['document', 'delete', { where: { id: 1 } }],
  ['document', 'deleteMany', { where: { id: { in: [1, 2] } } }],
  ['document', 'create', { data: { title: 'n', projectId: 1, authorId: 3 } }],
  ['document', 'create', { data: { title: 'n', projectId: 3, authorId: 1 } }],
  ['document', 'create', { data: { title: 'n', project: { connect: { id: 1 } }, author: { connect: { id: 3 } } } }],
  [
    'document',
    'create',
    {
      data: {
        title: 'n',
        project: { create: { key: 'z', name: 'z', organisationId: 1 } },
        author: { connect: { id: 3 } },
      },
    },
  ],
  ['document', 'create', { data: { title: 'n', projectId: 3, authorId: 3, secret: { connect: { id: 1 } } } }],
  [
    'document',
    'create',
    {
      data: {
        title: 'n',
        projectId: 3,
        authorId: 3,
        comments: { connect: { documentId_seq: { documentId: 1, seq: 2 } } },
      },
    },
  ],
  [
    'document',
    'create',
    {
      data: {
        title: 'n',
        projectId: 3,
        authorId: 3,
        labels: { connectOrCreate: { where: { name: 'common' }, create: { name: 'z', organisationId: 1 } } },
      },
    },
  ],
  [
    'document',
    'createMany',
    {
      data: [
        { title: 'n', projectId: 3, authorId: 3 },
        { title: 'n', projectId: 1, authorId: 3 },
      ],
    },
  ],
  ['document', 'createMany', { data: [{ title: 'n', projectId: 3, authorId: 2 }] }],
  ['document', 'createManyAndReturn', { data: [{ title: 'n', projectId: 1, authorId: 3 }] }],
  ['organisation', 'update', { where: { id: 2 }, data: { projects: { connect: { id: 1 } } } }],
  ['organisation', 'update', { where: { id: 2 }, data: { members: { connect: { id: 1 } } } }],
  [
    'organisation',
    'update',
    { where: { id: 2 }, data: { members: { update: { where: { id: 1 }, data: { name: 'x' } } } } },
  ],
  [
    'organisation',
    'update',
    { where: { id: 2 }, data: { projects: { updateMany: { where: {}, data: { organisationId: 1 } } } } },
  ],
  ['organisation', 'update', { where: { id: 2 }, data: { labels: { connect: { id: 1 } } } }],
  ['organisation', 'update', { where: { id: 2 }, data: { labels: { connect: { id: 3 } } } }],
  ['organisation', 'upsert', { where: { slug: 'alpha' }, create: { slug: 'alpha', name: 'x' }, update: { name: 'x' } }],
  ['organisation', 'create', { data: { slug: 'n', name: 'n' } }],
  ['organisation', 'delete', { where: { id: 2 } }],
  ['member', 'update', { where: { id: 3 }, data: { organisationId: 1 } }],
  ['member', 'update', { where: { id: 3 }, data: { organisation: { connect: { id: 1 } } } }],
  ['member', 'update', { where: { id: 3 }, data: { salary: 9 } }],
  ['member', 'updateMany', { where: {}, data: { salary: 9 } }],
  ['member', 'create', { data: { email: 'n', salary: 9, organisationId: 2 } }],
  [
    'member',
    'upsert',
    { where: { email: 'one@alpha' }, create: { email: 'one@alpha', organisationId: 2 }, update: { organisationId: 2 } },
  ],
  [
    'member',
    'update',
    {
      where: { id: 3 },
      data: { comments: { update: { where: { documentId_seq: { documentId: 1, seq: 2 } }, data: { body: 'x' } } } },
    },
  ],
  ['project', 'update', { where: { id: 4 }, data: { parent: { update: { name: 'x' } } } }],
  [
    'project',
    'update',
    {
      where: { id: 4 },
      data: { parent: { update: { children: { updateMany: { where: {}, data: { name: 'x' } } } } } },
    },
  ],
  ['project', 'update', { where: { id: 3 }, data: { parentId: 2 } }],
  ['project', 'update', { where: { id: 3 }, data: { children: { connect: { id: 2 } } } }],
  ['project', 'update', { where: { id: 3 }, data: { labels: { connect: { id: 1 } } } }],
  ['comment', 'update', { where: { documentId_seq: { documentId: 3, seq: 1 } }, data: { documentId: 1, seq: 9 } }],
  ['comment', 'update', { where: { documentId_seq: { documentId: 3, seq: 1 } }, data: { authorId: 2 } }],
  ['comment', 'create', { data: { documentId: 1, seq: 9, body: 'n' } }],
  ['comment', 'create', { data: { documentId: 3, seq: 9, body: 'n', authorId: 1 } }],
  ['assignment', 'create', { data: { projectId: 1, memberId: 3 } }],
  ['assignment', 'create', { data: { projectId: 3, memberId: 2 } }],
  ['assignment', 'update', { where: { projectId_memberId: { projectId: 3, memberId: 3 } }, data: { memberId: 2 } }],
  ['label', 'update', { where: { id: 3 }, data: { organisationId: 2 } }],
  ['label', 'update', { where: { id: 2 }, data: { organisationId: null } }],
  ['label', 'create', { data: { name: 'n' } }],
  ['label', 'update', { where: { id: 2 }, data: { documents: { connect: { id: 1 } } } }],
  ['label', 'update', { where: { id: 2 }, data: { organisation: { disconnect: true } } }],
  ['secret', 'update', { where: { id: 2 }, data: { documentId: 1 } }],
  ['secret', 'update', { where: { id: 2 }, data: { documentId: null } }],
  ['secret', 'update', { where: { id: 1 }, data: { documentId: 4 } }],
  ['secret', 'create', { data: { value: 'n', documentId: 2 } }],
]

/** These succeed because they do not affect alpha's rows. */
const HARMLESS: readonly Attack[] = [
  ['document', 'update', { where: { id: 3 }, data: { labels: { disconnect: [{ id: 1 }] } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { set: [{ id: 1 }] } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { set: [] } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { updateMany: { where: {}, data: { name: 'x' } } } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { deleteMany: {} } } }],
  ['member', 'update', { where: { id: 3 }, data: { comments: { deleteMany: { documentId: 1 } } } }],
  ['member', 'update', { where: { id: 3 }, data: { comments: { set: [] } } }],
  [
    'project',
    'upsert',
    {
      where: { organisationId_key: { organisationId: 1, key: 'k1' } },
      create: { key: 'q', name: 'q', organisationId: 2 },
      update: { name: 'x' },
    },
  ],
]

describeDatabases(
  'policy: RPC attacks on another tenant',
  (db) => {
    const scene = sceneOf(db)
    beforeEach(() => scene.ready())
    const attacker = () => {
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      // The blog's client, used for another schema.
      return rpcClient(db as unknown as Database, {}, orm)
    }
    const send = (attack: Attack) => attacker().call(...attack)

    it.each(READS)('%s.%s %j: returns no data of tenant alpha', async (...attack) => {
      const response = await send(attack)
      expect(response.status, response.body.message).toBeLessThan(500)
      expectNothingOfAlpha(response)
    })

    it.each([...WRITES, ...HARMLESS])('%s.%s %j: does not change rows of tenant alpha', async (...attack) => {
      const response = await send(attack)
      expect(response.status, response.body.message).toBeLessThan(500)
      // If only the result is denied, the write stays.
      const isDenied = response.status >= 400 && response.body.reason !== 'RESULT_NOT_READABLE'
      await scene.assertUnchanged(isDenied, JSON.stringify(response.body))
      expectNothingOfAlpha(response)
      const [, operation] = attack
      if (!operation.includes('Many') && response.status < 300) expect(HARMLESS).toContainEqual(attack)
    })
  },
  { fixture: 'tenants' },
)

function expectNothingOfAlpha({ body }: TestResponse): void {
  const { message: _, ...visible } = body
  expect(JSON.stringify(visible)).not.toMatch(/alpha|7\d\d\d\d|"views":7\d|"hours":71/)
}
