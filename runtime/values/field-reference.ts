import { isObject } from './is-object.js'

/**
 * Another column of the same row in place of a value, as `prisma.post.fields.title` is. No client is needed to make it: Prisma asks what
 * it does not know for its JSON, and takes this for a reference. The members are its own, because extensions are given copies of arguments.
 * @param modelName the model of the row
 * @param name the field, as the schema calls it
 */
export function fieldReference(modelName: string, name: string): object {
  return { modelName, name, toJSON: () => ({ $type: 'FieldRef', value: { _ref: name, _container: modelName } }) }
}

/** The field that a value of a filter refers to; undefined where it is a value, or holds some. What callers send is never a reference. */
export function referencedField(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('modelName' in value) || !('name' in value)) return undefined
  // JSON may have members of these names; it has no functions.
  const isJson = isObject(value) && !('toJSON' in value && typeof value.toJSON === 'function')
  return isJson ? undefined : String(value.name)
}

/** Whether a filter of a field refers to another one, at any depth. */
export function hasFieldReference(filter: unknown): boolean {
  if (referencedField(filter) !== undefined) return true
  if (Array.isArray(filter)) return filter.some(hasFieldReference)
  return isObject(filter) && Object.values(filter).some(hasFieldReference)
}
