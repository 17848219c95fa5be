import type { PolicyModel, PolicySchema } from '../policy/policy-schema.js'
import { definedEntries } from '../policy/args.js'
import { isObject } from '../values/is-object.js'

/** A hook of any model. Only the emitted code knows its event and return types. */
export type AnyHook = (event: object) => unknown

/** The hooks of one model for one kind of write, by name. Each list is in call order. */
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

const MODEL_KEYS = ['where', 'create', 'update', 'delete', 'mask']
const ROW = { create: ['before', 'after', 'afterCommit'], delete: ['before', 'replaceWith', 'after', 'afterCommit'] }

/** The key of hooks that apply to all models. */
const ALL = '$all'

/**
 * Validates the hooks of an app and groups them by model name.
 * @param sets the hooks, in the order in which they are called
 * @throws Error if a hook is for a model, operation or field that does not exist. The message lists the valid names
 */
export function normalizeHooks(schema: PolicySchema, sets: readonly object[]): ReadonlyMap<string, NormalizedHooks> {
  const normalized = new Map<string, NormalizedHooks>()
  const add = (model: PolicyModel, hooks: NormalizedHooks) => {
    const before = normalized.get(model.name)
    normalized.set(model.name, before ? mergeHooks(before, hooks) : hooks)
  }
  for (const hooks of sets) {
    const everywhere: unknown = Reflect.get(hooks, ALL)
    if (everywhere !== undefined) {
      parseEntries(`hooks.${ALL}`, everywhere, ['create', 'update', 'delete'])
      for (const model of schema.values()) add(model, parseModel(model, everywhere, ALL))
    }
    for (const [name, definition] of Object.entries(hooks)) {
      const model = schema.get(name)
      if (!model && name !== ALL)
        throw new Error(`hooks: unknown model "${name}". Models: ${joinNames(schema.keys())}.`)
      if (model && definition !== undefined) add(model, parseModel(model, definition, name))
    }
  }
  for (const [name, hooks] of normalized) assertConsistent(`hooks.${name}`, hooks)
  return normalized
}

function mergeHooks(a: NormalizedHooks, b: NormalizedHooks): NormalizedHooks {
  const merge = (kind: Exclude<keyof NormalizedHooks, 'where'>): NamedHooks => {
    const names = new Set([...Object.keys(a[kind]), ...Object.keys(b[kind])])
    return namedHooks([...names].map((name) => [name, [...(a[kind][name] ?? []), ...(b[kind][name] ?? [])]]))
  }
  return {
    where: [...a.where, ...b.where],
    create: merge('create'),
    update: merge('update'),
    delete: merge('delete'),
    updateMany: merge('updateMany'),
    deleteMany: merge('deleteMany'),
    mask: merge('mask'),
  }
}

function assertConsistent(path: string, hooks: NormalizedHooks): void {
  assertRowHooks(`${path}.update`, hooks.update, hooks.updateMany)
  assertRowHooks(`${path}.delete`, hooks.delete, hooks.deleteMany)
  const [single, bulk] = [hooks.delete['replaceWith'] ?? [], hooks.deleteMany['replaceWith'] ?? []]
  if (single.length > 1 || bulk.length > 1) {
    throw new Error(`${path}.delete: "replaceWith" is set twice. Keep one of them.`)
  }
  if (hasHooks(hooks.deleteMany) && single.length !== bulk.length) {
    throw new Error(`${path}.delete: "replaceWith" must be set both for single rows and for "many", or for neither.`)
  }
}

function parseModel(model: PolicyModel, definition: unknown, name: string): NormalizedHooks {
  const path = `hooks.${name}`
  const hooks = parseEntries(path, definition, MODEL_KEYS)
  const update = parseEntries(`${path}.update`, hooks['update'], [...ROW.create, 'many'])
  const remove = parseEntries(`${path}.delete`, hooks['delete'], [...ROW.delete, 'many'])
  const where = hooks['where']
  if (where !== undefined && !isHook(where)) throw notFunctionError(`${path}.where`)
  return {
    where: where === undefined ? [] : [where],
    create: toHooks(`${path}.create`, parseEntries(`${path}.create`, hooks['create'], ROW.create)),
    update: toHooks(`${path}.update`, omitMany(update)),
    delete: toHooks(`${path}.delete`, omitMany(remove)),
    updateMany: toHooks(`${path}.update.many`, parseEntries(`${path}.update.many`, update['many'], ROW.create)),
    deleteMany: toHooks(`${path}.delete.many`, parseEntries(`${path}.delete.many`, remove['many'], ROW.delete)),
    mask: toHooks(
      `${path}.mask`,
      parseEntries(`${path}.mask`, hooks['mask'], getMaskableFields(model), ' Ids and foreign keys cannot be masked.'),
    ),
  }
}

/** Checks that a model with bulk hooks (`many`) also has row hooks. Otherwise writes of single rows would trigger no hooks. */
function assertRowHooks(path: string, single: NamedHooks, many: NamedHooks): void {
  if (!hasHooks(many) || hasHooks(single)) return
  throw new Error(`${path}: "many" also requires hooks for single rows.`)
}

/** Returns the fields that can be masked. Keys are excluded because related rows and locks depend on them. */
function getMaskableFields({ fields, keys }: PolicyModel): string[] {
  return [...fields]
    .filter(([name, { writeOnly, hidden }]) => !keys.has(name) && !writeOnly && !hidden)
    .map(([name]) => name)
}

/** @param reason why some keys are not allowed, as a sentence after a space */
function parseEntries(
  path: string,
  value: unknown,
  allowed: readonly string[],
  reason = '',
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {}
  if (!isObject(value)) throw new Error(`${path} must be an object.`)
  const unexpected = Object.keys(value).find((name) => !allowed.includes(name))
  if (unexpected !== undefined)
    throw new Error(`${path}: unknown key "${unexpected}".${reason} Available: ${joinNames(allowed)}.`)
  return value
}

/** Returns an object without a prototype. Otherwise, a field named `constructor` would seem to have a mask. */
function namedHooks(entries: Iterable<readonly [string, readonly AnyHook[]]>): NamedHooks {
  return Object.assign<Record<string, readonly AnyHook[]>, NamedHooks>(Object.create(null), Object.fromEntries(entries))
}

function toHooks(path: string, entries: Readonly<Record<string, unknown>>): NamedHooks {
  const hooks = definedEntries(entries).map(([name, hook]): [string, readonly AnyHook[]] => {
    if (!isHook(hook)) throw notFunctionError(`${path}.${name}`)
    return [name, [hook]]
  })
  return namedHooks(hooks)
}

function omitMany({ many: _many, ...entries }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return entries
}

function isHook(value: unknown): value is AnyHook {
  return typeof value === 'function'
}

function notFunctionError(path: string): Error {
  return new Error(`${path} must be a function.`)
}

/** Whether there are any hooks. */
export function hasHooks(hooks: NamedHooks): boolean {
  return Object.keys(hooks).length > 0
}

function joinNames(names: Iterable<string>): string {
  return [...names].join(', ')
}
