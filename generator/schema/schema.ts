import type { SchemaLocation } from '../errors.js'

/** A description of a schema that does not depend on Prisma's types, which change between major versions. Created by `from-dmmf.ts`. */
export interface SchemaSource {
  /** The database provider of the datasource: `postgresql`, `mysql`, `sqlite` and so on. */
  readonly provider: string
  /** `prisma` if the schema sets this mode, in which the database has no foreign keys. */
  readonly relationMode: 'prisma' | undefined
  /** Models and views, in any order. */
  readonly models: readonly SchemaModel[]
  readonly enums: readonly SchemaEnum[]
  /** Path of the schema's file or folder. */
  readonly path: string
  /** Returns the schema's source files. Only these files contain comments with two slashes. */
  files(): readonly SchemaFile[]
  /** Returns the position of a schema element as `file:line`, or undefined if the position is unknown. */
  locate(location: SchemaLocation): string | undefined
}

/** A source file of a schema. */
export interface SchemaFile {
  /** Absolute path. Undefined if the text was passed without a path. */
  readonly path: string | undefined
  readonly text: string
}

/** A model or a view. */
export interface SchemaModel {
  readonly name: string
  /** The name of the table, if it differs from the model's name (`@@map`). */
  readonly table: string | undefined
  /** The model's `///` comment, including annotations. Lines are joined with line feeds. */
  readonly comment: string | undefined
  /** Scalar and enum fields, in schema order. */
  readonly fields: readonly SchemaField[]
  /** Relations, in schema order. */
  readonly relations: readonly SchemaRelation[]
  readonly primaryKey: SchemaUnique | undefined
  /** Other unique criteria: those with one field in schema order, then compound ones. */
  readonly uniques: readonly SchemaUnique[]
  /** Method names of the client's delegate: `findMany`, `createManyAndReturn` and so on. */
  readonly methods: readonly string[]
}

/** A scalar or enum field. */
export interface SchemaField {
  readonly name: string
  readonly comment: string | undefined
  readonly kind: 'scalar' | 'enum'
  /** A Prisma scalar type or the name of an enum. */
  readonly type: string
  readonly list: boolean
  readonly optional: boolean
  /** The native type of the column, such as `Uuid` for `@db.Uuid`, if the schema sets it. */
  readonly nativeType: string | undefined
  /** The first argument of the native type, such as the 6 fractional digits of `@db.Timestamptz(6)`. Undefined if there is none. */
  readonly nativePrecision?: number
  /** All arguments of the native type, such as `10` and `2` for `@db.Decimal(10, 2)`. */
  readonly nativeArguments?: readonly string[]
  /** The name of the column, if it differs from the field's name (`@map`). */
  readonly column: string | undefined
  /** The source of the default value: the `client` or the `database`. Undefined if the field has no default. */
  readonly defaultFrom: 'client' | 'database' | undefined
  /** The default value, if it is a literal. */
  readonly defaultValue: string | number | boolean | undefined
  /** Whether the client sets the field to the time of each write (`@updatedAt`). */
  readonly updatedAt: boolean
}

/** One side of a relation. */
export interface SchemaRelation {
  readonly name: string
  readonly comment: string | undefined
  /** The model on the other side. */
  readonly target: string
  readonly list: boolean
  readonly optional: boolean
  /** Pairs of foreign key field and referenced field, if this side has the foreign key. Otherwise empty. */
  readonly foreignKey: readonly (readonly [field: string, references: string])[]
  /** The referential action when the related row is deleted, such as `Cascade` or `SetNull`, if the schema sets it. */
  readonly onDelete: string | undefined
  /** The name of the relation on the other side. Undefined if that side has none. */
  readonly inverse: string | undefined
}

/** A unique criterion: its name in the client's `where`, and its fields. */
export interface SchemaUnique {
  readonly name: string
  readonly fields: readonly string[]
  /** The constraint in the database. Undefined if another constraint has the same name. */
  readonly constraint?: SchemaConstraint | undefined
}

/** A unique constraint or primary key in the database. */
export interface SchemaConstraint {
  readonly name: string
  /** Whether the runtime can derive the name from the table and the columns. */
  readonly isDerived: boolean
}

/** An enum. */
export interface SchemaEnum {
  readonly name: string
  readonly comment: string | undefined
  /** The enum's values, as the client spells them. */
  readonly values: readonly string[]
}
