import { stringLiteral } from '../model/annotations/literal.js'
import type { ApiModel, ModelSpec, RelationSpec } from '../model/api-model.js'

/** What `graph.hbs` shows. */
export interface GraphView {
  readonly models: readonly {
    readonly name: string
    /** The relations that are on the wire and their models, as an object. */
    readonly relations: string
    /** The models of which rows go along with a row that is deleted, as literals. */
    readonly deletes: string
    /** The models of which rows lose their foreign key to it, as literals. */
    readonly changes: string
  }[]
}

export function graphView({ models }: ApiModel): GraphView {
  return {
    models: models.map((model) => ({
      name: model.name,
      relations: objectOf(model.relations.filter(({ exposure }) => exposure !== 'hidden')),
      deletes: literals(referring(models, model, 'Cascade')),
      changes: literals([...referring(models, model, 'SetNull'), ...referring(models, model, 'SetDefault')]),
    })),
  }
}

function objectOf(relations: readonly RelationSpec[]): string {
  const members = relations.map(({ name, target }) => `${name}: ${stringLiteral(target)}`)
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}

/** The models whose rows refer to rows of a model, and of which a database makes something where that is deleted. */
function referring(models: readonly ModelSpec[], target: ModelSpec, action: RelationSpec['onDelete']): string[] {
  return models
    .filter(({ relations }) =>
      relations.some(
        (relation) =>
          relation.foreignKey.length > 0 && relation.target === target.name && actionOf(relation) === action,
      ),
    )
    .map(({ name }) => name)
}

/** Prisma's own default where the schema is silent. */
function actionOf({ onDelete, optional }: RelationSpec): RelationSpec['onDelete'] {
  return onDelete ?? (optional ? 'SetNull' : 'Restrict')
}

function literals(names: readonly string[]): string {
  return [...new Set(names)].map(stringLiteral).join(', ')
}
