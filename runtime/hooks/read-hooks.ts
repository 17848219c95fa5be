import type { PolicyModel, PolicySchema } from '../policy/schema.js'
import { isObject } from '../values/is-object.js'

/** A hook of any model: emitted code alone knows what it is told and gives. */
export type AnyHook = (event: object) => unknown

/** The hooks of one model that stand around writes of one kind, by name. */
export type NamedHooks = Readonly<Record<string, AnyHook>>

/** The hooks of one model, read. */
export interface ReadHooks {
  readonly where: AnyHook | undefined
  readonly create: NamedHooks
  readonly update: NamedHooks
  readonly delete: NamedHooks
  readonly updateMany: NamedHooks
  readonly deleteMany: NamedHooks
  /** By field. */
  readonly answer: NamedHooks
}

const MEMBERS = ['where', 'create', 'update', 'delete', 'answer']
const ROW = { create: ['before', 'after', 'afterCommit'], delete: ['before', 'update', 'after', 'afterCommit'] }

/**
 * Reads the hooks of an app.
 * @returns by the name of the model
 * @throws Error where one is for a model, an operation or a field that is not there, with the right names
 */
export function readHooks(schema: PolicySchema, hooks: object): ReadonlyMap<string, ReadHooks> {
  const read = new Map<string, ReadHooks>()
  for (const [name, given] of Object.entries(hooks)) {
    const model = schema.get(name)
    if (!model) throw new Error(`hooks: there is no model "${name}". The models are ${list(schema.keys())}.`)
    if (given !== undefined) read.set(name, readModel(model, given))
  }
  return read
}

function readModel(model: PolicyModel, given: unknown): ReadHooks {
  const at = `hooks.${model.name}`
  const hooks = membersOf(at, given, MEMBERS)
  const update = membersOf(`${at}.update`, hooks['update'], [...ROW.create, 'many'])
  const remove = membersOf(`${at}.delete`, hooks['delete'], [...ROW.delete, 'many'])
  const where = hooks['where']
  if (where !== undefined && !isHook(where)) throw notHook(`${at}.where`)
  const read: ReadHooks = {
    where,
    create: functionsOf(`${at}.create`, membersOf(`${at}.create`, hooks['create'], ROW.create)),
    update: functionsOf(`${at}.update`, without(update, 'many')),
    delete: functionsOf(`${at}.delete`, without(remove, 'many')),
    updateMany: functionsOf(`${at}.update.many`, membersOf(`${at}.update.many`, update['many'], ROW.create)),
    deleteMany: functionsOf(`${at}.delete.many`, membersOf(`${at}.delete.many`, remove['many'], ROW.delete)),
    answer: functionsOf(`${at}.answer`, membersOf(`${at}.answer`, hooks['answer'], maskable(model))),
  }
  requireSingle(`${at}.update`, read.update, read.updateMany)
  requireSingle(`${at}.delete`, read.delete, read.deleteMany)
  if (isAny(read.deleteMany) && 'update' in read.delete !== 'update' in read.deleteMany) {
    throw new Error(
      `${at}.delete: "update" is for single rows or for "many" alone. Rows are kept in both cases, or in none.`,
    )
  }
  return read
}

/** A set is told in place of its rows. Without hooks for a single row, that one would be told to nobody. */
function requireSingle(at: string, single: NamedHooks, many: NamedHooks): void {
  if (!isAny(many) || isAny(single)) return
  throw new Error(`${at}: beside "many", it needs hooks for a row that is written alone.`)
}

/** The fields that answers may show otherwise: nothing else depends on them. */
function maskable({ fields, keys }: PolicyModel): string[] {
  return [...fields]
    .filter(([name, { writeOnly, hidden }]) => !keys.has(name) && !writeOnly && !hidden)
    .map(([name]) => name)
}

function membersOf(at: string, value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (value === undefined) return {}
  if (!isObject(value)) throw new Error(`${at} must be an object.`)
  const wrong = Object.keys(value).find((name) => !known.includes(name))
  if (wrong !== undefined) throw new Error(`${at}: there is no "${wrong}" here, only ${list(known)}.`)
  return value
}

function functionsOf(at: string, members: Readonly<Record<string, unknown>>): NamedHooks {
  const hooks: Record<string, AnyHook> = {}
  for (const [name, hook] of Object.entries(members)) {
    if (hook === undefined) continue
    if (!isHook(hook)) throw notHook(`${at}.${name}`)
    hooks[name] = hook
  }
  return hooks
}

function without(members: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))
}

function isHook(value: unknown): value is AnyHook {
  return typeof value === 'function'
}

function notHook(at: string): Error {
  return new Error(`${at} must be a function.`)
}

/** Whether there is any hook among some. */
export function isAny(hooks: NamedHooks): boolean {
  return Object.keys(hooks).length > 0
}

function list(names: Iterable<string>): string {
  return [...names].join(', ')
}
