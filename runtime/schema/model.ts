import type { Field, Operation, Relation, Resource } from './resource.js'
import type { Version } from './version-field.js'

/**
 * A schema's resources, indexed when a handler is created. Contains only exposed names, so hidden names and names that never existed cannot
 * be distinguished.
 */
export type Schema = ReadonlyMap<string, Model>

/** An exposed model. */
export interface Model extends Pick<Resource, 'delegate' | 'table' | 'id' | 'constraints'> {
  /** The model's name in the Prisma schema. */
  readonly name: string
  /** Unique criteria: name in Prisma's `where` → fields, in order. */
  readonly uniques: ReadonlyMap<string, readonly string[]>
  /** Scalar fields, in schema order, including write-only ones. */
  readonly fields: ReadonlyMap<string, Field>
  /** Fields that callers cannot write: read-only and server-set fields, and foreign keys of read-only relations, exposed or not. */
  readonly readOnly: ReadonlySet<string>
  /** Fields required on create, including foreign keys. A relation may replace them. */
  readonly required: ReadonlySet<string>
  /** Relations required on create, because no exposed field can replace their foreign keys. */
  readonly requiredRelations: ReadonlySet<string>
  /**
   * Required values that only the server can set: the name in the client's error message (a field, or a relation with such a foreign key) →
   * the field. A hook or a client extension must set them.
   */
  readonly serverSetFields: ReadonlyMap<string, string>
  /** Relations to exposed models, in schema order. */
  readonly relations: ReadonlyMap<string, ModelRelation>
  /** Fields that are never read (hidden and write-only ones), in Prisma's `omit` form. Undefined if there are none. */
  readonly omit: Readonly<Record<string, true>> | undefined
  /** Exposed computed fields of the client. They can only be read and selected. */
  readonly computed: ReadonlySet<string>
  /** The version field, or undefined if there is none. */
  readonly version: Version | undefined
  /** The checks of the version in RPC arguments. Undefined if the model has no version. */
  readonly versionChecks: VersionChecks | undefined
  /** The allowed operations. */
  readonly operations: ReadonlySet<Operation>
}

/** The checks of a model's version in the arguments of RPC writes. `path` is the position of `where` in the arguments. */
export interface VersionChecks {
  /**
   * Checks that a write specifies the version of its rows if the model requires one (`@api.version(required)`). The version must be at the
   * top level of the filter, where the database compares it in the statement that writes the row.
   * @param where the validated filter; undefined if there is none
   * @throws RequestError 428 if the version is missing, 400 if it is nested
   */
  assertVersion(where: unknown, path: string): void
  /**
   * Rejects a nested write that specifies a version, or whose model requires one. Prisma first finds the row with a separate query, so
   * the statement that writes the row cannot compare the version.
   * @param where undefined for all related rows
   */
  rejectNested(where: unknown, path: string): void
  /** Rejects a write with both a version and a limit, because some databases select the rows first if there is a limit. */
  rejectWithLimit(where: unknown, limit: unknown): void
  /**
   * Rejects an upsert that specifies a version, or whose model requires one. If the row had a different version, the upsert would create
   * a second row.
   */
  rejectUpsert(where: unknown, path: string): void
  /**
   * Returns the data that sets the next version. Every update writes it. Otherwise, clients that have read the row would not detect the
   * update. A timestamp is set explicitly, because Prisma does not change it if only relations are updated.
   * @param where the filter for the row; the new timestamp is later than any timestamp in it
   */
  bump(where?: unknown): Readonly<Record<string, unknown>>
}

/** Returns the fields of a model's id, in order. */
export function idFields({ uniques, id }: Model): readonly string[] {
  return uniques.get(id) ?? NONE
}

const NONE: readonly string[] = []

/** A relation with its target model. */
export interface ModelRelation extends Relation {
  readonly target: Model
  /** The nullable fields of its foreign key, if this side has it. A relation without any cannot be disconnected. */
  readonly nullableKeys: readonly string[]
  /** The relation on the other side, named by `inverse`. It may be hidden and is used only for its rules. */
  readonly inverseRelation?: Relation
}

/** Whether a foreign key is read-only because one of its fields is. That field may be shared with another relation. */
export function isReadOnlyKey({ readOnly }: Model, foreignKey: Readonly<Record<string, string>>): boolean {
  return Object.keys(foreignKey).some((name) => readOnly.has(name))
}

/**
 * Returns the relations that a new row requires because all fields of their foreign key are hidden and required.
 * @param unwritten required fields that do not come from the caller
 */
export function requiredRelations({ fields, relations }: Resource, unwritten: ReadonlySet<string>): readonly string[] {
  return Object.entries(relations).flatMap(([name, { foreignKey, hidden }]) => {
    if (!foreignKey || hidden) return []
    const isRequired = (part: string) => {
      const field = fields[part]
      return field?.hidden && isRequiredOnCreate(field) && !unwritten.has(part)
    }
    return Object.keys(foreignKey).every(isRequired) ? [name] : []
  })
}

/** Whether a row cannot be created without a value for a field. */
export function isRequiredOnCreate(field: Field): boolean {
  const { optional, default: literal, hasDefault, updatedAt, generated, list } = field
  return !optional && literal === undefined && !hasDefault && !updatedAt && !generated && !list
}
