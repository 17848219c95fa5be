import type { DiagnosticMessage } from '../errors.js'
import type { SchemaModel, SchemaRelation } from '../schema/schema.js'
import type { Annotations } from './annotations/read-annotations.js'

/** Reports `@api.nullable` and `@api.nonNull` on a relation that is not a required to-one relation. */
export function checkNullability(
  { list, optional }: SchemaRelation,
  { nullable }: Annotations,
  report: (problem: DiagnosticMessage) => void,
): void {
  if (nullable === undefined || (!list && !optional)) return
  const word = nullable ? 'nullable' : 'nonNull'
  const reason = list ? 'a list, which is never null' : 'an optional relation, which can be null in the database'
  report({ message: `"@api.${word}" has no effect on ${reason}.`, hint: 'Remove it.' })
}

/**
 * Creates a function that returns whether rows of a model may be hidden from the caller, so that required relations to it may be null.
 * @param byDefault the result for models without an annotation: true if the app enforces access policies
 */
export function createHiddenRowsCheck(
  models: readonly { readonly model: SchemaModel; readonly annotations: Annotations }[],
  byDefault: boolean,
): (model: string) => boolean {
  const annotated = new Map(models.map(({ model, annotations }) => [model.name, annotations.nullable]))
  return (model) => annotated.get(model) ?? byDefault
}
