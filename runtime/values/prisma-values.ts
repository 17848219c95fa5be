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

/**
 * Creates a reference to another column of the same row, which replaces a value in a filter, like `prisma.post.fields.title`. It needs no
 * client, because Prisma serializes unknown objects with `toJSON` and accepts the result as a reference. All of its properties are own
 * properties, because extensions receive copies of the arguments, without inherited properties.
 * @param modelName the model of the row
 * @param name the name of the field in the schema
 */
export function fieldReference(modelName: string, name: string): object {
  return { modelName, name, toJSON: () => ({ $type: 'FieldRef', value: { _ref: name, _container: modelName } }) }
}

/**
 * Returns the field that a filter value refers to, or undefined if the value is not a reference. Values from callers are never references.
 */
export function referencedField(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('modelName' in value) || !('name' in value)) return undefined
  // JSON may have members with these names, but no functions.
  const isJson = isObject(value) && !('toJSON' in value && typeof value.toJSON === 'function')
  return isJson ? undefined : String(value.name)
}

/** Whether a filter contains a field reference at any depth. */
export function hasFieldReference(filter: unknown): boolean {
  if (referencedField(filter) !== undefined) return true
  if (Array.isArray(filter)) return filter.some(hasFieldReference)
  return isObject(filter) && Object.values(filter).some(hasFieldReference)
}
