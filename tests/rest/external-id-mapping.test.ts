import { expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fixtureClient } from './support/client.js'

describeDatabases(
  'REST: externalIdMapping',
  (db) => {
    it('throws if it names a nullable or unknown unique', async () => {
      const mapTo = (unique: string) => () => fixtureClient(db, { externalIdMapping: { NamedKey: unique } })
      expect(mapTo('cd')).toThrow(/"d" may be null/)
      expect(mapTo('code')).toThrow(/"code" may be null/)
      expect(mapTo('nope')).toThrow(/Unique keys: ab, .*email/)
      // Why: several rows may have the same values, but an id must identify one row.
      const twins = [1, 2].map((a) => ({ a, b: `${a}`, c: 5, d: null, email: `${a}` }))
      expect((await db.orm.namedKey.createMany({ data: twins })).count).toBe(2)
    })
  },
  { fixture: 'kitchen-sink' },
)
