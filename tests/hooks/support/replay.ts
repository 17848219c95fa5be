import { expect } from 'vitest'

import { type Dump, idOf, type Row } from './dump.js'
import type { HookCall } from './workspace.js'

/**
 * Applies the rows that hooks received to a dump and returns the result. Expects that each hook received the row as it was
 * before its write.
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

/** Returns the calls of one step, in order. */
export function getCallsAt(calls: readonly HookCall[], step: 'after' | 'afterCommit'): HookCall[] {
  return calls.filter(({ hook }) => hook.endsWith(`.${step}`))
}

/** Whether a write did not change the row, for example because it set a foreign key to the same value. */
export function isSame({ event }: HookCall): boolean {
  return JSON.stringify(event['before']) === JSON.stringify(event['row'])
}

/**
 * Returns the rows that hooks received, for example `Comment.update 1`, in terms of two dumps: a row with a changed id is
 * another row.
 */
export function getReportedRows(calls: readonly HookCall[]): string[] {
  return calls.flatMap(({ hook, event }) => {
    const [model = '', kind = ''] = hook.split('.')
    const [before, row] = [event['before'], event['row']] as [Row | undefined, Row]
    const id = idOf(model, row)
    if (!before || idOf(model, before) === id) return [`${model}.${kind} ${id}`]
    return [`${model}.delete ${idOf(model, before)}`, `${model}.create ${id}`]
  })
}
