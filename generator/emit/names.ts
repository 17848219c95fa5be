import { identifierStem } from '../model/names.js'

/** The identifiers that a model's files export. The suffixes prevent conflicts with reserved words and with imports. */
export interface ModelNames {
  readonly resource: string
  readonly rest: string
  readonly rpc: string
  /** The name under which the routes of other models import the model's calls. */
  readonly calls: string
}

/** Returns the {@link ModelNames} of a model. */
export function modelNames(model: string): ModelNames {
  const stem = identifierStem(model)
  return { resource: `${stem}Resource`, rest: `${stem}Rest`, rpc: `${stem}Rpc`, calls: `${stem}Calls` }
}
