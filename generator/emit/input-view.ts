import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { FieldSpec, ModelSpec } from '../model/api-model.js'
import { identifierStem } from '../model/names.js'
import type { Options } from '../options.js'
import { isRequiredOnCreate } from './model-exceptions.js'
import { literals, properties, type PropertyView } from './resource-view.js'

/** The data of `input.hbs`. */
export interface InputView {
  readonly modelName: string
  /** The name that the file exports. */
  readonly input: string
  /** The fields with a rule, and the rule as a `zod/mini` expression. */
  readonly rules: readonly { readonly name: string; readonly rule: string }[]
  /** The fields that callers can write. */
  readonly fields: readonly PropertyView[]
}

/** Creates the view of a model's input file. */
export function createInputView(model: ModelSpec, fields: readonly FieldSpec[]): InputView {
  return {
    modelName: model.name,
    input: `${identifierStem(model.name)}Input`,
    rules: fields.flatMap(({ name, rule }) => (rule === undefined ? [] : [{ name, rule }])),
    fields: fields.map((field) => ({ name: field.name, properties: inputProperties(model, field) })),
  }
}

function inputProperties({ id, relations }: ModelSpec, field: FieldSpec): string {
  const isRequired = isRequiredOnCreate(field)
  const through = relations.filter(({ exposure, foreignKey }) => {
    return exposure === 'full' && foreignKey.some(([name]) => name === field.name)
  })
  return properties([
    ['type', stringLiteral(field.type)],
    ['values', field.type === 'Enum' && `[${literals(field.values)}]`],
    ['uuid', field.uuid],
    ['list', field.list],
    ['optional', field.optional],
    ['required', isRequired],
    ['relations', isRequired && through.length > 0 && `[${literals(through.map(({ name }) => name))}]`],
    ['id', field.name === id],
    ['rule', field.rule !== undefined && `rules.${field.name}`],
  ])
}

/** Returns the fields whose values `input.ts` validates: those that callers can write. Empty if the file is not requested. */
export function findInputFields(
  { id, uniques, fields, relations, operations }: ModelSpec,
  { files }: Options,
): readonly FieldSpec[] {
  if (!files.includes('input')) return []
  if (!operations.includes('create') && !operations.includes('update')) return []
  const idFields = uniques.find(({ name }) => name === id)?.fields ?? [id]
  const readOnlyKeys = relations
    .filter(({ exposure, serverSet }) => exposure === 'readOnly' && !serverSet)
    .flatMap(({ foreignKey }) => foreignKey.map(([name]) => name))
  return fields.filter(
    ({ name, exposure, generated }) =>
      (exposure === 'full' || exposure === 'writeOnly') &&
      !readOnlyKeys.includes(name) &&
      !(generated && idFields.includes(name)),
  )
}
