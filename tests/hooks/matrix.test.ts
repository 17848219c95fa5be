import { beforeEach, describe, expect, it } from 'vitest'

import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { dumpOf } from './support/dump.js'
import { NESTED_WAYS } from './support/nested-ways.js'
import { REST_WAYS } from './support/rest-ways.js'
import { RULE_MODES } from './support/rule-modes.js'
import { expectOrder, expectTold, writtenOf } from './support/told.js'
import { RPC_WAYS, type Way } from './support/ways.js'
import { fillWorkspace, recorder } from './support/workspace.js'

const STYLES: readonly (readonly [style: string, ways: readonly Way[]])[] = [
  ['RPC', RPC_WAYS],
  ['RPC, nested', NESTED_WAYS],
  ['REST', REST_WAYS],
]

describeDatabases(
  'hooks: each row that is written is told once',
  (db) => {
    const recorded = recorder()
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      recorded.clear()
    })
    for (const [rules, make] of RULE_MODES.filter(([what]) => isLong || what !== 'rules without conditions')) {
      describe.each(STYLES)(`${rules}: %s`, (_style, ways) => {
        it.each(ways)('%s', async (what, written, call) => {
          if (db.provider === 'mysql' && what.endsWith('AndReturn')) return
          const orm = make(db.orm)
          const first = await dumpOf(db.orm)
          const answer = await call({
            rest: fixtureClient({ orm, routes: db.routes }, { hooks: recorded.hooks }),
            rpc: fixtureRpc(db, { hooks: recorded.hooks }, orm),
          })
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
          const second = await dumpOf(db.orm)
          expect(writtenOf(first, second)).toEqual(written.toSorted())
          expectTold(recorded.told, first, second)
          expectOrder(recorded.told)
        })
      })
    }
  },
  { fixture: 'workspace' },
)
