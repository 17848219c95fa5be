import { ChangedRowError, MissingRowError } from '../../errors/policy-error.js'
import { supportsRowLocks } from '../../orm/row-lock.js'
import { callClient, PROVIDER } from '../../orm/client-port.js'
import type { Field } from '../../schema/resource.js'
import { type Condition, restrict } from '../rules/condition.js'
import { idFilter } from '../read/redaction.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import { writeSelect, type WriteContext } from './write-context.js'

/** How often a row is looked at again that other transactions keep changing. */
const LOOKS = 3

/**
 * Holds a row until the transaction ends, before an app is told of it: what the app decides by the row, it decides by what the row
 * is when it is written. Whoever changes a row locks it, so its id is set to what it is, if all else still is what was found.
 * @param row all of it, as it was found
 * @returns the row as it is now
 * @throws ChangedRowError where another transaction changed it, and this one cannot see how; MissingRowError where it is not there
 *   any more for the caller
 */
export async function lockAndReload(writing: WriteContext, model: PolicyModel, row: Args): Promise<Args> {
  const { client, foundBy } = writing
  const provider: unknown = Reflect.get(client, PROVIDER)
  if (typeof provider !== 'string' || !supportsRowLocks({ provider })) return row
  const { id, stamps } = model.locking
  const byId = idFilter(model, row)
  const guard = foundBy.get(row) ?? true
  let seen = row
  for (let look = 0; look < LOOKS; look++) {
    const data = Object.fromEntries([...id, ...stamps].map((name) => [name, seen[name]]))
    const where = { ...byId, AND: sameAs(model, seen) }
    const isHeld = (await callClient(client, model, 'updateMany', { where, data })).count > 0
    if (isHeld && !hasOthers(model)) return seen
    const select = writeSelect(writing, model)
    const now = await callClient(client, model, 'findFirst', { where: restrict(model, byId, [guard]), select })
    if (!now) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
    // It was held before it was read, so it is what it is.
    if (isHeld) return kept(foundBy, now, guard)
    // A transaction of MySQL's keeps to what it first saw.
    if (isSame(model, seen, now)) break
    seen = kept(foundBy, now, guard)
  }
  throw new ChangedRowError(model.name)
}

function kept(foundBy: WriteContext['foundBy'], row: Args, guard: Condition): Args {
  if (typeof guard !== 'boolean') foundBy.set(row, guard)
  return row
}

/** What tells that a row still is what it was, as far as a database can compare it without fail. */
function sameAs({ fields }: PolicyModel, row: Args): Args[] {
  return [...fields].flatMap(([name, field]): Args[] => {
    const value = row[name]
    if (value === undefined || field.list || field.type === 'Json') return []
    if (value === null) return [{ [name]: null }]
    if (COMPARED.includes(field.type)) return [{ [name]: value }]
    // A column may hold more of a moment than a Date does.
    if (!(value instanceof Date)) return []
    return [{ [name]: { gte: value, lt: new Date(value.getTime() + 1) } }]
  })
}

const COMPARED: readonly Field['type'][] = ['String', 'Boolean', 'Int', 'BigInt', 'Enum', 'Decimal', 'Bytes']

/** Whether a model has columns that a database cannot compare without fail: numbers that it rounds, Json, lists. */
function hasOthers({ fields }: PolicyModel): boolean {
  return [...fields.values()].some(({ type, list }) => list || type === 'Json' || type === 'Float')
}

function isSame(model: PolicyModel, one: Args, other: Args): boolean {
  return textOf(sameAs(model, one)) === textOf(sameAs(model, other))
}

function textOf(conditions: readonly Args[]): string {
  return JSON.stringify(conditions, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}
