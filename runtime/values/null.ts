/**
 * Prisma's nulls of Json columns, `Prisma.DbNull`, `Prisma.JsonNull` and `Prisma.AnyNull`. The client knows them by a registered symbol and
 * their name, so that copies of its own module agree; so do these, and the runtime needs no import of Prisma's code.
 */
const OBJECT_ENUM_VALUE = Symbol.for('prisma.objectEnumValue')

/** The database's NULL in a Json column. */
export const DB_NULL: object = { [OBJECT_ENUM_VALUE]: true, _getName: () => 'DbNull', toString: () => 'Prisma.DbNull' }

/** The JSON value `null` in a Json column. */
export const JSON_NULL: object = {
  [OBJECT_ENUM_VALUE]: true,
  _getName: () => 'JsonNull',
  toString: () => 'Prisma.JsonNull',
}

/** Either of the two, in filters. */
export const ANY_NULL: object = {
  [OBJECT_ENUM_VALUE]: true,
  _getName: () => 'AnyNull',
  toString: () => 'Prisma.AnyNull',
}
