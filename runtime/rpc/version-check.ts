import { classifyDatabaseError } from '../errors/database-error.js'
import { RequestError } from '../errors/request-error.js'
import type { PreparedRoute } from '../http/execute-route.js'
import { policyCheckOf } from '../orm/allows.js'
import { claimRow } from '../orm/claim.js'
import type { Dialect } from '../orm/dialect.js'
import type { LockableOf } from '../orm/owner-locks.js'
import { callClient } from '../orm/client-port.js'
import { nextRevision, type Version } from '../schema/version.js'
import type { Model } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/arguments.js'
import { selectFields } from '../orm/select-fields.js'

type Run = NonNullable<PreparedRoute['run']>

/** An update or a delete of one row. */
interface Call {
  readonly orm: unknown
  readonly model: Model
  readonly args: Args
}

/**
 * Makes an update or a delete of a row whose `where` names a version, so that it is made of that version only: what has changed since is
 * 412, and told from what is not there.
 * @param run makes the call in another way than simply; undefined where it does not
 * @returns nothing where no version is named
 */
export function withVersionCheck(
  { orm, model, args }: Call,
  run: Run | undefined,
  dialect: Dialect,
  lockableOf: LockableOf,
): Pick<PreparedRoute, 'run'> {
  const { version } = model
  const { where, data } = args
  if (!version || !isObject(where) || where[version.name] === undefined) return run ? { run } : {}
  const { [version.name]: asked, ...rest } = where
  const more = { [version.name]: asked }
  const isSimple = data !== undefined && dialect.provider !== 'mysql' && !hasRelations(model, data)
  const lockable = lockableOf(model.name)
  // A client with policies looks at all of the `where` in the statement that changes the row, and so do locked rows.
  const isLooked = isSimple || run !== undefined || policyCheckOf(orm) !== undefined || !lockable
  const made: Run = async (call) => {
    if (isLooked) return run ? run(call) : call(orm, args)
    const { [version.name]: next = nextRevision(version), ...others } = isObject(data) ? data : {}
    return claimRow({ orm, model: lockable, where: rest, more, data: { [version.name]: next } }, (inside) => {
      return call(inside, { ...args, where: rest, ...(data !== undefined && { data: others }) })
    })
  }
  return {
    async run(call) {
      try {
        return await made(call)
      } catch (error) {
        throw (await isOther(error, { orm, model, args }, rest, more)) ? changed(model, version) : error
      }
    },
  }
}

function hasRelations({ relations }: Model, data: unknown): boolean {
  return isObject(data) && Object.keys(data).some((name) => relations.has(name))
}

/** Whether a row was not found because it is of another version. */
async function isOther(error: unknown, { orm, model }: Call, where: Args, more: Args): Promise<boolean> {
  if (classifyDatabaseError(error) !== 'not-found') return false
  const isThere = async (filter: Args) =>
    (await callClient(orm, model, 'findUnique', { where: filter, select: selectOf(model) })) !== null
  return (await isThere(where)) && !(await isThere({ ...where, ...more }))
}

function selectOf({ uniques, id }: Model): Record<string, true> {
  return selectFields(uniques.get(id) ?? [])
}

function changed({ name: model }: Model, { name }: Version): RequestError {
  const detail = `The ${model} is not of the version that where.${name} names: another change has come before. Read it again.`
  return new RequestError({ code: 'precondition-failed', detail, path: ['where', name] })
}
