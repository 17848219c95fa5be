import type { Field, Operation } from '../../schema/resource.js'
import { idFields, isReadOnlyKey, type Model, type ModelRelation } from '../../schema/schema.js'
import { isReservedFieldName } from '../../schema/filter-ambiguity.js'
import { childPath, type Path, invalidArguments, unknownName, invalidValue } from './arguments.js'

/**
 * What a request may do with a model that it reaches through another one. The whole rule:
 *
 * - Reading through a relation (`include`, `select`, `_count`, filters, order) takes `list` of the target where the relation
 *   is to-many, `get` where it is to-one.
 * - Nested `create`, `createMany` and `connectOrCreate` take `create` of the target; `update` and `updateMany` take `update`;
 *   `upsert` takes both; `delete` and `deleteMany` take `delete`.
 * - `connect`, `connectOrCreate`, `disconnect` and `set` change a foreign key: on this side, which the request may write
 *   already, or on the target's, and then they take `update` of the target. Links without a foreign key of their own
 *   (many-to-many) take nothing more.
 * - A read-only relation, its foreign key, and a relation whose foreign key is read-only in part, or belongs to a read-only
 *   relation of the target, cannot be written in any of these ways. Nor can a many-to-many that is read-only on its other side.
 *   A relation of the target counts here even where it is hidden.
 *
 * What is not allowed is 403; what is hidden is answered as unknown.
 */
export function assertReadable(relation: ModelRelation, at: Path): void {
  assertOperation(relation.target, relation.many ? 'list' : 'get', at)
}

/** Ends the request where the target of a nested write does not have the operation. See {@link requireRead}. */
export function assertOperation(target: Model, operation: Operation, at: Path): void {
  if (!target.operations.has(operation)) {
    invalidArguments('forbidden', `${at} is not allowed: ${target.name} does not offer "${operation}".`, at)
  }
}

/** A scalar field that may be read and sorted by; ends the request where there is none. */
export function readableField(model: Model, name: string, at: Path): Field {
  const field = model.fields.get(name)
  if (field && !field.writeOnly) return field
  if (!model.computed.has(name)) return unknownName(name, at)
  const path = childPath(at, name)
  return invalidArguments('invalid-arguments', `${path} is computed: it can be selected, and nothing else.`, path)
}

/** A scalar field that rows can be filtered by; ends the request where they cannot. */
export function filterableField(model: Model, name: string, at: Path): Field {
  const field = readableField(model, name, at)
  if (!isReservedFieldName(name)) return field
  return invalidValue(
    childPath(at, name),
    'cannot be filtered by: the database client takes its name for what joins filters',
  )
}

/** A scalar field that may be written; ends the request where it may not. */
export function writableField(model: Model, name: string, at: Path): Field {
  if (model.computed.has(name)) {
    invalidArguments('read-only', `${childPath(at, name)} is computed, and cannot be written.`, childPath(at, name))
  }
  const field = model.fields.get(name) ?? unknownName(name, at)
  // One number far ahead would keep the database from counting on. Other columns that it fills are written as by the client.
  if (field.generated && idFields(model).includes(name))
    invalidArguments('client-id-forbidden', `${childPath(at, name)} is made by the database.`, childPath(at, name))
  if (model.readOnly.has(name))
    invalidArguments('read-only', `${childPath(at, name)} is read-only.`, childPath(at, name))
  return field
}

/** Ends the request where a relation may not be written. */
export function assertWritable(model: Model, name: string, relation: ModelRelation, at: Path): void {
  const others = relation.foreignKey ? [] : relation.back ? [relation.back] : owningInverses(model, relation)
  const readOnly =
    relation.readOnly ||
    isReadOnlyKey(model, relation.foreignKey ?? {}) ||
    others.some((other) => other.readOnly || isReadOnlyKey(relation.target, other.foreignKey ?? {}))
  if (readOnly) invalidArguments('read-only', `${childPath(at, name)} is read-only.`, childPath(at, name))
}

/** Ends the request where linking through a relation changes rows of the target that the request may not change. */
export function assertLinkable(model: Model, relation: ModelRelation, at: Path): void {
  if (relation.foreignKey) return
  const manyToMany = relation.back
    ? relation.many && !relation.back.foreignKey
    : relation.many && owningInverses(model, relation).length === 0 && inverses(model, relation).length > 0
  if (manyToMany) return
  assertOperation(relation.target, 'update', at)
  const { name, version } = relation.target
  if (!version?.isRequired) return
  const detail = `${at}: a ${name} is moved by a change of its own, which names its ${version.name}.`
  invalidArguments('precondition-required', detail, at)
}

/**
 * The relations that can be the other side of a relation and hold its foreign key. Only for a resource that does not say
 * which one it is (`inverse`); where there are several, each of them counts, which can only refuse more.
 */
function owningInverses(model: Model, relation: ModelRelation): readonly ModelRelation[] {
  return inverses(model, relation).filter((other) => other.foreignKey)
}

function inverses(model: Model, relation: ModelRelation): readonly ModelRelation[] {
  return [...relation.target.relations.values()].filter((other) => other.target === model && other !== relation)
}
