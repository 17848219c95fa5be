import type { Database } from '../../support/databases.js'

/** Creates two tenants whose rows have the same ids. */
export async function fillShards({ orm }: Pick<Database<'shards'>, 'orm'>): Promise<void> {
  for (const tenantId of [1, 2]) {
    await orm.writer.createMany({ data: [1, 2].map((id) => ({ tenantId, id, name: `Writer ${id}` })) })
    await orm.tag.createMany({ data: [1, 2, 3].map((id) => ({ tenantId, id, word: `word ${id}` })) })
    const articles = [1, 2].map((id) => ({ tenantId, id, slug: `article-${id}`, title: `Article ${id}`, writerId: 1 }))
    await orm.article.createMany({ data: articles })
    await orm.remark.createMany({ data: [1, 2].map((seq) => ({ tenantId, articleId: 1, seq, text: `Remark ${seq}` })) })
    await orm.tagging.createMany({ data: [1, 2].map((tagId) => ({ tenantId, articleId: 1, tagId })) })
  }
}

/** A request in either style. */
export interface ShardRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to `/api/rest` or `/api/rpc`. */
  readonly path: string
  readonly body?: object
  /** The expected status, if the requests before it were sent. */
  readonly status: number
}

const article = (id: number, attributes: object, relationships?: object) => ({
  type: 'article',
  id: `1_${id}`,
  attributes,
  relationships,
})
const writer = (id: number) => ({ writer: { data: { type: 'writer', id: `1_${id}` } } })
const remark = (seq: number) => ({ type: 'remark', id: `1_1_${seq}` })
const q = (args: object) => `?q=${encodeURIComponent(JSON.stringify(args))}`
const row = (id: number) => ({ tenantId_id: { tenantId: 1, id } })

/** Requests for the first tenant of {@link fillShards}, by compound id or filter. They cover every route of the REST style. */
export const REST_REQUESTS: readonly ShardRequest[] = [
  { method: 'GET', path: '/article?filter[tenantId]=1&include=writer,remarks,taggings.tag', status: 200 },
  { method: 'GET', path: '/article?filter[tenantId]=1&page[limit]=1&sort=-views', status: 200 },
  { method: 'GET', path: '/article/1_1', status: 200 },
  { method: 'GET', path: '/article/1_1?include=writer,remarks,taggings.tag', status: 200 },
  { method: 'GET', path: '/article/1_99', status: 404 },
  { method: 'GET', path: '/article/1_1/writer?include=articles', status: 200 },
  { method: 'GET', path: '/article/1_1/relationships/writer', status: 200 },
  { method: 'GET', path: '/article/1_1/remarks?include=article.writer', status: 200 },
  { method: 'GET', path: '/article/1_1/remarks?page[limit]=1', status: 200 },
  { method: 'GET', path: '/article/1_1/relationships/remarks', status: 200 },
  { method: 'GET', path: '/article/1_1/taggings?include=tag', status: 200 },
  { method: 'GET', path: '/article/1_99/remarks', status: 404 },
  { method: 'GET', path: '/writer/1_1/articles?include=remarks', status: 200 },
  {
    method: 'POST',
    path: '/article?include=writer',
    body: { data: article(10, { slug: 'ten', title: 'Ten' }, writer(1)) },
    status: 201,
  },
  {
    method: 'POST',
    path: '/article?include=taggings',
    body: {
      data: article(10, { tenantId: 1, slug: 'ten', title: 'Again', writerId: 2 }),
      meta: { operation: 'upsert', matchFields: ['tenantId', 'slug'] },
    },
    status: 200,
  },
  {
    method: 'POST',
    path: '/article',
    body: {
      data: article(11, { tenantId: 1, slug: 'eleven', title: 'Eleven', writerId: 2 }),
      meta: { operation: 'upsert', matchFields: ['tenantId', 'id'] },
    },
    status: 201,
  },
  {
    method: 'PATCH',
    path: '/article/1_10?include=remarks',
    body: { data: { ...article(10, { title: 'X' }) } },
    status: 200,
  },
  { method: 'PATCH', path: '/article/1_10', body: { data: { ...article(10, {}, writer(1)) } }, status: 200 },
  { method: 'PATCH', path: '/article/1_99', body: { data: { ...article(99, { title: 'X' }) } }, status: 404 },
  {
    method: 'PATCH',
    path: '/article/1_10/relationships/writer',
    body: { data: { type: 'writer', id: '1_2' } },
    status: 200,
  },
  { method: 'POST', path: '/article/1_10/relationships/remarks', body: { data: [remark(2)] }, status: 200 },
  { method: 'PATCH', path: '/article/1_1/relationships/remarks', body: { data: [remark(1)] }, status: 200 },
  {
    method: 'POST',
    path: '/remark',
    body: { data: { ...remark(7), attributes: { text: 'x' } } },
    status: 201,
  },
  { method: 'DELETE', path: '/remark/1_1_7', status: 204 },
  { method: 'DELETE', path: '/article/1_11', status: 204 },
  { method: 'DELETE', path: '/article/1_99', status: 404 },
]

/** The same for the RPC style. They cover every operation. */
export const RPC_REQUESTS: readonly ShardRequest[] = [
  {
    method: 'GET',
    path: `/article/findUnique${q({ where: row(1), include: { writer: true, remarks: true } })}`,
    status: 200,
  },
  { method: 'GET', path: `/article/findUniqueOrThrow${q({ where: row(1) })}`, status: 200 },
  {
    method: 'GET',
    path: `/article/findFirst${q({ where: { tenantId: 1 }, include: { taggings: { include: { tag: true } } } })}`,
    status: 200,
  },
  { method: 'GET', path: `/article/findFirstOrThrow${q({ where: { tenantId: 1, slug: 'article-1' } })}`, status: 200 },
  {
    method: 'GET',
    path: `/article/findMany${q({ where: { tenantId: 1 }, include: { remarks: true, writer: true } })}`,
    status: 200,
  },
  { method: 'GET', path: `/article/count${q({ where: { tenantId: 1 } })}`, status: 200 },
  { method: 'GET', path: `/article/aggregate${q({ where: { tenantId: 1 }, _sum: { views: true } })}`, status: 200 },
  {
    method: 'GET',
    path: `/article/groupBy${q({ where: { tenantId: 1 }, by: ['writerId'], _count: true })}`,
    status: 200,
  },
  {
    method: 'POST',
    path: '/article/create',
    body: {
      data: {
        id: 20,
        slug: 'twenty',
        title: 'Twenty',
        writer: { connect: row(1) },
        remarks: { create: [{ seq: 1, text: 'x' }] },
      },
      include: { remarks: true, writer: true },
    },
    status: 201,
  },
  {
    method: 'POST',
    path: '/article/createMany',
    body: { data: [{ tenantId: 1, id: 21, slug: '21', title: '21', writerId: 1 }] },
    status: 201,
  },
  {
    method: 'POST',
    path: '/article/createManyAndReturn',
    body: { data: [{ tenantId: 1, id: 22, slug: '22', title: '22', writerId: 1 }], include: { writer: true } },
    status: 201,
  },
  {
    method: 'PATCH',
    path: '/article/update',
    body: {
      where: row(20),
      data: {
        title: 'X',
        remarks: {
          update: { where: { tenantId_articleId_seq: { tenantId: 1, articleId: 20, seq: 1 } }, data: { text: 'y' } },
        },
      },
      include: { remarks: true },
    },
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/article/update',
    body: { where: row(20), data: { views: { increment: 1 } } },
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/article/updateMany',
    body: { where: { tenantId: 1, id: 20 }, data: { title: 'Y' } },
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/article/updateManyAndReturn',
    body: { where: { tenantId: 1, id: 20 }, data: { title: 'Z' }, include: { writer: true } },
    status: 200,
  },
  {
    method: 'POST',
    path: '/article/upsert',
    body: {
      where: row(20),
      create: { tenantId: 1, id: 20, slug: 'twenty', title: 'Twenty', writerId: 1 },
      update: { title: 'Upserted', remarks: { deleteMany: { seq: 1 } } },
      include: { remarks: true },
    },
    status: 200,
  },
  { method: 'DELETE', path: `/article/delete${q({ where: row(20), include: { writer: true } })}`, status: 200 },
  { method: 'DELETE', path: `/article/deleteMany${q({ where: { tenantId: 1, id: { in: [21, 22] } } })}`, status: 200 },
]
