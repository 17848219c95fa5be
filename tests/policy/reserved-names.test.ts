import { createPrismaAbility } from '@casl/prisma/runtime'
import { beforeEach, expect, it } from 'vitest'

import { sentenceResource } from '../../fixtures/names/expected/sentence/resource.js'
import { wordResource } from '../../fixtures/names/expected/word/resource.js'
import { createPolicies } from '../../runtime/policy/index.js'
import { fixtureRpc } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'

interface Rule {
  readonly action: string
  readonly subject: string
  readonly fields?: string[]
  readonly conditions?: object
}

const withRules = createPolicies([sentenceResource, wordResource])

async function rows({ orm }: Pick<Database<'names'>, 'orm'>): Promise<void> {
  await orm.word.createMany({
    data: [
      { id: 1, is: 'a', data: 'd', where: 'w' },
      { id: 2, is: 'b', data: 'd' },
    ],
  })
  await orm.sentence.createMany({ data: [{ id: 1, dataId: 1 }, { id: 2, dataId: 2 }, { id: 3 }] })
}

describeDatabases(
  'policy: fields named like Prisma keywords',
  (db) => {
    beforeEach(() => db.fill(rows))

    const ormWith = (...rules: readonly Rule[]) => db.orm.$extends(withRules(createPrismaAbility([...rules])))
    const all = (subject: string): Rule => ({ action: 'manage', subject })

    /** Returns the ids that a filter finds for the app itself and for a caller. */
    async function found(orm: ReturnType<typeof ormWith>, where: object): Promise<[direct: unknown, caller: unknown]> {
      const args = { where, select: { id: true }, orderBy: { id: 'asc' } } as const
      const direct = await orm.sentence.findMany(args).then(ids, () => 'denied')
      const { status, body } = await fixtureRpc(db, {}, orm).call('sentence', 'findMany', args)
      return [direct, status === 403 ? 'denied' : ids(body.data)]
    }
    const ids = (rows: unknown) => (Array.isArray(rows) ? rows.map((row: { id: number }) => row.id) : rows)

    it.each<[conditions: object, expected: readonly number[]]>([
      [{ data: { is: 'a' } }, [1]],
      [{ data: { is: { startsWith: 'a' } } }, [1]],
      [{ data: { is: { is: 'a' } } }, [1]],
      [{ data: { isNot: { is: 'a' } } }, [2, 3]],
      [{ data: { is: null } }, [3]],
    ])('rule %j: finds the rows that match the condition', async (conditions, expected) => {
      const orm = ormWith(all('Word'), { action: 'read', subject: 'Sentence', conditions })
      expect(await found(orm, {})).toEqual([expected, expected])
    })

    it.each<[where: object, expected: readonly number[]]>([
      [{ data: { is: 'b' } }, []],
      [{ data: { is: { gte: 'a' } } }, [1]],
      [{ data: { is: 'a', id: { gt: 0 } } }, [1]],
      [{ data: { is: { is: 'b' } } }, []],
      [{ data: { is: null } }, [2, 3]],
    ])('filter %j: matches only readable related rows', async (where, expected) => {
      const orm = ormWith(all('Sentence'), { action: 'read', subject: 'Word', conditions: { id: 1 } })
      expect(await found(orm, where)).toEqual([expected, expected])
    })

    it('rejects filters by an unreadable field', async () => {
      const orm = ormWith(all('Sentence'), { action: 'read', subject: 'Word', fields: ['id', 'is'] })
      expect(await found(orm, { data: { is: 'a' } })).toEqual([[1], [1]])
      for (const where of [
        { data: { where: 'w' } },
        { data: { is: { where: 'w' } } },
        { data: { is: 'a', where: 'w' } },
        { data: { isNot: { where: 'w' } } },
      ]) {
        expect(await found(orm, where), JSON.stringify(where)).toEqual(['denied', 'denied'])
      }
    })

    it.each<[update: object, status: number]>([
      [{ data: 'new' }, 200],
      [{ data: { data: 'new' } }, 200],
      [{ data: { data: 'new' }, where: { is: 'a' } }, 200],
      [{ data: { data: 'new' }, where: { is: 'b' } }, 404],
      [{ data: { set: 'new' } }, 403],
      [{ data: { where: 'new' } }, 403],
      [{ where: 'new' }, 403],
    ])('update %j: checks the rules of the written fields', async (update, status) => {
      const read = ['Word', 'Sentence'].map((subject) => ({ action: 'read', subject }))
      const orm = ormWith(
        ...read,
        { action: 'update', subject: 'Sentence' },
        { action: 'update', subject: 'Word', fields: ['data'] },
      )
      const args = { where: { id: 1 }, data: { data: { update } } }
      const response = await fixtureRpc(db, {}, orm).call('sentence', 'update', args)
      expect([response.status, response.body.message]).toEqual([
        status,
        status === 200 ? undefined : expect.any(String),
      ])
      const row = await db.orm.word.findUnique({ where: { id: 1 } })
      expect(row).toMatchObject({ data: status === 200 ? 'new' : 'd', where: 'w', set: null })
    })
  },
  { fixture: 'names', only: ['SQLite'] },
)
