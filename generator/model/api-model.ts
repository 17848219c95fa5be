/**
 * A description of an API that does not depend on Prisma's types. The rest of the generator works with it. `build-api-model.ts` creates it
 * from a `SchemaSource`, which contains no HTTP concepts.
 */
export interface ApiModel {
  /** The database provider of the datasource: `postgresql`, `mysql`, `sqlite` and so on. */
  readonly provider: string
  /** `prisma` if the schema sets this mode, in which the database has no foreign keys. */
  readonly relationMode?: 'prisma'
  /** All models with routes, sorted by name (code units). */
  readonly models: readonly ModelSpec[]
  /** The names of the models without routes, sorted in the same way. */
  readonly hiddenModels: readonly string[]
  /** Notes for the user, one sentence each: skipped models, and fields that make a route fail. */
  readonly notes: readonly string[]
}

/** A model or view with routes. */
export interface ModelSpec {
  /** The model's name in the schema, such as `PostLike`. */
  readonly name: string
  /** The name of its delegate on the Prisma client, such as `postLike`. */
  readonly delegate: string
  /** The name of the table, if it differs from the model's name (`@@map`). */
  readonly table: string | undefined
  /** The model's comment without annotations. Empty if it has none. */
  readonly documentation: string
  /** The name of the unique criterion that identifies a row. One of `uniques`. */
  readonly id: string
  readonly uniques: readonly UniqueSpec[]
  /** The constraints of {@link uniques} whose names the runtime cannot derive, and the constraints with hidden fields. */
  readonly constraints: readonly ConstraintSpec[]
  readonly fields: readonly FieldSpec[]
  readonly relations: readonly RelationSpec[]
  /** The allowed operations, in the order of {@link OPERATIONS}. */
  readonly operations: readonly Operation[]
  /** The allowed Prisma client operations, in the order of {@link PRISMA_OPERATIONS}. */
  readonly prismaOperations: readonly PrismaOperation[]
}

/** A unique criterion: its name in Prisma's `where`, and its fields. */
export interface UniqueSpec {
  readonly name: string
  readonly fields: readonly string[]
}

/** A unique constraint or primary key in the database. */
export interface ConstraintSpec {
  readonly name: string
  /** The name of its unique criterion, or its exposed fields if other fields are hidden. */
  readonly criterion: string | readonly string[]
}

/** The directions in which callers can access a field or relation. */
export type Exposure = 'full' | 'readOnly' | 'writeOnly' | 'hidden'

/** Whether changes to a row must specify the version that they are based on. */
export type VersionUse = 'optional' | 'required'

/** A scalar or enum field. */
export interface FieldSpec {
  readonly name: string
  readonly documentation: string
  /** A Prisma scalar type, or `Enum`. */
  readonly type: string
  /** The values of an enum, as the client spells them. Empty for other types. */
  readonly values: readonly string[]
  readonly optional: boolean
  readonly list: boolean
  /** Whether the column can contain only UUIDs (`@db.Uuid`). */
  readonly uuid: boolean
  /** The native type of the column, if the schema sets it: `Decimal(10, 2)` for `@db.Decimal(10, 2)`. */
  readonly db: string | undefined
  /** Whether the column has a higher precision than the Prisma client can read (`@db.Timestamptz(6)`, `@db.Real`). */
  readonly inexact: boolean
  /** The name of the column, if it differs from the field's name (`@map`). */
  readonly column: string | undefined
  /** Whether the field can be omitted on create. */
  readonly hasDefault: boolean
  /** The default value, if it is a literal that has the same form in JSON. */
  readonly defaultValue: string | number | boolean | undefined
  /** Whether the client sets the field on every write (`@updatedAt`). Such a field also has a default. */
  readonly updatedAt: boolean
  /** Whether the database generates the value. */
  readonly generated: boolean
  readonly exposure: Exposure
  /** Whether a hook, a client extension or the database sets the field (`@api.serverSet`). Callers cannot write it. */
  readonly serverSet: boolean
  /** Set if the field contains the version of a row (`@api.version`). */
  readonly version: VersionUse | undefined
  /** Whether an annotation on the field sets its exposure. */
  readonly hasExplicitExposure: boolean
  /** The `@zod` rule, as a `zod/mini` expression. */
  readonly rule: string | undefined
}

/** One side of a relation. */
export interface RelationSpec {
  readonly name: string
  readonly documentation: string
  /** The model on the other side. */
  readonly target: string
  readonly many: boolean
  readonly optional: boolean
  /** Whether this is a required to-one relation that is null if its row is hidden from the caller. */
  readonly nullable: boolean
  /** Pairs of foreign key field and referenced field, if this side has the foreign key. Otherwise empty. */
  readonly foreignKey: readonly (readonly [field: string, references: string])[]
  /** The referential action when the related row is deleted, if the schema sets it. */
  readonly onDelete: DeleteAction | undefined
  /** The name of the relation on the other side, even if it is hidden. */
  readonly inverse: string
  /** Whether the foreign key on the other side, or one of its fields, is required. */
  readonly dependent: boolean
  readonly exposure: Exclude<Exposure, 'writeOnly'>
  /**
   * Whether the relation is read-only because a field of its foreign key is server-set. Callers can write the other fields of the key. If the
   * relation or a field is `@api.readOnly`, they cannot.
   */
  readonly serverSet: boolean
}

/** Prisma's referential actions on delete. */
export const DELETE_ACTIONS = ['Cascade', 'Restrict', 'NoAction', 'SetNull', 'SetDefault'] as const

/** A referential action on delete. */
export type DeleteAction = (typeof DELETE_ACTIONS)[number]

/** The operations that `@api.operations` can list. They apply to REST and RPC. */
export const OPERATIONS = ['list', 'get', 'create', 'update', 'delete'] as const

/** An operation in `@api.operations`. */
export type Operation = (typeof OPERATIONS)[number]

/** The operations of a Prisma delegate that have RPC routes, in route order, and the {@link Operation}s that each requires. */
export const PRISMA_OPERATIONS = {
  findMany: ['list'],
  findFirst: ['list'],
  findFirstOrThrow: ['list'],
  findUnique: ['get'],
  findUniqueOrThrow: ['get'],
  count: ['list'],
  aggregate: ['list'],
  groupBy: ['list'],
  create: ['create'],
  createMany: ['create'],
  createManyAndReturn: ['create'],
  update: ['update'],
  updateMany: ['update'],
  updateManyAndReturn: ['update'],
  upsert: ['create', 'update'],
  delete: ['delete'],
  deleteMany: ['delete'],
} as const satisfies Record<string, readonly Operation[]>

/** An operation of a Prisma delegate. */
export type PrismaOperation = keyof typeof PRISMA_OPERATIONS
