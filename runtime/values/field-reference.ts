import { isObject } from './is-object.js'

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
