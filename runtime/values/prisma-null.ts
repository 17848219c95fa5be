import { isObject } from './is-object.js'

/**
 * Prisma's null values for Json columns: `Prisma.DbNull`, `Prisma.JsonNull` and `Prisma.AnyNull`. The client recognizes them by a
 * registered symbol and by name, so that multiple copies of its module are compatible. The runtime therefore creates equivalent objects
 * without importing Prisma.
 */
const OBJECT_ENUM_VALUE = Symbol.for('prisma.objectEnumValue')

/** The database's NULL in a Json column. */
export const DB_NULL = prismaNull('DbNull')

/** The JSON value `null` in a Json column. */
export const JSON_NULL = prismaNull('JsonNull')

/** Either of these two values, in filters. */
export const ANY_NULL = prismaNull('AnyNull')

function prismaNull(name: string): object {
  return { [OBJECT_ENUM_VALUE]: true, _getName: () => name, toString: () => `Prisma.${name}` }
}

const BY_NAME: ReadonlyMap<unknown, object> = new Map([
  ['DbNull', DB_NULL],
  ['JsonNull', JSON_NULL],
  ['AnyNull', ANY_NULL],
])

/**
 * Returns the null value for a Json column from its representation in Prisma's JSON protocol: `{ "$type": "Enum", "value": "JsonNull" }`,
 * and likewise for `DbNull` and `AnyNull`.
 * @returns undefined for any other value
 */
export function namedNull(value: unknown): object | undefined {
  if (!isObject(value) || value['$type'] !== 'Enum' || Object.keys(value).length !== 2) return undefined
  return BY_NAME.get(value['value'])
}
