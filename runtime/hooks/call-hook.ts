import type { PolicyModel } from '../policy/schema.js'
import type { Tree } from '../policy/tree.js'
import { isObject } from '../values/is-object.js'
import type { AnyHook } from './read-hooks.js'

/** A hook that is called. */
export interface HookCall {
  /** Its name, as the app's author wrote it: `Post.create.before`. */
  readonly at: string
  readonly hook: AnyHook
  readonly event: object
}

export async function callHook(call: HookCall & { readonly gives: PolicyModel }): Promise<Tree>
export async function callHook(call: HookCall): Promise<unknown>
/**
 * Calls a hook.
 * @throws Error with the name of the hook where it gives no data though it must; else what it throws itself
 */
export async function callHook({
  at,
  hook,
  event,
  gives,
}: HookCall & { readonly gives?: PolicyModel }): Promise<unknown> {
  const given = await hook(event)
  return gives ? dataOf(at, gives, given) : given
}

function dataOf(at: string, { name, fields }: PolicyModel, given: unknown): Tree {
  if (!isObject(given)) throw new Error(`The hook ${at} gave no data: it must return what is to be written.`)
  const data = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const wrong = Object.keys(data).find((key) => !fields.has(key))
  if (wrong === undefined) return data
  throw new Error(`The hook ${at} gave "${wrong}", which is no field of ${name} with a column.`)
}
