import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: order by related rows',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillTenants(db)
      await db.orm.document.create({ data: { title: 'five', projectId: 4, authorId: 3, reviewerId: 3 } })
    })

    const rules = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
      const builder = abilityBuilder()
      define(builder)
      return builder.build()
    }
    const policed = (ability: AppAbility) => db.orm.$extends(withPolicies(ability))
    const rest = (ability: AppAbility) => fixtureClient({ orm: policed(ability), routes: db.routes })
    /**
     * Rules to read every document and the members of beta. Reviewers: "four" of 3 and "me" of 5, none of 2, members of
     * alpha of 1 and 4.
     */
    const beta = () =>
      rules(({ can }) => {
        can('read', ['Document', 'Project'])
        can('read', 'Member', { organisationId: 2 })
        can('read', 'Organisation', { id: 2 })
      })

    it('sorts rows without a readable value last in both directions', async () => {
      expect((await rest(beta()).get('/document?sort=reviewer.name')).ids).toEqual(['3', '5', '1', '2', '4'])
      expect((await rest(beta()).get('/document?sort=-reviewer.name,-id')).ids).toEqual(['5', '3', '4', '2', '1'])
    })

    it('keeps the order across pages', async () => {
      const orderBy = [{ reviewer: { name: 'asc' as const } }, { id: 'desc' as const }]
      const all = [3, 5, 4, 2, 1]
      for (let skip = 0; skip <= 6; skip++) {
        for (const take of [undefined, 0, 1, 2, 3, 9]) {
          const page = { skip, ...(take !== undefined && { take }) }
          const rows = await policed(beta()).document.findMany({ orderBy, ...page, select: { id: true } })
          const end = take === undefined ? undefined : skip + take
          expect(rows.map(({ id }) => id)).toEqual(all.slice(skip, end))
        }
      }
    })

    it('rejects cursor pages with 403 unless all related rows are readable', async () => {
      const page = 'page[after]=&page[size]=2'
      const rejected = await rest(beta()).get(`/document?sort=reviewer.name&${page}`)
      expect([rejected.status, rejected.errors[0]?.detail]).toEqual([403, expect.stringContaining('cannot be ordered')])
      const open = rules(({ can }) => can('read', ['Document', 'Project', 'Member', 'Organisation']))
      const first = await rest(open).get(`/document?sort=reviewer.name&${page}`)
      const second = await rest(open).follow(first.body.links?.['next'])
      const whole = await rest(open).get('/document?sort=reviewer.name&page[limit]=4')
      expect([...first.ids, ...second.ids]).toEqual(whole.ids)
      const sortedByTitle = await rest(beta()).get(`/document?sort=-title&${page}`)
      expect((await rest(beta()).follow(sortedByTitle.body.links?.['next'])).ids).toHaveLength(2)
    })

    it('does not reveal values of unreadable rows', async () => {
      const collectResponses = async () => {
        const texts: string[] = []
        for (const sort of ['reviewer.name', '-reviewer.salary', 'reviewer.organisation.plan', '-author.email']) {
          for (const page of ['', '&page[limit]=2', '&page[limit]=2&page[offset]=2', '&page[limit]=3&page[offset]=3']) {
            const response = await rest(beta()).get(`/document?sort=${sort}${page}`)
            expect(response.status).toBe(200)
            texts.push(response.text)
          }
        }
        return texts
      }
      const before = await collectResponses()
      for (const [one, two] of [
        ['a', 'z'],
        ['z', 'a'],
        [null, 'm'],
      ] as const) {
        await db.orm.member.update({ where: { id: 1 }, data: { name: one, salary: 9, email: `${one}1` } })
        await db.orm.member.update({ where: { id: 2 }, data: { name: two, salary: null, email: `${two}2` } })
        await db.orm.organisation.update({ where: { id: 1 }, data: { plan: two } })
        expect(await collectResponses()).toEqual(before)
      }
    })

    it('sorts a partly unreadable field last, rejects an unreadable one with 403', async () => {
      const ability = rules(({ can }) => {
        can('read', 'Document')
        can('read', 'Member', ['id', 'name'])
        can('read', 'Member', ['salary'], { id: 3 })
      })
      expect((await rest(ability).get('/document?sort=-reviewer.salary')).ids).toEqual(['5', '1', '2', '3', '4'])
      expect((await rest(ability).get('/document?sort=reviewer.email')).status).toBe(403)
    })

    it('accepts the order if the row rule implies the related rule, otherwise suggests one', async () => {
      const orderBy = [{ visibility: 'asc' as const }, { project: { name: 'desc' as const } }]
      const betaRules = rules(({ can }) => {
        can('read', 'Document', { project: { organisationId: 2 } })
        can('read', 'Project', { organisationId: 2 })
      })
      const found = await policed(betaRules).document.findMany({ orderBy, select: { id: true }, cursor: { id: 3 } })
      expect(found.map(({ id }) => id)).toContain(5)
      const other = rules(({ can }) => {
        can('read', 'Document')
        can('read', 'Project', { organisationId: 2 })
      })
      const denied = policed(other).document.findMany({ orderBy })
      await expect(denied).rejects.toThrow("can('read', 'Document', { project: { … } })")
      const list = [policed(other).document.findMany({ orderBy: orderBy.slice(1) })]
      await expect(db.orm.$transaction(list)).rejects.toThrow('order')
    })

    it('returns _count only for readable relations', async () => {
      const ability = rules(({ can, cannot }) => {
        can('read', ['Document', 'Member'])
        cannot('read', 'Member', ['documents'], { id: { not: 3 } })
      })
      const select = { id: true, _count: { select: { documents: true, reviews: true } } }
      expect(
        await policed(ability).member.findMany({ select, where: { id: { in: [1, 3] } }, orderBy: { id: 'asc' } }),
      ).toEqual([
        { id: 1, _count: { reviews: 1 } },
        { id: 3, _count: { documents: 2, reviews: 1 } },
      ])
    })
  },
  { fixture: 'tenants' },
)
