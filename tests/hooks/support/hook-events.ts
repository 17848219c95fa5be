import { expect } from 'vitest'

import type { Difference, Dump, Row } from './dump.js'
import { differences, idOf } from './dump.js'
import type { HookCall } from './workspace.js'

const ORDER = ['before', 'after', 'afterCommit']

/** Formats the written rows, for example `Document.update 1`. */
export function writtenOf(first: Dump, second: Dump): string[] {
  return differences(first, second).map(nameOf).toSorted()
}

function nameOf({ model, kind, id }: Difference): string {
  return `${model}.${kind} ${id}`
}

/**
 * Expects that each row that differs between two dumps was passed once to each of the three hooks of its write, that no
 * other row was, and that the hooks received the rows as they are in the dumps.
 */
export function expectCalls(calls: readonly HookCall[], first: Dump, second: Dump): void {
  const written = differences(first, second)
  const byName = new Map(written.map((one) => [nameOf(one), one]))
  const names = [...byName.keys()].toSorted()
  for (const step of ORDER.slice(1)) expect(namesOf(calls, step), step).toEqual(names)
  // Hooks supply the data of a new row before the database assigns its id.
  const withoutNewId = (name: string) => name.replace(/(\.create) .*/, '$1')
  expect(namesOf(calls, 'before'), 'before').toEqual(names.map(withoutNewId).toSorted())
  for (const one of calls) {
    const { event } = one
    const [model = '', kind = '', step = ''] = one.hook.split('.')
    const name = getCallName(one, false)
    const difference = byName.get(name)
    if (step === 'before') {
      if (kind === 'create') expectCreated(model, event['data'], written)
      else expect(event['row'], one.hook).toEqual(difference?.before)
      if (kind === 'update') expect(difference?.row, one.hook).toMatchObject(Object(event['data']))
    } else {
      expect(event['row'], one.hook).toEqual(kind === 'delete' ? difference?.before : difference?.row)
      if (kind === 'update') expect(event['before'], one.hook).toEqual(difference?.before)
    }
  }
}

/** Returns the rows that a hook received, in the format of {@link writtenOf}. */
function namesOf(calls: readonly HookCall[], step: string): string[] {
  return calls
    .filter(({ hook }) => hook.endsWith(`.${step}`))
    .map((one) => getCallName(one, step === 'before'))
    .toSorted()
}

function getCallName({ hook, event }: HookCall, isBefore: boolean): string {
  const [model = '', kind = ''] = hook.split('.')
  const row = event['row'] as Row | undefined
  // If a write changes the id, each hook is listed with the id that the row has at that moment.
  return isBefore && kind === 'create' ? `${model}.create` : `${model}.${kind} ${row ? idOf(model, row) : ''}`
}

function expectCreated(model: string, data: unknown, written: readonly Difference[]): void {
  const rows = written.filter((one) => one.model === model && one.kind === 'create').map(({ row }) => row)
  expect(rows, `${model}.create.before`).toContainEqual(expect.objectContaining(Object(data)))
}

/** Expects that the `afterCommit` hooks of a request ran after all other hooks. */
export function expectOrder(calls: readonly HookCall[]): void {
  const first = calls.findIndex(({ hook }) => hook.endsWith('.afterCommit'))
  if (first >= 0) expect(calls.slice(first).every(({ hook }) => hook.endsWith('.afterCommit'))).toBe(true)
}
