import type { NamedField, RestModel } from './model.js'

/** The field of a body that is called so in the schema. */
export function bodyField({ written }: RestModel, name: string): NamedField | undefined {
  return [...written.values()].find((field) => field.name === name)
}
