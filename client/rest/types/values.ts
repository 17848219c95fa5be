/** The id of a resource. Those of answers are strings; where they are numbers in the database, a number will do too. */
export type Id = string | number | bigint

/** A resource for a relationship to hold: its id, or what an answer held of it. */
export type ResourceOrId = Id | { readonly id: Id }

/** A decimal number: of decimal.js or of Prisma, as a text, or as a number where its digits are few. */
export type DecimalInput =
  string | number | { readonly d: number[]; readonly e: number; readonly s: number; toFixed(): string }

/** A value of JSON. */
export type JsonInput =
  string | number | boolean | null | readonly JsonInput[] | { readonly [member: string]: JsonInput | undefined }
