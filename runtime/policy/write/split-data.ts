import type { PolicyModel, PolicyRelation } from '../schema.js'
import { deny, definedMembers, type Args, asArgs } from '../args.js'
import type { ParentLink } from './write-context.js'

/** The data of one row, taken apart. */
export interface DataParts {
  readonly scalars: Args
  /** Relations whose foreign key the row holds. */
  readonly own: readonly NestedWrite[]
  /** Relations whose foreign key other rows hold, or a table between the two. */
  readonly others: readonly NestedWrite[]
  /** Every field and relation that is written, but for the version: it is counted, and nobody chooses what it becomes. */
  readonly written: readonly string[]
}

/** What is written to a relation. */
export interface NestedWrite {
  readonly relation: PolicyRelation
  /** Operations by name: `connect`, `create`, … */
  readonly operations: Args
}

/**
 * Takes data apart.
 * @throws PolicyError where it holds what cannot be verified
 */
export function splitData(model: PolicyModel, data: unknown, link?: ParentLink): DataParts {
  const scalars: Record<string, unknown> = {}
  const own: NestedWrite[] = []
  const others: NestedWrite[] = []
  const written: string[] = link ? [link.written] : []
  for (const [name, value] of definedMembers(asArgs(data, `Data of ${model.name}`))) {
    const relation = model.relations.get(name)
    if (relation) {
      const nested = { relation, operations: asArgs(value, `"${name}" of ${model.name}`) }
      if (relation.foreignKey) own.push(nested)
      else others.push(nested)
    } else if (model.fields.has(name)) scalars[name] = value
    else deny(`"${name}" of ${model.name} cannot be written under access policies.`)
    if (name !== model.version?.name) written.push(name)
  }
  for (const name of Object.keys(link?.values ?? {})) {
    if (name in scalars) deny(`"${name}" of ${model.name} is given by the row that this one belongs to.`)
  }
  return { scalars, own, others, written }
}

/** The scalars of a row that is written with others of its kind, which can have no relations. */
export function scalarData(model: PolicyModel, data: unknown, link?: ParentLink): DataParts {
  const parts = splitData(model, data, link)
  if (parts.own.length + parts.others.length > 0)
    deny(`Many rows of ${model.name} cannot be written with their relations.`)
  return parts
}
