import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

/** One end of a relation. */
interface End {
  readonly model: 'Document' | 'Label' | 'Member' | 'Secret'
  readonly field: string
  /** Whether rules on this end always apply, because it has the foreign key or the relation has a join table. */
  readonly isKey: boolean
  readonly many: boolean
  /** The values that a new row needs, without this relation. */
  readonly data: object
  readonly attributes: object
  readonly relationships?: object
}

type Request = readonly [method: 'post' | 'patch' | 'delete', path: string, body: object]
type Call = readonly [operation: string, args: object]

const DOCUMENT = { title: 'new', project: { connect: { id: 3 } } }
const PROJECT = { project: { data: { type: 'project', id: '3' } } }
const AUTHOR = { author: { data: { type: 'member', id: '3' } } }

const document = (field: string, isKey: boolean, many: boolean): End => ({
  model: 'Document',
  field,
  isKey,
  many,
  data: field === 'author' ? DOCUMENT : { ...DOCUMENT, author: { connect: { id: 3 } } },
  attributes: { title: 'new' },
  relationships: field === 'author' ? PROJECT : { ...PROJECT, ...AUTHOR },
})
const MEMBER = { email: 'new@beta' }
const RELATIONS: Readonly<Record<string, readonly [End, End]>> = {
  'many-to-many': [
    document('labels', true, true),
    {
      model: 'Label',
      field: 'documents',
      isKey: true,
      many: true,
      data: { name: 'new' },
      attributes: { name: 'new' },
    },
  ],
  'one-to-many': [
    document('author', true, false),
    {
      model: 'Member',
      field: 'documents',
      isKey: false,
      many: true,
      data: { ...MEMBER, organisation: { connect: { id: 2 } } },
      attributes: MEMBER,
      relationships: { organisation: { data: { type: 'organisation', id: '2' } } },
    },
  ],
  'one-to-one': [
    document('secret', false, false),
    {
      model: 'Secret',
      field: 'document',
      isKey: true,
      many: false,
      data: { value: 'new' },
      attributes: { value: 'new' },
    },
  ],
}

/** Row 1 of each model is not linked to a row 2 of the other end. Document 4 does not have a secret or a label. */
const ROW = { Document: 4, Label: 3, Member: 4, Secret: 2 } as const

/** Returns the RPC calls that link a row through a relation. */
function callsOf(from: End, to: End): Readonly<Record<string, Call>> {
  const where = { id: ROW[to.model] }
  const missing = { id: 99 }
  const { data: create } = to
  const links: Record<string, object> = {
    connect: { connect: where },
    create: { create },
    'connectOrCreate of an existing row': { connectOrCreate: { where, create } },
    'connectOrCreate of a new row': { connectOrCreate: { where: missing, create } },
  }
  const changes: Record<string, object> = {
    ...links,
    ...(from.many
      ? { set: { set: [where] }, upsert: { upsert: { where: missing, create, update: {} } } }
      : // For a required relation, an upsert would update the existing row.
        from.field === 'author'
        ? {}
        : { upsert: { upsert: { create, update: {} } } }),
  }
  const calls: Record<string, Call> = {}
  const whole = from.field === 'author' ? { ...from.data, author: links['connect'] } : from.data
  for (const [way, link] of Object.entries(links)) {
    calls[`create with ${way}`] = ['create', { data: { ...from.data, [from.field]: link } }]
  }
  for (const [way, link] of Object.entries(changes)) {
    calls[`update with ${way}`] = ['update', { where: { id: ROW[from.model] }, data: { [from.field]: link } }]
    calls[`upsert with ${way}`] = [
      'upsert',
      { where: { id: ROW[from.model] }, create: whole, update: { [from.field]: link } },
    ]
  }
  return calls
}

/** Returns the REST requests that link a row through a relation. */
function requestsOf(from: End, to: End): Readonly<Record<string, Request>> {
  const [type, target] = [from.model.toLowerCase(), to.model.toLowerCase()]
  const identifier = { type: target, id: String(ROW[to.model]) }
  const data = from.many ? [identifier] : identifier
  const id = String(ROW[from.model])
  const relationships = { [from.field]: { data } }
  const { attributes } = from
  const url = `/${type}/${id}/relationships/${from.field}`
  return {
    POST: [
      'post',
      `/${type}`,
      { data: { type, attributes, relationships: { ...from.relationships, ...relationships } } },
    ],
    PATCH: ['patch', `/${type}/${id}`, { data: { type, id, relationships } }],
    'PATCH of the relationship': ['patch', url, { data }],
    ...(from.many && { 'POST to the relationship': ['post', url, { data }] }),
    // Without a foreign key here, the new row gets it: the write starts from the other end.
    ...(from.many &&
      from.isKey && {
        'POST to the related list': [
          'post',
          `/${type}/${id}/${from.field}`,
          { data: { type: target, attributes: to.attributes, relationships: to.relationships ?? {} } },
        ],
      }),
  }
}

describeDatabases(
  'policy: field rules at either end of a relation',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    /** Creates a client under rules that forbid writes of one end, or that allow everything. */
    const clientUnder = (end: End | undefined) => {
      const { can, cannot, build } = abilityBuilder()
      can('manage', 'all')
      if (end) cannot(['create', 'update'], end.model, [end.field as 'id'])
      return db.orm.$extends(withPolicies(build()))
    }
    const links = () =>
      Promise.all([
        db.orm.document.findMany({ include: { labels: true, secret: true }, orderBy: { id: 'asc' } }),
        db.orm.label.count(),
        db.orm.secret.count(),
        db.orm.member.count(),
      ])

    for (const [name, ends] of Object.entries(RELATIONS)) {
      for (const [from, to] of [ends, ends.toReversed() as unknown as readonly [End, End]]) {
        it.each([
          ['neither end', undefined],
          [`${from.model}.${from.field}`, from],
          [`${to.model}.${to.field}`, to],
        ] as const)(`${name} from ${from.model}, rule on %s: applies to every way to link rows`, async (_, ruled) => {
          const isDenied = ruled !== undefined && (ruled === from || ruled.isKey)
          const orm = clientUnder(ruled)
          const [rpc, rest] = [fixtureRpc(db, {}, orm), fixtureClient({ orm, routes: db.routes })]
          const before = isDenied ? await links() : undefined
          const outcomes: Record<string, number> = {}
          for (const [way, [operation, args]] of Object.entries(callsOf(from, to))) {
            if (!isDenied) await db.fill(fillTenants)
            outcomes[way] = (await rpc.call(from.model.toLowerCase(), operation, args)).status
          }
          for (const [way, [method, path, body]] of Object.entries(requestsOf(from, to))) {
            if (!isDenied) await db.fill(fillTenants)
            outcomes[way] = (await rest[method](path, body)).status
          }
          // REST does not take over a connected row of a one-to-one relation. RPC does, like Prisma.
          const isTaken = (way: string) => way in requestsOf(from, to) && !from.many && !from.isKey && ruled !== from
          const wrong = Object.entries(outcomes).filter(([way, status]) =>
            isTaken(way) ? status !== 409 : isDenied ? status !== 403 : status >= 300,
          )
          expect(wrong).toEqual([])
          if (isDenied) expect(await links()).toEqual(before)
        })
      }
    }
  },
  { fixture: 'tenants', only: ['SQLite'] },
)
