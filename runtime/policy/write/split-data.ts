import { deny } from '../../errors/policy-error.js'
import { nextRevision } from '../../schema/version-field.js'
import { findArithmetic } from '../../values/arithmetic.js'
import { definedEntries, type Args, asArgs } from '../args.js'
import type { PolicyModel, PolicyRelation } from '../policy-schema.js'
import type { ParentLink } from './write-context.js'

/** The parts of the data of one row. */
export interface DataParts {
  readonly scalars: Args
  /** Relations whose foreign key the row holds. */
  readonly owned: readonly NestedWrite[]
  /** Relations whose foreign key is on other rows or in a join table. */
  readonly others: readonly NestedWrite[]
  /** All written fields and relations except the version, which only the runtime sets. */
  readonly names: readonly string[]
}

/** The operations on one relation. */
export interface NestedWrite {
  readonly relation: PolicyRelation
  /** Operands by operation: `connect`, `create`, … */
  readonly operations: Args
}

/**
 * Splits the data of a row.
 * @throws PolicyError if it contains a key that cannot be verified
 */
export function splitData(model: PolicyModel, data: unknown, link?: ParentLink): DataParts {
  const scalars: Record<string, unknown> = {}
  const owned: NestedWrite[] = []
  const others: NestedWrite[] = []
  const names: string[] = link ? [link.relation] : []
  for (const [name, value] of definedEntries(asArgs(data, `Data of ${model.name}`))) {
    const relation = model.relations.get(name)
    if (relation) {
      const nested = { relation, operations: asArgs(value, `"${name}" of ${model.name}`) }
      if (relation.foreignKey) owned.push(nested)
      else others.push(nested)
    } else if (model.fields.has(name)) scalars[name] = value
    else deny(`"${name}" of ${model.name} cannot be written under access policies.`)
    if (name !== model.version?.name) names.push(name)
  }
  for (const name of Object.keys(link?.values ?? {})) {
    if (Object.hasOwn(scalars, name)) deny(`"${name}" of ${model.name} is set by the parent row.`)
  }
  return { scalars, owned, others, names }
}

/**
 * Splits the data of a row in a bulk write, which must not contain relations.
 * @throws PolicyError if it does
 */
export function scalarData(model: PolicyModel, data: unknown, link?: ParentLink): DataParts {
  const parts = splitData(model, data, link)
  if (parts.owned.length + parts.others.length > 0)
    deny(`Rows of ${model.name} cannot be written in bulk together with their relations.`)
  return parts
}

/**
 * Returns the fields that the data changes with arithmetic, such as `{ increment: 1 }`. The caller must be allowed to read them, because the
 * error for a result outside the range of the field would reveal the current value.
 */
export function findArithmeticFields({ fields }: PolicyModel, data: Args): Set<string> {
  return new Set(Object.keys(data).filter((name) => findArithmetic(fields.get(name), data[name])))
}

/**
 * Adds the increment of the version to the data of an update, if the model has a version and the data does not set it. Also applies to data
 * from hooks and to rows that change as a consequence of other writes. No rule applies to the version, because the caller does not choose
 * its value.
 */
export function bumpVersion({ version }: PolicyModel, data: Args): Args {
  return !version || Object.hasOwn(data, version.name) ? data : { ...data, [version.name]: nextRevision(version) }
}
