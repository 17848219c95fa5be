import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { ApiModel, FieldSpec } from '../model/api-model.js'

/**
 * Type information about models that need special treatment, for `client.hbs`. Precomputed, because otherwise the compiler would inspect
 * all models for each call.
 */
export interface ModelExceptions {
  /** The models with required fields that callers cannot set, as a union of string literals. Empty if there are none. */
  readonly serverSetModels: string
}

/** Finds the models that need special treatment in the client's types. */
export function findModelExceptions({ models }: ApiModel): ModelExceptions {
  return {
    serverSetModels: models
      .filter(({ fields }) => fields.some(isServerSetField))
      .map(({ name }) => stringLiteral(name))
      .join(' | '),
  }
}

function isServerSetField(field: FieldSpec): boolean {
  return (field.exposure === 'hidden' || field.exposure === 'readOnly') && isRequiredOnCreate(field)
}

/** Whether a new row needs a value from the caller or the app. */
export function isRequiredOnCreate({ optional, list, hasDefault }: FieldSpec): boolean {
  return !optional && !list && !hasDefault
}
