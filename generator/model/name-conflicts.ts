import type { Diagnostic } from '../errors.js'
import type { SchemaModel } from '../schema/schema.js'
import { folderName, identifierStem } from './names.js'

/** Reports models that would have the same path, folder or exports. */
export function reportNameConflicts(
  models: readonly Pick<SchemaModel, 'name'>[],
  report: (problem: Diagnostic) => void,
): void {
  const namespaces = [
    { toKey: (name: string) => name.toLowerCase(), conflict: 'The model would have the same path as' },
    { toKey: folderName, conflict: 'Its files would be written to the same folder as those of' },
    { toKey: identifierStem, conflict: 'Its files would export the same names as those of' },
  ]
  const usedKeys = namespaces.map(() => new Map<string, string>())
  for (const model of models) {
    const conflicts = namespaces.map(({ toKey, conflict }, index) => ({
      what: conflict,
      otherModel: usedKeys[index]?.get(toKey(model.name)),
    }))
    const found = conflicts.find(({ otherModel }) => otherModel !== undefined)
    if (found) {
      const hint = 'Rename one of the models, and keep its table name with "@@map".'
      report({ location: { model: model.name }, message: `${found.what} ${found.otherModel}.`, hint })
    }
    for (const [index, { toKey }] of namespaces.entries()) usedKeys[index]?.set(toKey(model.name), model.name)
  }
}
