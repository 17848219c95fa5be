import type { Diagnostic } from '../errors.js'
import type { SchemaModel } from '../schema/schema.js'
import { folderName, identifierStem } from './names.js'

/** Reports models that would have the same path, folder or exports. */
export function reportNameConflicts(
  models: readonly Pick<SchemaModel, 'name'>[],
  report: (problem: Diagnostic) => void,
): void {
  const shared = [
    { of: (name: string) => name.toLowerCase(), what: 'It would have the same path as' },
    { of: folderName, what: 'Its files would be written to the same folder as those of' },
    { of: identifierStem, what: 'Its files would export the same names as those of' },
  ]
  const taken = shared.map(() => new Map<string, string>())
  for (const model of models) {
    const clash = shared.map(({ of, what }, index) => ({ what, other: taken[index]?.get(of(model.name)) }))
    const found = clash.find(({ other }) => other !== undefined)
    if (found) {
      const hint = 'Rename one of the models, and keep the name of its table with "@@map".'
      report({ location: { model: model.name }, what: `${found.what} ${found.other}.`, hint })
    }
    for (const [index, { of }] of shared.entries()) taken[index]?.set(of(model.name), model.name)
  }
}
