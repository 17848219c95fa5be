import { expect } from 'vitest'

import type { Difference, Dump, Row } from './dump.js'
import { differences, idOf } from './dump.js'
import type { HookCall } from './workspace.js'

const ORDER = ['before', 'after', 'afterCommit']

/** What was written, as `Document.update 1`. */
export function writtenOf(first: Dump, second: Dump): string[] {
  return differences(first, second).map(nameOf).toSorted()
}

function nameOf({ model, kind, id }: Difference): string {
  return `${model}.${kind} ${id}`
}

/**
 * Expects that each row that differs between two dumps was told once to each of the three hooks of a write, and no other row; and
 * that hooks were given the rows as they are in the dumps.
 */
export function expectCalls(calls: readonly HookCall[], first: Dump, second: Dump): void {
  const written = differences(first, second)
  const byName = new Map(written.map((one) => [nameOf(one), one]))
  const names = [...byName.keys()].toSorted()
  for (const step of ORDER.slice(1)) expect(namesOf(calls, step), step).toEqual(names)
  // The database gives a new row its id later than hooks are asked for its data.
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

/** The rows that a hook was told of, as {@link writtenOf} names them. */
function namesOf(calls: readonly HookCall[], step: string): string[] {
  return calls
    .filter(({ hook }) => hook.endsWith(`.${step}`))
    .map((one) => getCallName(one, step === 'before'))
    .toSorted()
}

function getCallName({ hook, event }: HookCall, isBefore: boolean): string {
  const [model = '', kind = ''] = hook.split('.')
  const row = event['row'] as Row | undefined
  // A row whose id is changed is told by the one that it has.
  return isBefore && kind === 'create' ? `${model}.create` : `${model}.${kind} ${row ? idOf(model, row) : ''}`
}

function expectCreated(model: string, data: unknown, written: readonly Difference[]): void {
  const rows = written.filter((one) => one.model === model && one.kind === 'create').map(({ row }) => row)
  expect(rows, `${model}.create.before`).toContainEqual(expect.objectContaining(Object(data)))
}

/** Expects of a request that all that waits for the commit was told when everything was written. */
export function expectOrder(calls: readonly HookCall[]): void {
  const first = calls.findIndex(({ hook }) => hook.endsWith('.afterCommit'))
  if (first >= 0) expect(calls.slice(first).every(({ hook }) => hook.endsWith('.afterCommit'))).toBe(true)
}
