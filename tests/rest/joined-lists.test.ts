import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { defineRestRoutes } from '../../fixtures/workspace/expected/custom-routes.js'
import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { isMariadb } from '../support/engines/mysql.js'
import { runs } from '../support/form.js'
import { type TestResponse, fixtureClient, type RestClient } from './support/client.js'

const { TEST_MYSQL_URL } = process.env
/** Whether the MySQL server, if one is configured, loads relations by joins. MariaDB does not. */
const mysqlJoins = TEST_MYSQL_URL !== undefined && !(await isMariadb(TEST_MYSQL_URL))

type Orm = Database<'workspace'>['orm']

/** Whether a query loads lists by a join: LATERAL on PostgreSQL, correlated subqueries on MySQL. */
const isJoin = (query: string) => /LATERAL|JSON_ARRAYAGG/.test(query)

/**
 * Creates twelve documents in a tree of folders. Their lists have zero to nine members, with values of types that JSON does
 * not have.
 */
async function fillLists({ orm }: { readonly orm: Orm }): Promise<void> {
  await orm.team.createMany({ data: [{ name: 'red' }, { name: 'blue' }] })
  const times = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  const people = ['ann', 'ben', 'cat', 'dan'].map((name, at) => ({ email: `${name}@x`, teamId: (at % 2) + 1 }))
  await orm.person.createMany({ data: people })
  const parentOf = (id: number) => (id > 2 ? id % 2 || 2 : null)
  const folders = times(5).map((id) => ({ name: `f${id % 3}`, teamId: (id % 2) + 1, parentId: parentOf(id) }))
  await orm.folder.createMany({ data: folders })
  await orm.label.createMany({ data: times(5).map((id) => ({ name: `l${id % 3}`, teamId: 1 })) })
  for (const id of times(12)) {
    await orm.document.create({
      data: {
        title: `t${id % 4}`,
        slug: `s${id}`,
        teamId: (id % 2) + 1,
        ownerId: id % 3 === 0 ? null : (id % 4) + 1,
        folderId: id % 5 === 0 ? null : (id % 5) + 1,
        labels: { connect: times(id % 6).map((label) => ({ id: label })) },
        comments: {
          create: times((id * 7) % 10).map((at) => ({
            text: `c${(at * id) % 5}`,
            authorId: at % 4 === 0 ? null : (at % 4) + 1,
            deletedAt: at % 3 === 0 ? new Date(Date.UTC(2024, 1, at, 3, 4, 5, 678)) : null,
          })),
        },
        attachments: {
          create: times(id % 4).map((at) => ({
            name: `"a\\${at}" ü`,
            size: at * 1000,
            price: at === 1 ? null : `${12345678901234567890n * BigInt(id)}.${at}${id}`,
            weight: at === 2 ? null : (id + 0.1) / (at * 3),
          })),
        },
        reviews: { create: times(id % 5).map((reviewerId) => ({ reviewerId, verdict: `v${(id + reviewerId) % 3}` })) },
      },
    })
  }
}

const SORTS: Readonly<Record<string, readonly string[]>> = {
  comments: ['id', '-id', 'text,-id', '-text', 'deletedAt', '-author.email', 'author.team.name,-text'],
  labels: ['id', '-id', 'name', '-name,-id', 'team.name'],
  attachments: ['id', '-size', 'price', '-weight', 'name'],
  reviews: ['reviewerId', '-reviewerId', 'verdict', '-verdict', 'reviewer.email'],
  documents: ['id', '-id', 'title', '-title,slug', 'owner.email', '-folder.parent.name'],
  children: ['id', '-name'],
}
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  comments: ['[text$gte]=c2', '[author][email]=ben@x', "=or(equals(text,'c1'),equals(deletedAt,null))"],
  labels: ['[name$contains]=1', '[documents][title]=t1'],
  attachments: ['[size$gt]=1000', '[price$gt]=5'],
  reviews: ["=not(equals(verdict,'v1'))", '[reviewer][team][name]=red'],
  documents: ['[title$in]=t1,t2', "=has(comments,equals(text,'c1'))"],
  children: ['[name$ne]=f1'],
}
const INCLUDES: readonly (readonly [path: string, lists: readonly string[]])[] = [
  ['/document', ['comments', 'labels', 'attachments', 'reviews']],
  ['/document', ['labels.documents', 'comments.author.comments']],
  ['/folder', ['children', 'documents', 'documents.comments', 'documents.labels']],
  ['/team', ['documents.reviews', 'labels.documents', 'folders.children']],
  ['/label', ['documents', 'documents.attachments', 'documents.owner']],
  ['/person', ['comments', 'documents.labels', 'reviews']],
]

/** Requests to a collection with included lists that are limited, ordered and filtered. */
function requests(directSortsOnly: boolean): fc.Arbitrary<string> {
  return fc.constantFrom(...INCLUDES).chain(([path, all]) =>
    fc.subarray([...all], { minLength: 1 }).chain((lists) => {
      const parts = lists.map((list) => {
        const name = list.split('.').at(-1) ?? ''
        const sorts = (SORTS[name] ?? []).filter((sort) => !directSortsOnly || !sort.includes('.'))
        if (sorts.length === 0) return fc.constant('')
        return fc
          .tuple(
            fc.option(fc.constantFrom(...sorts)),
            fc.option(fc.constantFrom(...(FILTERS[name] ?? []))),
            fc.option(fc.integer({ min: 1, max: 5 }), { freq: 8 }),
          )
          .map(([sort, filter, limit]) =>
            [
              sort === null ? '' : `&includeSort[${list}]=${sort}`,
              filter === null ? '' : `&includeFilter[${list}]${filter}`,
              limit === null ? '' : `&includePage[${list}][limit]=${limit}`,
            ].join(''),
          )
      })
      const fields = fc.constantFrom('', '&fields[comment]=text', '&fields[document]=title,comments,labels')
      return fc.tuple(...parts, fields).map((texts) => `${path}?include=${lists.join(',')}${texts.join('')}`)
    }),
  )
}

const plain = (orm: Orm) =>
  orm.$extends({ query: { $allModels: { $allOperations: ({ args, query }) => query(args) } } })

const ability = (define: (builder: ReturnType<typeof abilityBuilder>) => void): AppAbility => {
  const builder = abilityBuilder()
  define(builder)
  return builder.build()
}
const RULES: Readonly<Record<string, AppAbility>> = {
  rows: ability(({ can, cannot }) => {
    can('read', 'all')
    cannot('read', 'Comment', { text: 'c2' })
    cannot('read', 'Document', { title: 't3' })
    cannot('read', 'Label', { name: 'l2' })
  }),
  fields: ability(({ can, cannot }) => {
    can('read', 'all')
    cannot('read', 'Comment', ['deletedAt'], { text: 'c1' })
    cannot('read', 'Document', ['comments'], { title: 't1' })
    cannot('read', 'Document', ['labels'])
    cannot('read', 'Attachment', ['price'])
  }),
  keys: ability(({ can, cannot }) => {
    can('read', 'all')
    cannot('read', 'Comment', ['document', 'documentId'], { text: 'c1' })
    cannot('read', 'Document', ['folderId', 'folder'], { title: 't1' })
  }),
}
const WITHOUT_BEN = ability(({ can, cannot }) => {
  can('read', 'all')
  cannot('read', 'Person', { email: 'ben@x' })
})
const WRITER = ability(({ can, cannot }) => {
  can('manage', 'all')
  cannot('read', 'Document', { title: 'none' })
})

const UPDATE = { data: { type: 'document', id: '1', attributes: { title: 't1' } } }

describeDatabases(
  'REST: included lists by joins',
  (db) => {
    beforeAll(() => db.fill(fillLists))

    /** Two clients, one with joined lists and one with a query per list. Extensions and options apply to both. */
    const both = (extend: (orm: Orm) => unknown = (orm) => orm, options: object = {}) => {
      const client = (orm: object) => fixtureClient({ orm: extend(orm as Orm), routes: db.routes }, options)
      return { joined: client(db.orm), single: client(plain(db.orm)) }
    }
    const areSame = async ({ joined, single }: Record<'joined' | 'single', RestClient>, directSortsOnly = true) => {
      const property = fc.asyncProperty(requests(directSortsOnly), async (path) => {
        const response = await joined.get(path)
        const other = await single.get(path)
        expect([response.status, response.body]).toEqual([other.status, other.body])
        // Access policies and masks reject some requests.
        if (!directSortsOnly) expect(response.status, response.text).toBe(200)
      })
      await fc.assert(property, { numRuns: runs(150) })
    }

    it('returns the same response as with one query per list', async () => {
      await areSame(both(), false)
    })

    it('sends one query per relation and level', async () => {
      const { joined, single } = both()
      const path = '/folder?include=documents.comments,documents.labels&page[total]=none'
      const lists = { documents: 2, 'documents.comments': 1, 'documents.labels': 1 }
      const cut =
        path +
        Object.entries(lists)
          .map(([list, limit]) => `&includePage[${list}][limit]=${limit}`)
          .join('')
      const queries = await db.queriesOf(() => joined.get(cut))
      expect(queries).toHaveLength(4)
      expect(queries.filter(isJoin)).toHaveLength(3)
      expect((await db.queriesOf(() => single.get(cut))).length).toBeGreaterThan(12)
      const one = await db.queriesOf(() => joined.get('/document/7?include=comments&includePage[comments][limit]=1'))
      expect(one).toHaveLength(2)
      expect(one.some(isJoin)).toBe(false)
    })

    it('splits queries to keep their rows within the limits', async () => {
      const path = '/document?include=comments&includePage[comments][limit]=4&page[total]=none'
      const documents = await db.orm.document.findMany({ include: { comments: { take: 5 } } })
      const includedRows = documents.flatMap(({ comments }) => comments).length
      const lists = (limits: object) => both(undefined, { limits }).joined.get(path)
      expect(await db.queriesOf(() => lists({ includedRows }))).toHaveLength(4)
      expect((await lists({ includedRows, includedLists: 3 })).status).toBe(200)
      for (const [limits, detail] of [
        [{ includedRows, includedLists: 2 }, 'limits.includedLists'],
        [{ includedRows: includedRows - 1 }, 'limits.includedRows'],
      ] as const) {
        const { status, errors } = await lists(limits)
        expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining(detail)])
      }
    })

    it.each(Object.entries(RULES))('%s: returns the same response under policies', async (_name, rules) => {
      const { joined, single } = both((orm) => orm.$extends(withPolicies(rules)))
      await areSame({ joined, single })
      const path = '/folder?include=children&includePage[children][limit]=1'
      expect((await db.queriesOf(() => joined.get(path))).some(isJoin)).toBe(true)
    })

    it('returns the same response with where hooks, masks and computed fields', async () => {
      const hooks = defineHooks({
        Comment: { where: () => ({ deletedAt: null }), mask: { text: ({ value }) => `${value}!` } },
        Document: { where: () => ({ title: { not: 't2' } }) },
      })
      const extend = (orm: Orm) =>
        orm.$extends({
          result: { document: { heading: { needs: { title: true }, compute: ({ title }) => title.toUpperCase() } } },
        })
      await areSame(both(extend, { hooks, computed: { Document: ['heading'] } }))
    })

    it('sorts through relations under policies as without joins', async () => {
      const { joined, single } = both((orm) => orm.$extends(withPolicies(WITHOUT_BEN)))
      const path = '/folder?include=documents&includePage[documents][limit]=2&includeSort[documents]=owner.email'
      const response = await joined.get(path)
      expect([response.status, response.body]).toEqual([200, (await single.get(path)).body])
    })

    const QUOTA = '12345678901234567890.1234567891'
    const withQuota = async () => {
      await db.orm.folder.updateMany({ where: { id: { in: [2, 3] } }, data: { quota: QUOTA } })
      await db.orm.folder.update({ where: { id: 2 }, data: { parentId: 1 } })
      return fixtureClient(db)
    }
    const quotasOf = ({ body }: TestResponse) =>
      (body.included ?? [])
        .filter(({ type, id }) => type === 'folder' && id !== '1')
        .map((one) => one.attributes?.['quota'])

    it.each([
      ['single resource', '/document/1?include=folder&fields[document]=title'],
      ['collection', '/document?include=folder&filter[folder]=2,3'],
      ['nested include', '/comment?include=document.folder&filter[document]=1'],
      ['related resource', '/comment/1/document?include=folder'],
      ['list limited by a join', '/team?include=documents.folder&includePage[documents][limit]=1'],
      ['list without a limit', '/team?include=documents.folder&includeFilter[documents][id]=1'],
    ])('%s: returns all digits of decimals in related rows', async (_name, path) => {
      const rest = await withQuota()
      const response = await rest.get(path)
      const quotas = quotasOf(response).filter((quota) => quota !== null)
      expect(response.status, response.text).toBe(200)
      expect(quotas.length).toBeGreaterThan(0)
      expect(new Set(quotas)).toEqual(new Set([QUOTA]))
    })

    it('returns all digits of decimals in responses to writes, also under policies', async () => {
      await withQuota()
      const relationships = { document: { data: { type: 'document', id: '1' } } }
      const comment = { data: { type: 'comment', attributes: { text: 'new' }, relationships } }
      for (const orm of [db.orm, db.orm.$extends(withPolicies(WRITER))]) {
        const rest = fixtureClient({ orm, routes: db.routes })
        expect(quotasOf(await rest.patch('/document/1?include=folder', UPDATE))).toEqual([QUOTA])
        expect(quotasOf(await rest.post('/comment?include=document.folder', comment))).toEqual([QUOTA])
      }
    })

    it('returns all digits of decimals in custom routes', async () => {
      await withQuota()
      const routes = defineRestRoutes<Orm>((app, api) => {
        app.get('/document/all', async (c) => {
          const rows = await (await api.orm(c)).document.findMany(api.query(c, 'Document'))
          return api.reply(c, 'Document', rows)
        })
      })
      const rest = fixtureClient(db, { routes })
      expect(quotasOf(await rest.get('/document/all?include=folder&filter[folder]=2'))).toEqual([QUOTA])
    })

    it('loads lists by a join in responses to writes', async () => {
      const { joined, single } = both()
      const path = '/document/1?include=folder.documents.comments&includePage[folder.documents.comments][limit]=2'
      const responses: TestResponse[] = []
      const queries = await db.queriesOf(async () => responses.push(await joined.patch(path, UPDATE)))
      expect(queries.filter((query) => isJoin(query) && /["`]Comment["`]/.test(query))).toHaveLength(1)
      const { body } = await single.patch(path, UPDATE)
      expect(responses.map((response) => [response.status, response.body])).toEqual([[200, body]])
    })
  },
  { fixture: 'workspace', only: ['postgresql', ...(mysqlJoins ? (['mysql'] as const) : [])] },
)

describeDatabases(
  'REST: included lists without database joins',
  (db) => {
    beforeAll(() => db.fill(fillLists))

    it('sends one query per list and tries a join only once', async () => {
      const strategies: unknown[] = []
      const counting = new Proxy(db.orm, {
        get(orm, name) {
          if (name !== 'document') return Reflect.get(orm, name)
          const findMany = (args: { relationLoadStrategy?: unknown }) => {
            strategies.push(args.relationLoadStrategy)
            return orm.document.findMany(args as object)
          }
          return { ...orm.document, findMany }
        },
      })
      const rest = fixtureClient({ orm: counting, routes: db.routes })
      const path = '/document?include=comments&includePage[comments][limit]=2'
      const first = await rest.get(path)
      const queries = await db.queriesOf(async () => expect((await rest.get(path)).body).toEqual(first.body))
      expect([first.status, queries.length]).toEqual([200, 13])
      expect(strategies).toEqual([undefined, ...(db.provider === 'mysql' ? ['join'] : []), undefined])
    })
  },
  { fixture: 'workspace', only: ['SQLite', ...(mysqlJoins ? [] : (['mysql'] as const))] },
)
