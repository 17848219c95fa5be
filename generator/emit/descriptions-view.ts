import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { ApiModel, FieldSpec, ModelSpec } from '../model/api-model.js'

/** The data of `descriptions.hbs`. */
export interface DescriptionsView {
  /** The models with comments. */
  readonly models: readonly {
    readonly name: string
    /** The model's comment as a string literal. Undefined if it has none. */
    readonly description: string | undefined
    /** The comments of fields and relations, as string literals. */
    readonly fields: readonly { readonly name: string; readonly text: string }[]
  }[]
}

/** Creates the view of the descriptions file. */
export function createDescriptionsView({ models }: ApiModel): DescriptionsView {
  return {
    models: models.map(modelView).filter(({ description, fields }) => description !== undefined || fields.length > 0),
  }
}

function modelView({ name, documentation, fields, relations }: ModelSpec): DescriptionsView['models'][number] {
  return {
    name,
    description: documentation === '' ? undefined : stringLiteral(documentation),
    fields: [...fields, ...relations]
      .filter(isDescribed)
      .map((member) => ({ name: member.name, text: stringLiteral(member.documentation) })),
  }
}

/** Whether the comment of a field or relation is emitted. Hidden ones are not documented. */
function isDescribed({ exposure, documentation }: Pick<FieldSpec, 'exposure' | 'documentation'>): boolean {
  return exposure !== 'hidden' && documentation !== ''
}
