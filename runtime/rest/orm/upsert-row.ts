import { retryOnRace } from '../../prisma/retry-on-conflict.js'
import { type ErrorDetail, throwErrors } from '../../errors/request-error.js'
import type { Scalars } from '../request/parse-attributes.js'
import { errorAt } from '../request/document-errors.js'
import type { RestModel } from '../rest-model.js'
import { idSelect } from './id-select.js'
import { findUnique } from './delegate-calls.js'
import type { UpsertMatch } from '../request/parse-upsert-match.js'

/**
 * Returns the unique `where` of the row that an upsert matches.
 * @throws RequestError 400 if a match field has no value
 */
export function matchWhere({ criterion, fields }: UpsertMatch, scalars: Scalars): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const errors: ErrorDetail[] = []
  for (const name of fields) {
    values[name] = scalars.get(name)
    if (values[name] === undefined || values[name] === null) {
      const detail = `The match field "${name}" must have a value in data.attributes.`
      errors.push(errorAt('malformed-document', '/meta/matchFields', detail))
    }
  }
  throwErrors(errors)
  return fields.length === 1 ? values : { [criterion]: values }
}

/**
 * Updates the matching row, or creates it. Prisma's own `upsert` is not used, because it does not report whether it created the row.
 * Retries if a concurrent request creates or deletes the row between the two steps.
 * @param where the filter for the matching row
 * @returns the row, and whether it is new
 */
export async function upsertRow(
  orm: unknown,
  model: RestModel,
  where: object,
  write: { create(): PromiseLike<unknown>; update(): PromiseLike<unknown> },
): Promise<{ readonly row: unknown; readonly created: boolean }> {
  return retryOnRace(orm, model.model, { where }, async () => {
    const found = await findUnique(orm, model, { where, select: idSelect(model) })
    if (!found) return { row: await write.create(), created: true }
    return { row: await write.update(), created: false }
  })
}

/** Returns the scalars for the update of the matching row: all except the match fields and the id. */
export function updatedScalars(model: RestModel, match: UpsertMatch, scalars: Scalars): Scalars {
  const updated: Scalars = new Map(scalars)
  for (const name of match.fields) updated.delete(name)
  for (const { name } of model.id.fields) updated.delete(name)
  return updated
}
