import type { ModelSpec, Operation, RelationSpec } from '../model/api-model.js'
import { stringLiteral } from '../model/literal.js'
import { delegateName } from '../model/names.js'
import { type ModelNames, modelNames } from './names.js'

/** What `rest.hbs` shows. */
export interface RestView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  readonly delegateName: string
  readonly can: Readonly<Record<Operation | 'upsert', boolean>>
  readonly relations: readonly RelationView[]
}

/** One relation's routes. */
export interface RelationView {
  readonly name: string
  readonly literal: string
  /** As the schema spells it: `User`, `User?`, `Comment[]`. */
  readonly type: string
  readonly many: boolean
  /** The delegate of the model at the other end. */
  readonly targetDelegate: string
  readonly read: boolean
  readonly replace: boolean
  readonly add: boolean
  readonly remove: boolean
}

export function restView(model: ModelSpec): RestView {
  const can = (operation: Operation) => model.operations.includes(operation)
  return {
    names: modelNames(model.name),
    modelName: model.name,
    model: stringLiteral(model.name),
    delegateName: model.delegate,
    can: {
      list: can('list'),
      get: can('get'),
      create: can('create'),
      upsert: can('create') && can('update'),
      update: can('update'),
      delete: can('delete'),
    },
    relations: model.relations
      .map((relation) => relationView(relation, can))
      .filter((relation) => relation.read || relation.replace),
  }
}

/** The routes of a model, a line each, for the comment at the top of its file. */
export function restRouteTable(view: RestView): string[] {
  const { can } = view
  const rows: (readonly [methods: readonly (string | false)[], path: string])[] = [
    [[can.list && 'GET', can.create && 'POST'], '/'],
    [[can.get && 'GET', can.update && 'PATCH', can.update && 'PUT', can.delete && 'DELETE'], '/:id'],
    ...view.relations.flatMap(
      (relation) =>
        [
          [[relation.read && 'GET'], `/:id/${relation.name}`],
          [
            [
              relation.read && 'GET',
              ...(relation.replace ? ['PATCH', 'PUT'] : []),
              relation.add && 'POST',
              relation.remove && 'DELETE',
            ],
            `/:id/relationships/${relation.name}`,
          ],
        ] as const,
    ),
  ]
  const table = rows.map(([methods, path]) => [methods.filter((method) => method !== false).join(', '), path] as const)
  const width = Math.max(0, ...table.map(([methods]) => methods.length))
  return table.filter(([methods]) => methods !== '').map(([methods, path]) => `${methods.padEnd(width)}  ${path}`)
}

function relationView(relation: RelationSpec, can: (operation: Operation) => boolean): RelationView {
  const read = relation.exposure !== 'hidden' && can('get')
  const write = relation.exposure === 'full' && can('update')
  return {
    name: relation.name,
    literal: stringLiteral(relation.name),
    type: `${relation.target}${relation.many ? '[]' : relation.optional ? '?' : ''}`,
    many: relation.many,
    targetDelegate: delegateName(relation.target),
    read,
    replace: write,
    add: write && relation.many,
    remove: write && relation.many && !relation.dependent,
  }
}
