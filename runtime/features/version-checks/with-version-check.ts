import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { RequestError } from '../../errors/request-error.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { claimRow } from '../../prisma/transactions/row-lock.js'
import { callClient } from '../../prisma/call-client.js'
import { nextRevision, type Version } from '../../schema/version-field.js'
import type { Model } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import type { Args } from '../../rpc/guard/argument-helpers.js'
import { selectFields } from '../../prisma/keys.js'
import type { WithVersionCheck, WriteCall } from '../../rpc/rpc-router.js'

type Run = NonNullable<PreparedRoute['run']>

/** See {@link WithVersionCheck}. */
export const withVersionCheck: WithVersionCheck = ({ orm, model, args }, run, dialect, lockableOf) => {
  const { version } = model
  const { where, data } = args
  if (!version || !isObject(where) || where[version.name] === undefined) return run
  const { [version.name]: expected, ...rest } = where
  const versionWhere = { [version.name]: expected }
  const isSimple = data !== undefined && dialect.provider !== 'mysql' && !hasRelations(model, data)
  const lockable = lockableOf(model.name)
  // A client with policies checks the whole `where` in the statement that writes the row. So does a call whose rows are locked.
  const isCheckedByStatement = isSimple || run !== undefined || policyCheckOf(orm) !== undefined || !lockable
  const runVersioned: Run = async (call) => {
    if (isCheckedByStatement) return run ? run(call) : call(orm, args)
    const { [version.name]: next = nextRevision(version), ...others } = isObject(data) ? data : {}
    return claimRow(
      { orm, model: lockable, where: rest, guard: versionWhere, data: { [version.name]: next } },
      (tx) => {
        return call(tx, { ...args, where: rest, ...(data !== undefined && { data: others }) })
      },
    )
  }
  return async (call) => {
    try {
      return await runVersioned(call)
    } catch (error) {
      throw (await isVersionConflict(error, { orm, model, args }, rest, versionWhere))
        ? versionConflictError(model, version)
        : error
    }
  }
}

function hasRelations({ relations }: Model, data: unknown): boolean {
  return isObject(data) && Object.keys(data).some((name) => relations.has(name))
}

/** Whether a row was not found because it has a different version. */
async function isVersionConflict(
  error: unknown,
  { orm, model }: WriteCall,
  where: Args,
  versionWhere: Args,
): Promise<boolean> {
  if (classifyDatabaseError(error) !== 'not-found') return false
  const rowExists = async (filter: Args) =>
    (await callClient(orm, model, 'findUnique', { where: filter, select: idSelect(model) })) !== null
  return (await rowExists(where)) && !(await rowExists({ ...where, ...versionWhere }))
}

function idSelect({ uniques, id }: Model): Record<string, true> {
  return selectFields(uniques.get(id) ?? [])
}

function versionConflictError({ name: model }: Model, { name }: Version): RequestError {
  const detail = `The version in where.${name} is out of date, because the ${model} has been changed. Read it again.`
  return new RequestError({ code: 'precondition-failed', detail, path: ['where', name] })
}
