import type { ModelSpec } from '../../model/api-model.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import { sortBySeverity, type Finding } from '../change.js'
import { type ModelPair, schemaModel } from './context.js'
import { compareModel, describeRemovedModel, describeAddedModel } from './models.js'
import { compareOptions } from './options.js'
import { findRenamedFields, findRenamedModels } from './renames.js'
import { findUnreportedChanges } from './unreported.js'

/**
 * Finds the effects of a schema change on API callers, most important first.
 * @param before undefined if there was no API before, so that everything is new
 * @param after undefined if the API was removed
 */
export function compareApis(before: ApiSnapshot | undefined, after: ApiSnapshot | undefined): readonly Finding[] {
  if (after === undefined)
    return before?.api.models.map((model) => describeRemovedModel(model, true, before.options.styles)) ?? []
  if (before === undefined) {
    return sortBySeverity(after.api.models.map((model) => describeAddedModel(model, true, after.options.styles)))
  }
  const models = findRenamedModels(before.api.models, after.api.models)
  const styles = after.options.styles.filter((style) => before.options.styles.includes(style))
  const hasCursors =
    styles.includes('rest') && [before, after].every(({ options }) => options.features.rest.includes('cursors'))
  const createPair = (oldModel: ModelSpec, newModel: ModelSpec): ModelPair => ({
    before: oldModel,
    after: newModel,
    oldModels: before.api.models,
    newModels: after.api.models,
    oldSchema: schemaModel(before, oldModel.name),
    newSchema: schemaModel(after, newModel.name),
    styles,
    provider: after.api.provider,
    hasCursors,
    models,
    fields: findRenamedFields(oldModel.fields, newModel.fields),
  })
  const findings: Finding[] = [...compareOptions(before, after)]
  const newNames = new Set(models.values())
  for (const model of after.api.models) {
    const oldName = newNames.has(model.name) ? [...models].find(([, name]) => name === model.name)?.[0] : model.name
    const oldModel = before.api.models.find(({ name }) => name === oldName)
    if (oldModel === undefined)
      findings.push(describeAddedModel(model, schemaModel(before, model.name) === undefined, styles))
    else findings.push(...compareModel(createPair(oldModel, model)))
  }
  for (const model of before.api.models) {
    if (models.has(model.name) || after.api.models.some(({ name }) => name === model.name)) continue
    findings.push(describeRemovedModel(model, schemaModel(after, model.name) !== undefined, styles))
  }
  const reported = new Set(findings.flatMap(({ model, member }) => [model, `${model}.${member}`]))
  const unreported = findUnreportedChanges(before.schema, after.schema, (model, member) =>
    reported.has(`${model}.${member}`),
  )
  return sortBySeverity([...findings, ...unreported, ...compareUnexposedModels(before, after)])
}

/** Describes models that were added or removed and were never exposed. */
function compareUnexposedModels(before: ApiSnapshot, after: ApiSnapshot): Finding[] {
  const isUnexposed = ({ api }: ApiSnapshot, name: string) => !api.models.some((model) => model.name === name)
  const hasModel = (snapshot: ApiSnapshot, name: string) => schemaModel(snapshot, name) !== undefined
  const added = after.schema.models.filter(({ name }) => !hasModel(before, name) && isUnexposed(after, name))
  const removed = before.schema.models.filter(({ name }) => !hasModel(after, name) && isUnexposed(before, name))
  return [
    ...added.map(({ name }) => ({
      kind: 'harmless' as const,
      code: 'model-off-the-wire',
      model: name,
      sentence: `\`${name}\` is new and not exposed.`,
    })),
    ...removed.map(({ name }) => ({
      kind: 'harmless' as const,
      code: 'model-off-the-wire',
      model: name,
      sentence: `\`${name}\` was removed. It was not exposed.`,
      removed: true as const,
    })),
  ]
}
