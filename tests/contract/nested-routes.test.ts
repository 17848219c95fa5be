import { expect } from 'vitest'

import { fillTenants } from '../policy/support/two-tenants.js'
import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import { describeContract } from './describe-contract.js'

const to = (type: string, id: string) => ({ data: { type, id } })
const body = (type: string, attributes: object, more: object = {}) => ({ data: { type, attributes, ...more } })
const linked = (type: string, relationships: object, attributes = {}) => body(type, attributes, { relationships })
const self = (path: string) => ({ links: { self: `${ENDPOINT}/${path}` } })
const hasOnlySelf =
  (path: string) =>
  ({ one: { links } }: TestResponse) =>
    expect({ links }).toEqual(self(path))
const hasLocation = (path: string) => (response: TestResponse) => {
  expect(response.headers.get('Location')).toBe(`${ENDPOINT}/${path}`)
  expect(response.body).toMatchObject({ data: { id: path.split('/')[1] }, ...self(path) })
}
const hasNoSource = ({ errors }: TestResponse) => expect(errors[0]?.source).toBeUndefined()
const allows = (methods: string) => (response: TestResponse) =>
  expect(response.headers.get('Allow')?.split(', ').sort().join(' ')).toBe(methods)
const documents = (...ids: readonly string[]) => ({ documents: { data: ids.map((id) => ({ type: 'document', id })) } })
const key = { key: 'k9', name: 'nine' }

describeContract(
  'nested routes',
  ({ rule, rest }) => {
    rule('4.1', 'returns a member with links to its own path')
    const sparse = '/project/3/documents/4?include=author&fields[document]=title'
    rest(sparse, 200, { data: { id: '4', attributes: { title: 'beta doc two' } }, included: [{ id: '1' }] })
    rest(sparse, 200, { links: { self: expect.stringContaining(`${ENDPOINT}/document/4?`) } })
    rest(sparse, 200, hasOnlySelf('document/4'))
    rule('4.1', 'finds members over a join table and by compound id')
    rest('/document/3/labels/2', 200, { data: { id: '2' } })
    rest('/label/2/documents/3', 200, { data: { id: '3' } })
    rest('/document/3/comments/3_2', 200, { data: { id: '3_2' } })
    rest('/member/1/assignments/3_1', 200, { data: { id: '3_1' } })
    rule('7.1', 'responds with 404 for each method if the owner has no such member')
    for (const [type, ...paths] of [
      ['document', '/project/3/documents/1', '/project/3/documents/99', '/project/99/documents/1'],
      ['document', '/project/3/documents/x', '/project/x/documents/3'],
      ['comment', '/document/3/comments/1_1'],
    ] as const) {
      for (const path of paths) {
        rest(path, 404)
        rest(`PATCH ${path}`, body(type, { body: 'changed' }), 404)
        rest(`DELETE ${path}`, 404)
      }
    }
    rule('4.1', 'updates a member by PATCH and PUT')
    const changed = (title: string) => body('document', { title }, { id: '3' })
    rest('PATCH /project/3/documents/3', changed('new'), 200, { data: { attributes: { title: 'new' } } })
    rest('PUT /project/3/documents/3', body('document', { title: 'newer' }), 200)
    rest('/document/3', 200, { data: { attributes: { title: 'newer' } } })
    rule('4.1, 7.1', 'rejects another id with 409 and moving the member to another owner with 422')
    const other = body('document', { title: 'new' }, { id: '4' })
    rest('PATCH /project/3/documents/3', other, 409, 'id-conflict /data/id')
    const moved = (id: string) => linked('document', { project: to('project', id) })
    const movedByKey = (projectId: number) => body('document', { projectId })
    rest('PATCH /project/3/documents/3', moved('4'), 422, 'invalid-value /data/relationships/project/data')
    rest('PATCH /project/3/documents/3', movedByKey(4), 422, 'invalid-value /data/attributes/projectId')
    const reviews = (...ids: readonly string[]) => linked('member', { reviews: documents(...ids).documents })
    rest('PATCH /document/3/reviewer', reviews('4'), 422, 'invalid-value /data/relationships/reviews/data')
    rest('PATCH /document/3/reviewer', reviews(), 422)
    rule('4.1', 'accepts the owner of the URL in the body')
    rest('PATCH /document/3/reviewer', reviews('3', '4'), 200)
    for (const same of [moved('3'), movedByKey(3)]) rest('PATCH /project/3/documents/3', same, 200)
    rule('4.1', 'replaces relationships only if the member belongs to the owner')
    rest('PATCH /organisation/1/labels/2', linked('label', documents('4')), 404)
    rest('/label/2/documents', 200, ['3'])
    rest('PATCH /organisation/2/labels/2', linked('label', documents('4')), 200)
    rest('/label/2/documents', 200, ['4'])
    rule('4.1', 'deletes a member')
    rest('DELETE /document/3/comments/3_1', 204)
    rest('/document/3/comments', 200, ['3_2'])

    rule('4.1', 'connects a new member to the owner in the URL')
    rest('POST /document/3/comments', body('comment', { seq: 3, body: 'a third' }), 201, hasLocation('comment/3_3'))
    rest('POST /document/3/comments', body('comment', { seq: 3, body: 'a third' }), 409)
    rule('4.1', 'connects join table members in addition to those in the body')
    rest('POST /document/3/labels', linked('label', documents('4'), { name: 'fresh' }), 201, { data: { id: '4' } })
    rest('/label/4/documents', 200, ['3', '4'])
    rule('4.1', 'accepts the owner of the URL in the body of a new member')
    const owned = (id: string) => linked('project', { organisation: to('organisation', id) }, key)
    rest('POST /organisation/2/projects', owned('2'), 201)
    const text = { title: 'new', authorId: 3 }
    rest('POST /project/3/documents', body('document', { ...text, projectId: 3 }), 201)
    rule('7.1', 'rejects another owner in the body of a new member with 422')
    rest('POST /organisation/2/projects', owned('1'), 422, 'invalid-value /data/relationships/organisation/data')
    const byKey = body('project', { ...key, organisationId: 1 })
    rest('POST /organisation/2/projects', byKey, 422, 'invalid-value /data/attributes/organisationId')
    const foreign = body('document', { ...text, projectId: 4 })
    rest('POST /project/3/documents', foreign, 422, 'invalid-value /data/attributes/projectId')
    rule('7.1', 'rejects invalid references with pointers into the request body')
    const id = body('comment', { body: 'a' }, { id: '1_9' })
    rest('POST /document/3/comments', id, 422, 'invalid-value /data/id')
    const author = body('document', { ...text, authorId: 99 })
    rest('POST /project/3/documents', author, 409, 'foreign-key-violation /data/attributes/authorId')
    rule('7.1', 'responds with 404 without a source if the owner does not exist')
    for (const relationships of [{}, documents()])
      rest('POST /document/99/labels', linked('label', relationships, { name: 'fresh' }), 404, hasNoSource)
    rest('POST /project/99/documents', body('document', text), 404, hasNoSource)
    rest('POST /organisation/99/projects', body('project', key), 404, hasNoSource)
    rest('POST /project/99/children', owned('2'), 404, hasNoSource)
    rule('7.1', 'validates the body of a new member like the collection route')
    rest('POST /document/3/comments', body('comment', { body: 'x' }), 422, ['missing-attribute /data/attributes/seq'])
    rest('POST /document/3/comments', { data: { type: 'label' } }, 409)
    for (const data of [[], undefined, { type: 'comment', relationships: [] }])
      rest('POST /document/3/comments', { data }, 400)
    const upsert = { meta: { operation: 'upsert', matchFields: ['name'] } }
    rest('POST /document/3/labels', { ...body('label', { name: 'alpha label' }), ...upsert }, 400)

    rule('4.1', 'updates a related resource')
    rest('PATCH /document/3/secret', body('secret', { value: 'told' }), 200, hasOnlySelf('secret/2'))
    rest('/secret/2', 200, { data: { attributes: { value: 'told' } } })
    rest('PATCH /document/3/secret', body('secret', { value: 'told' }, { id: '1' }), 409)
    rest('PATCH /document/3/project', body('project', { name: 'through' }), 200, { data: { id: '3' } })
    rule('7.1', 'responds with 404 if the related resource or its owner does not exist')
    for (const owner of [2, 99]) rest(`PATCH /document/${owner}/secret`, body('secret', { value: 'told' }), 404)
    rule('7.1', 'rejects other methods with 405 and lists the allowed ones')
    rest('DELETE /document/3/secret', 405, allows('GET HEAD PATCH PUT'))
    rest('PATCH /document/3/comments', 405, allows('GET HEAD POST'))
    rest('POST /document/3/comments/3_1', 405, allows('DELETE GET HEAD PATCH PUT'))
    rest('/document/3/nothing/3_1', 404)
  },
  { fixture: 'tenants', fill: fillTenants },
)
