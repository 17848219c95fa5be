import type { PolicyModel, PolicySchema } from '../policy/schema.js'
import { isObject } from '../values/is-object.js'

/** A hook of any model. Only the emitted code knows its event and return types. */
export type AnyHook = (event: object) => unknown

/** The hooks of one model for one kind of write, by name. Each list is in the order of the calls. */
export type NamedHooks = Readonly<Record<string, readonly AnyHook[]>>

/** The validated hooks of one model. */
export interface NormalizedHooks {
  readonly where: readonly AnyHook[]
  readonly create: NamedHooks
  readonly update: NamedHooks
  readonly delete: NamedHooks
  readonly updateMany: NamedHooks
  readonly deleteMany: NamedHooks
  /** Keyed by field. */
  readonly mask: NamedHooks
}

const MEMBERS = ['where', 'create', 'update', 'delete', 'mask']
const ROW = { create: ['before', 'after', 'afterCommit'], delete: ['before', 'replaceWith', 'after', 'afterCommit'] }

/** The key of hooks that apply to all models. */
const ALL = '$all'

/**
 * Validates the hooks of an app and groups them by model name.
 * @param sets the hooks, in the order in which they are called
 * @throws Error if a hook is for a model, operation or field that does not exist. The message lists the valid names
 */
export function normalizeHooks(schema: PolicySchema, sets: readonly object[]): ReadonlyMap<string, NormalizedHooks> {
  const read = new Map<string, NormalizedHooks>()
  const add = (model: PolicyModel, hooks: NormalizedHooks) => {
    const before = read.get(model.name)
    read.set(model.name, before ? joined(before, hooks) : hooks)
  }
  for (const hooks of sets) {
    const everywhere: unknown = Reflect.get(hooks, ALL)
    if (everywhere !== undefined) {
      membersOf(`hooks.${ALL}`, everywhere, ['create', 'update', 'delete'])
      for (const model of schema.values()) add(model, readModel(model, everywhere, ALL))
    }
    for (const [name, definition] of Object.entries(hooks)) {
      const model = schema.get(name)
      if (!model && name !== ALL)
        throw new Error(`hooks: there is no model "${name}". The models are ${list(schema.keys())}.`)
      if (model && definition !== undefined) add(model, readModel(model, definition, name))
    }
  }
  for (const [name, hooks] of read) checkModel(`hooks.${name}`, hooks)
  return read
}

function joined(a: NormalizedHooks, b: NormalizedHooks): NormalizedHooks {
  const both = (kind: Exclude<keyof NormalizedHooks, 'where'>): NamedHooks => {
    const names = new Set([...Object.keys(a[kind]), ...Object.keys(b[kind])])
    return Object.fromEntries([...names].map((name) => [name, [...(a[kind][name] ?? []), ...(b[kind][name] ?? [])]]))
  }
  return {
    where: [...a.where, ...b.where],
    create: both('create'),
    update: both('update'),
    delete: both('delete'),
    updateMany: both('updateMany'),
    deleteMany: both('deleteMany'),
    mask: both('mask'),
  }
}

function checkModel(at: string, hooks: NormalizedHooks): void {
  requireSingle(`${at}.update`, hooks.update, hooks.updateMany)
  requireSingle(`${at}.delete`, hooks.delete, hooks.deleteMany)
  const [single, many] = [hooks.delete['replaceWith'] ?? [], hooks.deleteMany['replaceWith'] ?? []]
  if (single.length > 1 || many.length > 1) {
    throw new Error(`${at}.delete: "replaceWith" is set twice. Keep one of them.`)
  }
  if (hasHooks(hooks.deleteMany) && single.length !== many.length) {
    throw new Error(`${at}.delete: "replaceWith" must be set both for single rows and for "many", or for neither.`)
  }
}

function readModel(model: PolicyModel, definition: unknown, name: string): NormalizedHooks {
  const at = `hooks.${name}`
  const hooks = membersOf(at, definition, MEMBERS)
  const update = membersOf(`${at}.update`, hooks['update'], [...ROW.create, 'many'])
  const remove = membersOf(`${at}.delete`, hooks['delete'], [...ROW.delete, 'many'])
  const where = hooks['where']
  if (where !== undefined && !isHook(where)) throw notHook(`${at}.where`)
  return {
    where: where === undefined ? [] : [where],
    create: functionsOf(`${at}.create`, membersOf(`${at}.create`, hooks['create'], ROW.create)),
    update: functionsOf(`${at}.update`, without(update, 'many')),
    delete: functionsOf(`${at}.delete`, without(remove, 'many')),
    updateMany: functionsOf(`${at}.update.many`, membersOf(`${at}.update.many`, update['many'], ROW.create)),
    deleteMany: functionsOf(`${at}.delete.many`, membersOf(`${at}.delete.many`, remove['many'], ROW.delete)),
    mask: functionsOf(`${at}.mask`, membersOf(`${at}.mask`, hooks['mask'], maskable(model))),
  }
}

/** Checks that a model with bulk hooks (`many`) also has row hooks. Otherwise writes of single rows would trigger no hooks. */
function requireSingle(at: string, single: NamedHooks, many: NamedHooks): void {
  if (!hasHooks(many) || hasHooks(single)) return
  throw new Error(`${at}: "many" also requires hooks for single rows.`)
}

/** Returns the fields that can be masked. Keys are excluded because related rows and locks depend on them. */
function maskable({ fields, keys }: PolicyModel): string[] {
  return [...fields]
    .filter(([name, { writeOnly, hidden }]) => !keys.has(name) && !writeOnly && !hidden)
    .map(([name]) => name)
}

function membersOf(at: string, value: unknown, allowed: readonly string[]): Readonly<Record<string, unknown>> {
  if (value === undefined) return {}
  if (!isObject(value)) throw new Error(`${at} must be an object.`)
  const wrong = Object.keys(value).find((name) => !allowed.includes(name))
  if (wrong !== undefined) throw new Error(`${at}: there is no "${wrong}" here, only ${list(allowed)}.`)
  return value
}

function functionsOf(at: string, members: Readonly<Record<string, unknown>>): NamedHooks {
  const hooks: Record<string, readonly AnyHook[]> = {}
  for (const [name, hook] of Object.entries(members)) {
    if (hook === undefined) continue
    if (!isHook(hook)) throw notHook(`${at}.${name}`)
    hooks[name] = [hook]
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

/** Whether there are any hooks. */
export function hasHooks(hooks: NamedHooks): boolean {
  return Object.keys(hooks).length > 0
}

function list(names: Iterable<string>): string {
  return [...names].join(', ')
}
