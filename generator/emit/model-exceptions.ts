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

function isServerSetField({ exposure, optional, list, hasDefault, generated, updatedAt }: FieldSpec): boolean {
  if (exposure !== 'hidden' && exposure !== 'readOnly') return false
  return !optional && !list && !hasDefault && !generated && !updatedAt
}
