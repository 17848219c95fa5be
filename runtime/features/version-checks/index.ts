import type { Feature } from '../../http/feature.js'
import { rpcFeature } from '../../rpc/rpc-features.js'
import { idFields, type Model, type VersionChecks } from '../../schema/model.js'
import { nextRevision, type Version } from '../../schema/version-field.js'
import { type Args, childPath, invalidArguments, type Path, pathKeys } from '../../rpc/guard/argument-helpers.js'
import { isObject } from '../../values/is-object.js'
import { isRowMissing } from '../../errors/database/classify-database-error.js'
import { RequestError } from '../../errors/request-error.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { claimRow } from '../../prisma/transactions/row-lock.js'
import { callClient } from '../../prisma/call-client.js'
import { selectFields } from '../../prisma/keys.js'
import type { VersionedRow, VersionedWrites, VersionState } from '../../rpc/rpc-router.js'

/**
 * Enables versions in RPC writes: the version in `where` is checked, and every write sets the next one.
 * Called by the emitted `index.ts`.
 */
export function versionChecks(): Feature<'conditionalRequests'> {
  return rpcFeature('conditionalRequests', {
    createVersionChecks,
    withVersionCheck,
    compareVersion,
    versionConflictError,
  })
}

/** Creates the checks of a model's version in the arguments of writes. */
function createVersionChecks(model: string, version: Version): VersionChecks {
  const { name, isRequired } = version
  return {
    assertVersion(where, path) {
      const versionPath = childPath(path, name)
      if (isObject(where) && isDeeper(name, where)) {
        invalidArguments(
          'invalid-arguments',
          `${versionPath} must be directly in ${path}, not inside AND, OR or NOT.`,
          versionPath,
        )
      }
      if (!isRequired || comparesVersion(name, where)) return
      const detail = `${versionPath} is required. It must be the version received when the ${model} was read.`
      invalidArguments('precondition-required', detail, versionPath)
    },
    rejectNested(where, path) {
      const isNamed = isObject(where) && (Object.hasOwn(where, name) || isDeeper(name, where))
      if (!isNamed && !isRequired) return
      const detail = `${path}: nested writes cannot compare the version of a ${model}. Use a separate operation.`
      invalidArguments(isRequired ? 'precondition-required' : 'invalid-arguments', detail, path)
    },
    rejectWithLimit(where, limit) {
      if (limit === undefined || !isObject(where) || where[name] === undefined) return
      invalidArguments('invalid-arguments', `limit cannot be combined with where.${name}.`, 'limit')
    },
    rejectUpsert(where, path) {
      if (!(isRequired || (isObject(where) && where[name] !== undefined))) return
      const detail = `${path === '' ? 'upsert' : path} cannot compare the version of a ${model}. Use create, or use update with the version in "where".`
      invalidArguments(isRequired ? 'precondition-required' : 'invalid-arguments', detail, path)
    },
    bump: (where) => ({ [name]: nextRevision(version, isObject(where) ? listTimes(where[name]) : []) }),
  }
}

/** Whether a filter contains a field inside `AND`, `OR` or `NOT`. */
function isDeeper(name: string, where: Args): boolean {
  return ['AND', 'OR', 'NOT'].some((combinator) => {
    const parts = where[combinator]
    return [parts].flat().some((part) => {
      return isObject(part) && (part[name] !== undefined || isDeeper(name, part))
    })
  })
}

/** Whether a filter compares a field with a value, possibly among other conditions. */
function comparesVersion(name: string, where: unknown): boolean {
  if (!isObject(where)) return false
  const value = where[name]
  if (isObject(value)) return value['equals'] !== undefined || Array.isArray(value['in'])
  return value !== undefined
}

function listTimes(filter: unknown): readonly unknown[] {
  return isObject(filter) ? Object.values(filter).flat() : [filter]
}

type Run = NonNullable<PreparedRoute['run']>

/** See {@link VersionedWrites}. */
const withVersionCheck: VersionedWrites['withVersionCheck'] = ({ orm, model, args }, run, dialect, lockableOf) => {
  const { version } = model
  const { where, data } = args
  if (!version || !isObject(where) || where[version.name] === undefined) return run
  const { [version.name]: expected, ...rest } = where
  const versionWhere = { [version.name]: expected }
  const isSimple = data !== undefined && dialect.provider !== 'mysql' && !hasRelations(model, data)
  const lockable = lockableOf(model.name)
  // A client with policies checks the whole `where` in the statement that writes the row. So does a call whose rows are locked.
  const isCheckedByStatement = isSimple || run !== undefined || policyCheckOf(orm) !== undefined || !lockable
  const runVersioned: Run = async (call, client) => {
    if (isCheckedByStatement) return run ? run(call, client) : call(client, args)
    const { [version.name]: next = nextRevision(version), ...others } = isObject(data) ? data : {}
    return claimRow(
      { orm: client, model: lockable, where: rest, guard: versionWhere, data: { [version.name]: next } },
      (tx) => {
        return call(tx, { ...args, where: rest, ...(data !== undefined && { data: others }) })
      },
    )
  }
  return async (call, client) => {
    try {
      return await runVersioned(call, client)
    } catch (error) {
      throw (await isVersionConflict(error, { orm, model, version, where }))
        ? versionConflictError(model, `where.${version.name}`)
        : error
    }
  }
}

function hasRelations({ relations }: Model, data: unknown): boolean {
  return isObject(data) && Object.keys(data).some((name) => relations.has(name))
}

/** Whether a call failed because the row has a different version. */
async function isVersionConflict(error: unknown, row: VersionedRow): Promise<boolean> {
  return isRowMissing(error, row.model.name) && (await compareVersion(row)) === 'outdated'
}

async function compareVersion({ orm, model, version, where }: VersionedRow): Promise<VersionState> {
  const rowExists = async (filter: Args) =>
    (await callClient(orm, model, 'findUnique', { where: filter, select: selectFields(idFields(model)) })) !== null
  if (await rowExists(where)) return 'current'
  const { [version.name]: _, ...criteria } = where
  return (await rowExists(criteria)) ? 'outdated' : 'missing'
}

function versionConflictError({ name }: Model, path: Path): RequestError {
  const detail = `${path} is out of date, because the ${name} has been changed. Read it again.`
  return new RequestError({ code: 'precondition-failed', detail, path: pathKeys(path) })
}
