/** The id of a resource. In responses it is a string. Requests also accept a number or bigint. */
export type Id = string | number | bigint

/** A resource in a request: its id or the resource from a response. */
export type ResourceOrId = Id | { readonly id: Id }

/** A decimal number: a Decimal of decimal.js or Prisma, a string, or a number if it has few digits. */
export type DecimalInput =
  string | number | { readonly d: number[]; readonly e: number; readonly s: number; toFixed(): string }

/** A JSON value. */
export type JsonInput =
  string | number | boolean | null | readonly JsonInput[] | { readonly [member: string]: JsonInput | undefined }
