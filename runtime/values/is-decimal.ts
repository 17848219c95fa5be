/** A `Decimal` of Prisma's client or of decimal.js, from any copy of the module. */
export interface DecimalLike {
  toFixed(): string
}

/** Whether a value is a `Decimal` of Prisma's client or of decimal.js. */
export function isDecimal(value: unknown): value is DecimalLike {
  return Object.prototype.toString.call(value) === '[object Decimal]'
}
