import type { Feature } from '../../http/feature.js'
import { rpcFeature } from '../../rpc/rpc-features.js'
import { withVersionCheck } from './with-version-check.js'
import type { VersionChecks } from '../../schema/model.js'
import { nextRevision, type Version } from '../../schema/version-field.js'
import { type Args, childPath, invalidArguments } from '../../rpc/guard/argument-helpers.js'
import { isObject } from '../../values/is-object.js'

/**
 * Enables versions in RPC writes: the version in `where` is checked, and every write sets the next one.
 * Called by the emitted `index.ts`.
 */
export function versionChecks(): Feature<'conditionalRequests'> {
  return rpcFeature('conditionalRequests', { createVersionChecks, withVersionCheck })
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
      const isNamed = isObject(where) && (name in where || isDeeper(name, where))
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
    return (Array.isArray(parts) ? parts : [parts]).some((part) => {
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
