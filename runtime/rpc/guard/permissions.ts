import type { Field, Operation } from '../../schema/resource.js'
import { idFields, isReadOnlyKey, type Model, type ModelRelation } from '../../schema/schema.js'
import { isReservedFieldName } from '../../schema/filter-ambiguity.js'
import { childPath, type Path, invalidArguments, unknownName, invalidValue } from './arguments.js'

/**
 * Checks that a request may read through a relation. All access to a model through another one follows these rules:
 *
 * - Reading through a relation (`include`, `select`, `_count`, filters, order) requires `list` of the target if the relation is to-many,
 *   and `get` if it is to-one.
 * - Nested `create`, `createMany` and `connectOrCreate` require `create` of the target. `update` and `updateMany` require `update`,
 *   `upsert` requires both, and `delete` and `deleteMany` require `delete`.
 * - `connect`, `connectOrCreate`, `disconnect` and `set` change a foreign key. If it is on this side, the request may already write it.
 *   If it is on the target, they require `update` of the target. Many-to-many links require nothing else.
 * - A relation cannot be written in any of these ways if it is read-only, if its foreign key is read-only in part, or if the key belongs
 *   to a read-only relation of the target. The same applies to the foreign key of a read-only relation, and to a many-to-many relation that
 *   is read-only on its other side. Relations of the target count even if they are hidden.
 *
 * Access that is not allowed gets a 403. Hidden names are treated as unknown.
 */
export function assertReadable(relation: ModelRelation, path: Path): void {
  assertOperation(relation.target, relation.many ? 'list' : 'get', path)
}

/** Checks that the target of a nested write exposes an operation. See {@link assertReadable}. */
export function assertOperation(target: Model, operation: Operation, path: Path): void {
  if (!target.operations.has(operation)) {
    invalidArguments('forbidden', `${path} is not allowed: ${target.name} does not offer "${operation}".`, path)
  }
}

/** Returns a scalar field that can be read and sorted by. Throws if the model does not expose one with this name. */
export function readableField(model: Model, name: string, path: Path): Field {
  const field = model.fields.get(name)
  if (field && !field.writeOnly) return field
  if (!model.computed.has(name)) return unknownName(name, path)
  const fieldPath = childPath(path, name)
  return invalidArguments(
    'invalid-arguments',
    `${fieldPath} is computed: it can be selected, and nothing else.`,
    fieldPath,
  )
}

/** Returns a scalar field that rows can be filtered by. Throws if the model does not expose one with this name. */
export function filterableField(model: Model, name: string, path: Path): Field {
  const field = readableField(model, name, path)
  if (!isReservedFieldName(name)) return field
  return invalidValue(
    childPath(path, name),
    'cannot be filtered by: the database client takes its name for what joins filters',
  )
}

/** Returns a scalar field that can be written. Throws if the model does not expose one with this name. */
export function writableField(model: Model, name: string, path: Path): Field {
  if (model.computed.has(name)) {
    invalidArguments('read-only', `${childPath(path, name)} is computed, and cannot be written.`, childPath(path, name))
  }
  const field = model.fields.get(name) ?? unknownName(name, path)
  // One very large id would prevent the database from generating further ids. Other generated columns can be written, as in Prisma.
  if (field.generated && idFields(model).includes(name))
    invalidArguments('client-id-forbidden', `${childPath(path, name)} is made by the database.`, childPath(path, name))
  if (model.readOnly.has(name))
    invalidArguments('read-only', `${childPath(path, name)} is read-only.`, childPath(path, name))
  return field
}

/** Checks that a relation can be written. */
export function assertWritable(model: Model, name: string, relation: ModelRelation, path: Path): void {
  const others = relation.foreignKey
    ? []
    : relation.inverseRelation
      ? [relation.inverseRelation]
      : owningInverses(model, relation)
  const readOnly =
    relation.readOnly ||
    isReadOnlyKey(model, relation.foreignKey ?? {}) ||
    others.some((other) => other.readOnly || isReadOnlyKey(relation.target, other.foreignKey ?? {}))
  if (readOnly) invalidArguments('read-only', `${childPath(path, name)} is read-only.`, childPath(path, name))
}

/** Checks that linking rows through a relation changes no rows of the target that the request may not update. */
export function assertLinkable(model: Model, relation: ModelRelation, path: Path): void {
  if (relation.foreignKey) return
  const manyToMany = relation.inverseRelation
    ? relation.many && !relation.inverseRelation.foreignKey
    : relation.many && owningInverses(model, relation).length === 0 && inverses(model, relation).length > 0
  if (manyToMany) return
  assertOperation(relation.target, 'update', path)
  const { name, version } = relation.target
  if (!version?.isRequired) return
  const detail = `${path}: a ${name} must be moved by a separate change with its ${version.name}.`
  invalidArguments('precondition-required', detail, path)
}

/**
 * Returns the relations that can be the inverse of a relation and hold its foreign key. Only for resources that do not specify `inverse`.
 * If there are several, all of them count, which can only reject more.
 */
function owningInverses(model: Model, relation: ModelRelation): readonly ModelRelation[] {
  return inverses(model, relation).filter((other) => other.foreignKey)
}

function inverses(model: Model, relation: ModelRelation): readonly ModelRelation[] {
  return [...relation.target.relations.values()].filter((other) => other.target === model && other !== relation)
}
