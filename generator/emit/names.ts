import { identifierStem } from '../model/names.js'

/** The identifiers that a model's files export. The suffixes keep them apart from reserved words and from our imports. */
export interface ModelNames {
  readonly resource: string
  readonly rest: string
  readonly rpc: string
}

/** See {@link ModelNames}. */
export function modelNames(model: string): ModelNames {
  const stem = identifierStem(model)
  return { resource: `${stem}Resource`, rest: `${stem}Rest`, rpc: `${stem}Rpc` }
}
