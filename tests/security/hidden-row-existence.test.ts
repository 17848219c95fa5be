import { beforeEach, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { type Attack, callerOf, rpc } from './requests-of-both-styles.js'

const one = (type: string, id: number) => ({ data: { type, id: String(id) } })
const member = (email: string, id?: number): object => ({
  data: { type: 'member', attributes: { email, organisationId: 2 }, ...(id !== undefined && { id: String(id) }) },
})
const comment = { documentId: 3, seq: 1 }

/** Two equal requests, one for a row of another tenant and one for a missing row. */
const DOORS: readonly ((id: number) => Attack)[] = [
  (id) => ['rest', 'GET', `/document/${id}`],
  (id) => ['rest', 'GET', `/document?filter[id]=${id}`],
  (id) => ['rest', 'GET', `/document/3/comments?filter[document]=${id}`],
  (id) => ['rest', 'DELETE', `/document/${id}`],
  (id) => ['rest', 'PATCH', '/comment/3_1/relationships/document', one('document', id)],
  (id) => ['rest', 'POST', '/label/2/relationships/documents', { data: [one('document', id).data] }],
  (id) => [
    'rest',
    'POST',
    '/document',
    { data: { type: 'document', attributes: { title: 'n', projectId: 3, authorId: id } } },
  ],
  (id) => rpc('document', 'findUnique', { where: { id } }),
  (id) => rpc('document', 'findUniqueOrThrow', { where: { id } }),
  (id) => rpc('document', 'findMany', { cursor: { id }, orderBy: { id: 'asc' } }),
  (id) => rpc('document', 'count', { where: { id } }),
  (id) => rpc('document', 'aggregate', { where: { id }, _count: true, _max: { title: true } }),
  (id) => rpc('document', 'groupBy', { by: ['id'], where: { id } }),
  (id) => rpc('document', 'check', { operation: 'read', where: { id } }),
  (id) => rpc('document', 'delete', { where: { id } }),
  (id) => rpc('document', 'deleteMany', { where: { id } }),
  (id) => rpc('document', 'update', { where: { id }, data: { title: 'x' } }),
  (id) => rpc('document', 'updateMany', { where: { id }, data: { title: 'x' } }),
  (id) => rpc('label', 'update', { where: { id: 2 }, data: { documents: { connect: { id } } } }),
  (id) => rpc('label', 'update', { where: { id: 2 }, data: { documents: { disconnect: { id } } } }),
  (id) => rpc('label', 'update', { where: { id: 2 }, data: { documents: { delete: { id } } } }),
  (id) => rpc('label', 'update', { where: { id: 2 }, data: { documents: { set: [{ id }] } } }),
  (id) => rpc('comment', 'update', { where: { documentId_seq: comment }, data: { document: { connect: { id } } } }),
  (id) => rpc('document', 'create', { data: { title: 'n', projectId: 3, authorId: id } }),
]

/** Requests with the email address of a hidden row. */
const TAKEN: readonly Attack[] = [
  ['rest', 'POST', '/member', member('one@alpha')],
  ['rest', 'PATCH', '/member/3', member('one@alpha', 3)],
  ['rest', 'POST', '/member', { ...member('one@alpha'), meta: { operation: 'upsert', matchFields: ['email'] } }],
  rpc('member', 'create', { data: { email: 'one@alpha', organisationId: 2 } }),
  rpc('member', 'update', { where: { id: 3 }, data: { email: 'one@alpha' } }),
  rpc('member', 'upsert', {
    where: { email: 'one@alpha' },
    create: { email: 'one@alpha', organisationId: 2 },
    update: { name: 'x' },
  }),
]

// S-34: responses do not reveal rows of other tenants. The README documents what a unique constraint reveals (Security,
// Access policies): a 409 with the caller's own field and without the row.
describeDatabases(
  'security: existence of hidden rows',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })
    const attacker = () => callerOf({ orm: db.orm.$extends(withPolicies(betaAbility())), routes: db.routes })

    it.each(DOORS.map((door) => [door(1), door] as const))(
      '%j: responds to a hidden row like to a missing one',
      async (...[, door]) => {
        const sendFor = async (id: number) => {
          const { status, text } = await attacker()(door(id))
          return { status, text: text.replaceAll(/(filter%5Bid%5D=|document\/|document%5D=)\d+/g, '$1*') }
        }
        const hidden = await sendFor(1)
        await db.fill(fillTenants)
        expect(hidden).toEqual(await sendFor(999))
      },
    )

    it('excludes hidden rows from totals', async () => {
      const { text } = await attacker()(['rest', 'GET', '/document'])
      expect(JSON.parse(text)).toMatchObject({ meta: { total: 2 } })
      expect(JSON.parse((await attacker()(rpc('document', 'count', {}))).text)).toEqual({ data: 2 })
    })

    it.each(TAKEN.map((attack) => [attack] as const))(
      '%j: responds with 409 without data of the hidden row',
      async (attack) => {
        const { status, text } = await attacker()(attack)
        expect(status, text).toBe(409)
        expect(text).toContain('same email')
        expect(text).not.toMatch(/alpha|71111|OWNER/)
      },
    )
  },
  { fixture: 'tenants' },
)
