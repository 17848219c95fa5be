import type { SchemaLocation } from '../errors.js'

/**
 * Our own plain description of a schema: what the generator wants to know of one, whoever it was read by. Nothing in it is
 * Prisma's own, since Prisma changes its descriptions from one major to the next; `from-dmmf.ts` is one reader.
 */
export interface SchemaSource {
  /** The database, as the schema's datasource names it: `postgresql`, `mysql`, `sqlite`, … */
  readonly provider: string
  /** `prisma` where the schema says so: the database has no foreign keys. */
  readonly relationMode: 'prisma' | undefined
  /** Models and views, in any order. */
  readonly models: readonly SchemaModel[]
  readonly enums: readonly SchemaEnum[]
  /** Its file, or the folder of its files. */
  readonly path: string
  /** The schema as it was written: comments with two slashes stand nowhere else. */
  files(): readonly SchemaFile[]
  /** Where something is written, as `file:line`. Undefined where that is not known. */
  locate(place: SchemaLocation): string | undefined
}

/** One file of a schema. */
export interface SchemaFile {
  /** Absolute. Undefined where the text was come by without it. */
  readonly path: string | undefined
  readonly text: string
}

/** A model or a view. */
export interface SchemaModel {
  readonly name: string
  /** Its comment (`///`), annotations included, lines joined by line feeds. */
  readonly comment: string | undefined
  /** Its scalar and enum fields, in the order of the schema. */
  readonly fields: readonly SchemaField[]
  /** Its relations, in the order of the schema. */
  readonly relations: readonly SchemaRelation[]
  readonly primaryKey: SchemaUnique | undefined
  /** Its other unique criteria: those of one field, in the order of the schema, then those of several. */
  readonly uniques: readonly SchemaUnique[]
  /** What the client can do with it, by the names of its delegate's methods: `findMany`, `createManyAndReturn`, … */
  readonly methods: readonly string[]
}

/** A scalar or enum field. */
export interface SchemaField {
  readonly name: string
  readonly comment: string | undefined
  readonly kind: 'scalar' | 'enum'
  /** One of Prisma's scalar types, or the name of an enum. */
  readonly type: string
  readonly list: boolean
  readonly optional: boolean
  /** The type of its column where the schema names one, as `Uuid` of `@db.Uuid`. */
  readonly nativeType: string | undefined
  /** The first argument of that type: the digits of a second in `@db.Timestamptz(6)`. Absent where the schema gives none. */
  readonly nativePrecision?: number
  /** All arguments of that type: `10` and `2` in `@db.Decimal(10, 2)`. */
  readonly nativeArguments?: readonly string[]
  /** The name of its column, where it differs (`@map`). */
  readonly column: string | undefined
  /** What makes its value where none is given: the `client`, the `database`, or nothing. */
  readonly defaultFrom: 'client' | 'database' | undefined
  /** That value itself, where the schema gives it as a literal. */
  readonly defaultValue: string | number | boolean | undefined
  /** The client sets it to the time of each write (`@updatedAt`). */
  readonly updatedAt: boolean
}

/** A relation, seen from one of its ends. */
export interface SchemaRelation {
  readonly name: string
  readonly comment: string | undefined
  /** The model at the other end. */
  readonly target: string
  readonly list: boolean
  readonly optional: boolean
  /** The fields of the foreign key and what they refer to, where this end holds it. */
  readonly foreignKey: readonly (readonly [field: string, references: string])[]
  /** What happens to this row when the other is deleted, where the schema says so: `Cascade`, `SetNull`, … */
  readonly onDelete: string | undefined
  /** The name of the relation at the other end. Undefined where that end has none. */
  readonly inverse: string | undefined
}

/** A unique criterion: its name in the client's `where`, and its fields. */
export interface SchemaUnique {
  readonly name: string
  readonly fields: readonly string[]
}

/** An enum. */
export interface SchemaEnum {
  readonly name: string
  readonly comment: string | undefined
  /** Its values, as the client spells them. */
  readonly values: readonly string[]
}
