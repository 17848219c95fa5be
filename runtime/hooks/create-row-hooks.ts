import { writeLog } from '../errors/logging.js'
import { type ErrorDetail, mapErrors, RequestError } from '../errors/request-error.js'
import type { Args } from '../policy/args.js'
import type { PolicyModel } from '../policy/policy-schema.js'
import type { RowHooks, WriteContext } from '../policy/write/write-context.js'
import { isRequiredOnCreate } from '../schema/model.js'
import { isObject } from '../values/is-object.js'
import { MISSING } from '../values/value-error.js'
import type { CompiledHooks, HookSession } from './compile-hooks.js'
import type { AnyHook, NamedHooks } from './normalize-hooks.js'

/** A client call, with the state that the hooks of its writes need. */
export interface HookInvocation {
  readonly session: HookSession
  /** The operation of the call. */
  readonly operation: string
  /** The client that hooks receive, inside the call's transaction. */
  readonly client: object
  /** The number of hooks that the call is nested in. */
  readonly depth: number
  /** Registers a hook to be called after the transaction is committed. */
  defer(hook: DeferredHook): void
  /** Called before each hook. */
  onInvoke(): void
}

/** A hook to be called after the commit. */
export interface DeferredHook {
  /** The hook's name in the app's code: `Post.create.afterCommit`. */
  readonly name: string
  call(): unknown
}

/** A write that calls hooks, with the part of the event that all of them receive. */
interface HookedWrite {
  readonly event: object
  readonly writeContext: WriteContext
}

/** Creates the {@link RowHooks} of one call from the app's hooks. */
export function createRowHooks(
  plan: CompiledHooks,
  { session, operation, client, depth, defer, onInvoke }: HookInvocation,
): RowHooks {
  const getNamedHooks = (model: PolicyModel, kind: 'create' | 'update' | 'delete' | 'updateMany' | 'deleteMany') =>
    plan.getHooks(model)?.[kind] ?? {}
  // Hooks receive copies, because the rules compare the original data and row with the data that hooks return. Otherwise, a change in place
  // would go unnoticed.
  const createWrite = (
    writeContext: WriteContext,
    { name }: PolicyModel,
    details: Readonly<Record<string, unknown>>,
  ): HookedWrite => {
    const { path } = writeContext
    const copies = Object.entries(details).map(([key, value]) => [key, isObject(value) ? { ...value } : value])
    const event = { ...session.event, model: name, operation, path, ...Object.fromEntries(copies) }
    return { event, writeContext }
  }
  const invoke = async ({ writeContext }: HookedWrite, hook: () => unknown): Promise<unknown> => {
    onInvoke()
    try {
      return await hook()
    } catch (error) {
      throw locateHookError(error, writeContext, { session, depth })
    }
  }
  const runBeforeHooks = async (hooks: NamedHooks, write: HookedWrite) => {
    for (const hook of hooks['before'] ?? []) await invoke(write, () => hook({ ...write.event, client }))
  }
  const transformData = async (
    hookName: string,
    model: PolicyModel,
    hooks: readonly AnyHook[] | undefined,
    write: HookedWrite,
    data: Args,
  ) => {
    let current = { ...data }
    for (const hook of hooks ?? []) {
      const result = await invoke(write, () => hook({ ...write.event, data: current, client }))
      current = validateHookData(hookName, model, result)
    }
    return current
  }
  const transformUpdate = async (...[hookName, model, hooks, write, data]: Parameters<typeof transformData>) => {
    const version = model.version?.name
    const values = unwrapSet(model, data)
    if (version === undefined) return transformData(hookName, model, hooks, write, values)
    // Hooks cannot set the version, not even by changing an increment in place.
    const copy = { ...values, ...(Object.hasOwn(data, version) && { [version]: structuredClone(data[version]) }) }
    const { [version]: _, ...others } = await transformData(hookName, model, hooks, write, copy)
    return Object.hasOwn(data, version) ? { ...others, [version]: data[version] } : others
  }
  const runAfterHooks = async (hookName: string, hooks: NamedHooks, write: HookedWrite) => {
    const { event } = write
    for (const hook of hooks['after'] ?? []) await invoke(write, () => hook({ ...event, client }))
    for (const hook of hooks['afterCommit'] ?? []) defer({ name: `${hookName}.afterCommit`, call: () => hook(event) })
  }
  return {
    hasRowHooks: plan.hasRowHooks,
    hasBulkHooks: plan.hasBulkHooks,
    triggersHooks: plan.triggersHooks,
    replacesDelete: plan.replacesDelete,
    cascades: plan.cascades,
    referencedFields: plan.referencedFields,
    async beforeCreate(writeContext, model, data) {
      const { before } = getNamedHooks(model, 'create')
      if (!before) return data
      const write = createWrite(writeContext, model, {})
      const transformed = await transformData(`${model.name}.create.before`, model, before, write, data)
      await invoke(write, () => assertRequiredFields(model, transformed))
      return transformed
    },
    afterCreate: (writeContext, model, row) =>
      runAfterHooks(`${model.name}.create`, getNamedHooks(model, 'create'), createWrite(writeContext, model, { row })),
    beforeUpdate: (writeContext, model, row, data) => {
      const write = createWrite(writeContext, model, { row })
      return transformUpdate(
        `${model.name}.update.before`,
        model,
        getNamedHooks(model, 'update')['before'],
        write,
        data,
      )
    },
    afterUpdate: (writeContext, model, before, row) => {
      return runAfterHooks(
        `${model.name}.update`,
        getNamedHooks(model, 'update'),
        createWrite(writeContext, model, { before, row }),
      )
    },
    async beforeDelete(writeContext, model, row) {
      const hooks = getNamedHooks(model, 'delete')
      const write = createWrite(writeContext, model, { row })
      await runBeforeHooks(hooks, write)
      return (
        hooks['replaceWith'] &&
        transformUpdate(`${model.name}.delete.replaceWith`, model, hooks['replaceWith'], write, {})
      )
    },
    afterDelete: (writeContext, model, row) =>
      runAfterHooks(`${model.name}.delete`, getNamedHooks(model, 'delete'), createWrite(writeContext, model, { row })),
    beforeUpdateMany: (writeContext, model, where, data) => {
      const write = createWrite(writeContext, model, { where })
      return transformUpdate(
        `${model.name}.update.many.before`,
        model,
        getNamedHooks(model, 'updateMany')['before'],
        write,
        data,
      )
    },
    afterUpdateMany: (writeContext, model, where, data, count) => {
      return runAfterHooks(
        `${model.name}.update.many`,
        getNamedHooks(model, 'updateMany'),
        createWrite(writeContext, model, { where, data, count }),
      )
    },
    async beforeDeleteMany(writeContext, model, where) {
      const hooks = getNamedHooks(model, 'deleteMany')
      const write = createWrite(writeContext, model, { where })
      await runBeforeHooks(hooks, write)
      return (
        hooks['replaceWith'] &&
        transformUpdate(`${model.name}.delete.many.replaceWith`, model, hooks['replaceWith'], write, {})
      )
    },
    afterDeleteMany: (writeContext, model, where, count) => {
      return runAfterHooks(
        `${model.name}.delete.many`,
        getNamedHooks(model, 'deleteMany'),
        createWrite(writeContext, model, { where, count }),
      )
    },
  }
}

/**
 * Replaces `{ set: value }` with the value, so that hooks always receive the plain value. Json fields are left unchanged, because an object
 * with the key `set` can be a regular value of such a field.
 */
function unwrapSet({ fields }: PolicyModel, data: Args): Args {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const field = fields.get(name)
      const isWrapped = isObject(value) && 'set' in value && Object.keys(value).length === 1
      return [name, isWrapped && field && field.type !== 'Json' && !field.list ? value['set'] : value]
    }),
  )
}

/**
 * Checks that the data of a new row contains all required fields that the caller can set. Must run after the hooks, which may fill them in.
 * @throws RequestError 422 if a field is missing
 */
function assertRequiredFields({ fields }: PolicyModel, data: Args): void {
  const missing = [...fields].filter(([name, field]) => {
    return !Object.hasOwn(data, name) && isRequiredOnCreate(field) && !field.hidden && !field.readOnly
  })
  const [first, ...others] = missing.map(([name]): ErrorDetail => ({
    ...MISSING,
    code: 'missing-attribute',
    detail: `"${name}" is required.`,
    field: name,
  }))
  if (first) throw new RequestError([first, ...others])
}

/**
 * Validates the data that a hook returned, and removes undefined values.
 * @param hookName the hook's name in the app's code: `Post.create.before`
 * @throws Error with the name of the hook if the result is not an object or contains a key that is not a column
 */
function validateHookData(hookName: string, { name, fields }: PolicyModel, result: unknown): Args {
  if (!isObject(result)) throw new Error(`The hook ${hookName} must return the data to write.`)
  const data = Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
  const unknown = Object.keys(data).find((key) => !fields.has(key))
  if (unknown === undefined) return data
  throw new Error(`The hook ${hookName} returned "${unknown}", which is not a column of ${name}.`)
}

/**
 * Adds the position in the request to an error thrown by a hook. Errors about the outermost row keep their `field`, which REST and RPC
 * convert to a location. For the rows of an upsert and for nested rows, the field becomes a path in RPC. Otherwise it is removed. Writes made
 * by hooks have no position in the request.
 */
function locateHookError(
  error: unknown,
  { argument, path }: WriteContext,
  { session, depth }: Pick<HookInvocation, 'session' | 'depth'>,
): unknown {
  const isRpc = session.event.style === 'rpc'
  const keepsField = depth === 0 && path.length === 0 && (argument === 'data' || !isRpc)
  if (keepsField || !(error instanceof RequestError)) return error
  return mapErrors(error, ({ field, ...errorDetail }) =>
    field !== undefined && isRpc && depth === 0 ? { path: [argument, ...path, field], ...errorDetail } : errorDetail,
  )
}

/**
 * Calls the deferred hooks of a committed transaction, in the order of the writes. If a hook fails, the error is logged, and the remaining
 * hooks are still called.
 */
export async function runAfterCommit(deferred: readonly DeferredHook[], { log }: HookSession): Promise<void> {
  for (const { name, call } of deferred) {
    try {
      await call()
    } catch (error) {
      writeLog({ log }, `[routewright] the hook ${name} failed:`, error)
    }
  }
}
