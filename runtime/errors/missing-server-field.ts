import type { Schema } from '../schema/schema.js'
import { type DriverError, prismaMeta } from './driver-error.js'
import type { DatabaseErrorKind } from './database-error.js'

/**
 * Returns the missing field that only the server can set, for example `Secret.value`. The error is then in the app, whose hook or
 * client extension should have set it, and not in the request.
 * @returns undefined where the write failed for another reason
 */
export function missingServerField(
  fault: DatabaseErrorKind,
  error: unknown,
  cause: DriverError,
  schema: Schema,
): string | undefined {
  if (fault !== 'bad-arguments' && fault !== 'missing-argument' && fault !== 'not-null-violation') return undefined
  const message = error instanceof Error ? error.message : ''
  const [, missing] = /Argument `(\w+)` is missing/.exec(message) ?? []
  const names = fault === 'not-null-violation' ? (cause.fields ?? []) : missing === undefined ? [] : [missing]
  const { modelName } = prismaMeta(error)
  // A nested row may lack it as well: the model that was asked comes first.
  const isAsked = (name: string, delegate: string) => name === modelName || message.includes(`.${delegate}.`)
  const models = [...schema.values()].sort((one, other) => {
    return Number(isAsked(other.name, other.delegate)) - Number(isAsked(one.name, one.delegate))
  })
  for (const model of models) {
    for (const name of names) {
      const field = model.withheld.get(name)
      if (field !== undefined) return `${model.name}.${field}`
    }
  }
  return undefined
}
