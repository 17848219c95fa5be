import type { NamedField, RestModel } from './rest-model.js'

/** Returns the body field with the given name in the Prisma schema. */
export function bodyFieldBySchemaName({ bodyFields }: RestModel, name: string): NamedField | undefined {
  return [...bodyFields.values()].find((field) => field.name === name)
}
