import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { rpcClient } from './client.js'

describeDatabases(
  'RPC: full-text search on MySQL',
  (db) => {
    beforeAll(async () => {
      await db.reset()
      await db.execute('ALTER TABLE `Tag` ADD FULLTEXT INDEX `Tag_name_idx` (`name`)')
      await db.orm.tag.createMany({
        data: [{ name: 'quick brown foxes' }, { name: 'lazy dogs' }, { name: 'slow dogs' }],
      })
    })

    it('finds rows with a full-text index', async () => {
      const find = (search: string) =>
        rpcClient(db).result('tag', 'findMany', { where: { name: { search } }, orderBy: { name: 'asc' } })
      expect(await find('foxes')).toEqual([{ name: 'quick brown foxes' }])
      expect(await find('+dogs -lazy')).toEqual([{ name: 'slow dogs' }])
    })

    it('rejects a malformed search with 400', async () => {
      const where = { name: { search: '+++(' } }
      expect((await rpcClient(db).call('tag', 'findMany', { where })).status).toBe(400)
    })

    it('rejects a search without an index with 400', async () => {
      const where = { name: { search: 'a' } }
      expect((await rpcClient(db).call('category', 'findMany', { where })).status).toBe(400)
    })
  },
  { only: ['mysql'] },
)
