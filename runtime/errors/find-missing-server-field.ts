import type { Schema } from '../schema/model.js'
import type { DriverError } from './driver-error.js'
import { prismaMeta } from './prisma-meta.js'
import type { DatabaseErrorKind } from './database-error-kind.js'

/**
 * Returns the required field that the server failed to set, for example `Secret.value`. Callers cannot write such a field, so the mistake
 * is in the app: a hook or a client extension must set it.
 * @returns undefined if the write failed for a different reason
 */
export function findMissingServerField(
  kind: DatabaseErrorKind,
  error: unknown,
  cause: DriverError,
  schema: Schema,
): string | undefined {
  if (kind !== 'bad-arguments' && kind !== 'missing-argument' && kind !== 'not-null-violation') return undefined
  const message = error instanceof Error ? error.message : ''
  const [, missing] = /Argument `(\w+)` is missing/.exec(message) ?? []
  const names = kind === 'not-null-violation' ? (cause.fields ?? []) : missing === undefined ? [] : [missing]
  const { modelName } = prismaMeta(error)
  // The missing field may belong to a nested row, so the model of the call is checked first.
  const isTargetModel = (name: string, delegate: string) => name === modelName || message.includes(`.${delegate}.`)
  const models = [...schema.values()].sort((left, right) => {
    return Number(isTargetModel(right.name, right.delegate)) - Number(isTargetModel(left.name, left.delegate))
  })
  for (const model of models) {
    for (const name of names) {
      const field = model.serverSetFields.get(name)
      if (field !== undefined) return `${model.name}.${field}`
    }
  }
  return undefined
}
