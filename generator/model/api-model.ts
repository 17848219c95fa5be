/**
 * Our own plain description of an API: what the rest of the generator knows about a schema. `build-api-model.ts` makes it from
 * the description of the schema, which says nothing of HTTP.
 */
export interface ApiModel {
  /** The database, as the schema's datasource names it: `postgresql`, `mysql`, `sqlite`, … */
  readonly provider: string
  /** `prisma` where the schema says so: the database has no foreign keys. */
  readonly relationMode?: 'prisma'
  /** Everything that gets routes, by name (code unit order). */
  readonly models: readonly ModelSpec[]
  /** What the person who generates should know, a sentence each: models left out, fields that make a route useless. */
  readonly notes: readonly string[]
}

/** One model or view with routes. */
export interface ModelSpec {
  /** Its name in the schema, as `PostLike`. */
  readonly name: string
  /** Its delegate on the Prisma client, as `postLike`. */
  readonly delegate: string
  /** Its documentation, without our annotations. Empty where there is none. */
  readonly documentation: string
  /** The name of the unique criterion that identifies a row; one of `uniques`. */
  readonly id: string
  readonly uniques: readonly UniqueSpec[]
  readonly fields: readonly FieldSpec[]
  readonly relations: readonly RelationSpec[]
  /** What may be done with it, in the order of `OPERATIONS`. */
  readonly operations: readonly Operation[]
  /** The Prisma client operations that are exposed, in the order of `PRISMA_OPERATIONS`. */
  readonly prismaOperations: readonly PrismaOperation[]
}

/** A unique criterion: its name in Prisma's `where`, and its fields. */
export interface UniqueSpec {
  readonly name: string
  readonly fields: readonly string[]
}

/** How far something is on the wire. */
export type Exposure = 'full' | 'readOnly' | 'writeOnly' | 'hidden'

/** Whether changes of a row must say which revision of it they were made of. */
export type VersionUse = 'optional' | 'required'

/** A scalar or enum field. */
export interface FieldSpec {
  readonly name: string
  readonly documentation: string
  /** Prisma's scalar type, or `Enum`. */
  readonly type: string
  /** The values of an enum, as the client spells them. Empty for other types. */
  readonly values: readonly string[]
  readonly optional: boolean
  readonly list: boolean
  /** Its column holds UUIDs only (`@db.Uuid`). */
  readonly uuid: boolean
  /** The type of its column, if the schema names one: `Decimal(10, 2)` for `@db.Decimal(10, 2)`. */
  readonly db: string | undefined
  /** The client reads fewer digits than its column holds (`@db.Timestamptz(6)`, `@db.Real`). */
  readonly inexact: boolean
  /** The name of its column, where it differs (`@map`). */
  readonly column: string | undefined
  /** May be left out on create. */
  readonly hasDefault: boolean
  /** What it is then, where the schema gives it as a literal that stands for itself on the wire. */
  readonly defaultValue: string | number | boolean | undefined
  /** The client sets it at every write (`@updatedAt`). Such a field has a default too. */
  readonly updatedAt: boolean
  /** The database makes its value. */
  readonly generated: boolean
  readonly exposure: Exposure
  /** A hook, a client extension or the database sets it (`@api.serverSet`). Callers cannot write it. */
  readonly serverSet: boolean
  /** The field tells the revisions of a row apart (`@api.version`). */
  readonly version: VersionUse | undefined
  /** A comment on the field says how far it is on the wire. */
  readonly isDeliberate: boolean
  /** Its `@zod` rule as an expression of `zod/mini`. */
  readonly rule: string | undefined
}

/** A relation, seen from one of its ends. */
export interface RelationSpec {
  readonly name: string
  readonly documentation: string
  /** The model at the other end. */
  readonly target: string
  readonly many: boolean
  readonly optional: boolean
  /** A required to-one relation that is null if its row is hidden from the caller. */
  readonly nullable: boolean
  /** The fields of the foreign key and what they refer to, where this end holds it. */
  readonly foreignKey: readonly (readonly [field: string, references: string])[]
  /** What the database does to this row when the other is deleted, where the schema says so. */
  readonly onDelete: DeleteAction | undefined
  /** The name of the relation at the other end, on the wire or not. */
  readonly inverse: string
  /** The other end's foreign key is required, or a field of it. */
  readonly dependent: boolean
  readonly exposure: Exclude<Exposure, 'writeOnly'>
}

/** What a database may do where rows refer to a row that is deleted. */
export const DELETE_ACTIONS = ['Cascade', 'Restrict', 'NoAction', 'SetNull', 'SetDefault'] as const

export type DeleteAction = (typeof DELETE_ACTIONS)[number]

/** What may be done with a model, in either style; the words of `@api.operations`. */
export const OPERATIONS = ['list', 'get', 'create', 'update', 'delete'] as const

export type Operation = (typeof OPERATIONS)[number]

/** The operations of a Prisma delegate that have RPC routes, in the order of their routes, and what each counts as. */
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

export type PrismaOperation = keyof typeof PRISMA_OPERATIONS
