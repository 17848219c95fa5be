import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { type RandomWrite, randomWrites } from './support/arbitrary-writes.js'
import { differences, dumpOf } from './support/dump.js'
import { isSame, replayed, getReportedRows, getCallsAt } from './support/replay.js'
import { RULE_MODES } from './support/rule-modes.js'
import { writtenOf } from './support/hook-events.js'
import { fillWorkspace, recorder } from './support/workspace.js'

describeDatabases(
  'hooks: random writes',
  (db) => {
    const run = async (
      { model, operation, args }: RandomWrite,
      [, make]: (typeof RULE_MODES)[number],
      failAt?: number,
    ) => {
      await db.fill(fillWorkspace)
      const recorded = recorder(failAt === undefined ? {} : { failAt })
      const first = await dumpOf(db.orm)
      const response = await fixtureRpc(db, { hooks: recorded.hooks }, make(db.orm)).call(model, operation, args)
      return { first, second: await dumpOf(db.orm), calls: recorded.calls, response }
    }
    const modes = fc.constantFrom(...RULE_MODES)
    const ofStep = (calls: readonly { readonly hook: string }[], step: string) =>
      calls.filter(({ hook }) => hook.endsWith(`.${step}`)).length

    it('passes hooks exactly the rows that change', async () => {
      let written = 0
      await fc.assert(
        fc.asyncProperty(randomWrites(), modes, async (write, mode) => {
          const { first, second, calls, response } = await run(write, mode)
          const what = `${mode[0]}: ${JSON.stringify(write)} ${response.status} ${response.body.message}`
          if (response.status >= 300) {
            expect(response.status, what).toBeLessThan(500)
            expect(differences(first, second), what).toEqual([])
            expect(ofStep(calls, 'afterCommit'), what).toBe(0)
            return
          }
          expect(differences(replayed(calls, first), second), what).toEqual([])
          const rows = getReportedRows(getCallsAt(calls, 'after'))
          expect(getReportedRows(getCallsAt(calls, 'afterCommit')), what).toEqual(rows)
          expect(ofStep(calls, 'before'), what).toBe(getCallsAt(calls, 'after').length)
          // A row that a request writes twice is reported twice.
          if (new Set(rows.map((name) => name.replace(/\.\w+/, ''))).size < rows.length) return
          const changed = getCallsAt(calls, 'after').filter((one) => !isSame(one))
          expect(getReportedRows(changed).toSorted(), what).toEqual(writtenOf(first, second))
          written += changed.length
        }),
        { numRuns: runs(60), endOnFailure: true },
      )
      expect(written).toBeGreaterThan(runs(60) / 2)
    }, 300_000)

    it('rolls back and skips afterCommit if a hook throws', async () => {
      let failed = 0
      await fc.assert(
        fc.asyncProperty(randomWrites(), modes, fc.nat({ max: 5 }), async (write, mode, failAt) => {
          const { first, second, calls, response } = await run(write, mode, failAt)
          const what = `${mode[0]}: ${JSON.stringify(write)} ${response.status} ${response.body.message}`
          if (response.status < 300) {
            expect(ofStep(calls, 'before') + ofStep(calls, 'after'), what).toBeLessThanOrEqual(failAt)
            return
          }
          if (response.status === 500) failed += 1
          expect(differences(first, second), what).toEqual([])
          expect(ofStep(calls, 'afterCommit'), what).toBe(0)
        }),
        { numRuns: runs(60), endOnFailure: true },
      )
      expect(failed).toBeGreaterThan(runs(60) / 10)
    }, 300_000)
  },
  { fixture: 'workspace' },
)
