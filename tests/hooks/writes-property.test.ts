import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { type RandomWrite, randomWrites } from './support/arbitrary-writes.js'
import { differences, dumpOf } from './support/dump.js'
import { isSame, replayed, rowsTold, toldAt } from './support/replay.js'
import { RULE_MODES } from './support/rule-modes.js'
import { writtenOf } from './support/told.js'
import { fillWorkspace, recorder } from './support/workspace.js'

describeDatabases(
  'hooks: whatever is written is told, and nothing else',
  (db) => {
    const run = async (
      { model, operation, args }: RandomWrite,
      [, make]: (typeof RULE_MODES)[number],
      failAt?: number,
    ) => {
      await db.fill(fillWorkspace)
      const recorded = recorder(failAt === undefined ? {} : { failAt })
      const first = await dumpOf(db.orm)
      const answer = await fixtureRpc(db, { hooks: recorded.hooks }, make(db.orm)).call(model, operation, args)
      return { first, second: await dumpOf(db.orm), told: recorded.told, answer }
    }
    const modes = fc.constantFrom(...RULE_MODES)
    const ofStep = (told: readonly { readonly hook: string }[], step: string) =>
      told.filter(({ hook }) => hook.endsWith(`.${step}`)).length

    it('what hooks are told makes the second dump of the first', async () => {
      let written = 0
      await fc.assert(
        fc.asyncProperty(randomWrites(), modes, async (write, mode) => {
          const { first, second, told, answer } = await run(write, mode)
          const what = `${mode[0]}: ${JSON.stringify(write)} ${answer.status} ${answer.body.message}`
          if (answer.status >= 300) {
            expect(answer.status, what).toBeLessThan(500)
            expect(differences(first, second), what).toEqual([])
            expect(ofStep(told, 'afterCommit'), what).toBe(0)
            return
          }
          expect(differences(replayed(told, first), second), what).toEqual([])
          const rows = rowsTold(toldAt(told, 'after'))
          expect(rowsTold(toldAt(told, 'afterCommit')), what).toEqual(rows)
          expect(ofStep(told, 'before'), what).toBe(toldAt(told, 'after').length)
          // A row that a request writes twice is told twice.
          if (new Set(rows.map((name) => name.replace(/\.\w+/, ''))).size < rows.length) return
          const changed = toldAt(told, 'after').filter((one) => !isSame(one))
          expect(rowsTold(changed).toSorted(), what).toEqual(writtenOf(first, second))
          written += changed.length
        }),
        { numRuns: runs(60), endOnFailure: true },
      )
      expect(written).toBeGreaterThan(runs(60) / 2)
    }, 300_000)

    it('of a request in which a hook throws, nothing is left, and nothing is done later', async () => {
      let failed = 0
      await fc.assert(
        fc.asyncProperty(randomWrites(), modes, fc.nat({ max: 5 }), async (write, mode, failAt) => {
          const { first, second, told, answer } = await run(write, mode, failAt)
          const what = `${mode[0]}: ${JSON.stringify(write)} ${answer.status} ${answer.body.message}`
          if (answer.status < 300) {
            expect(ofStep(told, 'before') + ofStep(told, 'after'), what).toBeLessThanOrEqual(failAt)
            return
          }
          if (answer.status === 500) failed += 1
          expect(differences(first, second), what).toEqual([])
          expect(ofStep(told, 'afterCommit'), what).toBe(0)
        }),
        { numRuns: runs(60), endOnFailure: true },
      )
      expect(failed).toBeGreaterThan(runs(60) / 10)
    }, 300_000)
  },
  { fixture: 'workspace' },
)
