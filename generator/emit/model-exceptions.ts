import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { ApiModel, FieldSpec } from '../model/api-model.js'

/** What `client.hbs` says of models that are not as most are: else the compiler would look through all of them for each call. */
export interface ModelExceptions {
  /** The models with fields that a new row must have, and no caller can give, as a union; empty where there are none. */
  readonly withheld: string
}

export function findModelExceptions({ models }: ApiModel): ModelExceptions {
  return {
    withheld: models
      .filter(({ fields }) => fields.some(isWithheld))
      .map(({ name }) => stringLiteral(name))
      .join(' | '),
  }
}

function isWithheld({ exposure, optional, list, hasDefault, generated, updatedAt }: FieldSpec): boolean {
  if (exposure !== 'hidden' && exposure !== 'readOnly') return false
  return !optional && !list && !hasDefault && !generated && !updatedAt
}
