import { expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fixtureClient } from './support/client.js'

describeDatabases(
  'REST: full-text search on PostgreSQL',
  (db) => {
    it('supports cursors with another sort', async () => {
      const words = { near: 'fox fox', far: 'a fox', both: 'a fox and a hen', none: 'hen' }
      const data = Object.entries(words).map(([code, label]) => ({ code, label }))
      await db.orm.uniqueOnly.createMany({ data })
      const rest = fixtureClient(db)
      const response = await rest.get('/uniqueonly?fullText[label]=fox&sort=code&page[after]=&page[size]=2')
      expect(response.ids).toEqual(['both', 'far'])
      const next = String(response.body.links?.['next'])
      expect((await rest.follow(next)).ids).toEqual(['near'])
      expect((await rest.follow(next.replace('=fox', '=hen'))).status).toBe(400)
    })
  },
  { fixture: 'kitchen-sink', only: ['postgresql'] },
)
