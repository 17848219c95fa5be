import { expect } from 'vitest'

import { type Dump, idOf, type Row } from './dump.js'
import type { HookCall } from './workspace.js'

/**
 * What becomes of a database by what hooks were told: each row as it was shown after its write. Expects that each was shown as it was
 * before it.
 */
export function replayed(calls: readonly HookCall[], first: Dump): Dump {
  const tables = new Map([...first].map(([model, rows]) => [model, new Map(rows)]))
  for (const { hook, event } of calls) {
    const [model = '', kind = '', step] = hook.split('.')
    const rows = tables.get(model)
    if (step !== 'after' || !rows) continue
    const row = event['row'] as Row
    const before = (kind === 'update' ? event['before'] : row) as Row
    if (kind !== 'create') {
      expect(rows.get(idOf(model, before)), hook).toEqual(before)
      rows.delete(idOf(model, before))
    }
    if (kind !== 'delete') rows.set(idOf(model, row), row)
  }
  return tables
}

/** What was told at one step, in the order of it. */
export function getCallsAt(calls: readonly HookCall[], step: 'after' | 'afterCommit'): HookCall[] {
  return calls.filter(({ hook }) => hook.endsWith(`.${step}`))
}

/** Whether a row was written as it was: a key of its own, say, that leads where it led. */
export function isSame({ event }: HookCall): boolean {
  return JSON.stringify(event['before']) === JSON.stringify(event['row'])
}

/** The rows that were told, as `Comment.update 1`, and as two dumps show them: a row with another id is another row. */
export function getReportedRows(calls: readonly HookCall[]): string[] {
  return calls.flatMap(({ hook, event }) => {
    const [model = '', kind = ''] = hook.split('.')
    const [before, row] = [event['before'], event['row']] as [Row | undefined, Row]
    const id = idOf(model, row)
    if (!before || idOf(model, before) === id) return [`${model}.${kind} ${id}`]
    return [`${model}.delete ${idOf(model, before)}`, `${model}.create ${id}`]
  })
}
