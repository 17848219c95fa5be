import { beforeEach, describe, expect, it } from 'vitest'

import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { dumpOf } from './support/dump.js'
import { NESTED_WAYS } from './support/nested-write-paths.js'
import { REST_WAYS } from './support/rest-write-paths.js'
import { RULE_MODES } from './support/rule-modes.js'
import { expectOrder, expectCalls, writtenOf } from './support/hook-events.js'
import { RPC_WAYS, type Way } from './support/write-paths.js'
import { fillWorkspace, recorder } from './support/workspace.js'

const STYLES: readonly (readonly [style: string, ways: readonly Way[]])[] = [
  ['RPC', RPC_WAYS],
  ['RPC, nested', NESTED_WAYS],
  ['REST', REST_WAYS],
]

describeDatabases(
  'hooks: calls per written row',
  (db) => {
    const recorded = recorder()
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      recorded.clear()
    })
    for (const [rules, make] of RULE_MODES.filter(([what]) => isLong || what !== 'rules without conditions')) {
      describe.each(STYLES)(`${rules}: %s`, (_style, ways) => {
        it.each(ways)('%s: calls hooks once per written row', async (what, written, call) => {
          if (db.provider === 'mysql' && what.endsWith('AndReturn')) return
          const orm = make(db.orm)
          const first = await dumpOf(db.orm)
          const response = await call({
            rest: fixtureClient({ orm, routes: db.routes }, { hooks: recorded.hooks }),
            rpc: fixtureRpc(db, { hooks: recorded.hooks }, orm),
          })
          expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
          const second = await dumpOf(db.orm)
          expect(writtenOf(first, second)).toEqual(written.toSorted())
          expectCalls(recorded.calls, first, second)
          expectOrder(recorded.calls)
        })
      })
    }
  },
  { fixture: 'workspace' },
)
