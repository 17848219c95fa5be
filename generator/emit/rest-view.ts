import type { ModelSpec, Operation, RelationSpec } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import { delegateName } from '../model/names.js'
import { type ModelNames, modelNames } from './names.js'

/** What `rest.hbs` shows. */
export interface RestView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  readonly delegateName: string
  readonly can: Readonly<Record<Operation | 'upsert', boolean>>
  /** Whether a route has the methods of an update. */
  readonly updates: boolean
  readonly relations: readonly RelationView[]
}

/** One relation's routes. */
export interface RelationView {
  readonly name: string
  /** As the schema spells it: `User`, `User?`, `Comment[]`. */
  readonly type: string
  readonly many: boolean
  /** The delegate that its reads ask: of the model at the other end where they are lists, else of the model itself. */
  readonly readDelegate: string
  readonly read: boolean
  readonly replace: boolean
  readonly add: boolean
  readonly remove: boolean
  /** The routes below it, which the option `nestedRoutes` emits. */
  readonly nested: NestedView | undefined
}

/** The routes that reach what a relation leads to through the row that has it. */
export interface NestedView {
  /** The delegate of the model at the other end. */
  readonly delegate: string
  readonly create: boolean
  /** Of a to-many relation; what a to-one leads to is read at the path of the relation. */
  readonly get: boolean
  readonly update: boolean
  readonly delete: boolean
}

/**
 * @param targets the models that are reached through others too. None: there are no such routes
 */
export function createRestView(model: ModelSpec, targets: readonly ModelSpec[]): RestView {
  const can = (operation: Operation) => model.operations.includes(operation)
  const relations = model.relations
    .map((relation) => relationView(model, relation, can, targets))
    .filter((relation) => relation.read || relation.replace || relation.nested)
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
    updates: can('update') || relations.some(({ replace, nested }) => replace || nested?.update),
    relations,
  }
}

/** As wide as all methods that a path can have: so no line depends on another one. */
const METHODS_WIDTH = 'GET, PATCH, PUT, POST, DELETE'.length

/** The routes of a model, a line each path, for the comment at the top of its file. */
export function restRouteTable(view: RestView): string[] {
  const { can } = view
  const rows: (readonly [methods: readonly (string | false)[], path: string])[] = [
    [[can.list && 'GET', can.create && 'POST'], '/'],
    [[can.get && 'GET', can.update && 'PATCH', can.update && 'PUT', can.delete && 'DELETE'], '/:id'],
    ...view.relations.flatMap(
      (relation) =>
        [
          ...relatedRows(relation),
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
  return rows
    .map(([methods, path]) => [methods.filter((method) => method !== false).join(', '), path] as const)
    .filter(([methods]) => methods !== '')
    .map(([methods, path]) => `${methods.padEnd(METHODS_WIDTH)}  ${path}`)
}

function relatedRows({
  name,
  many,
  read,
  nested,
}: RelationView): (readonly [methods: readonly (string | false)[], path: string])[] {
  const updates = nested?.update ? ['PATCH', 'PUT'] : []
  const members = nested && [nested.get && 'GET', ...updates, nested.delete && 'DELETE']
  return many
    ? [
        [[read && 'GET', (nested?.create ?? false) && 'POST'], `/:id/${name}`],
        [members ?? [], `/:id/${name}/:relatedId`],
      ]
    : [[[read && 'GET', ...updates], `/:id/${name}`]]
}

function relationView(
  model: ModelSpec,
  relation: RelationSpec,
  can: (operation: Operation) => boolean,
  targets: readonly ModelSpec[],
): RelationView {
  const read = relation.exposure !== 'hidden' && can('get')
  const write = relation.exposure === 'full' && can('update') && !keepsMembers(relation, targets)
  return {
    name: relation.name,
    type: `${relation.target}${relation.many ? '[]' : relation.optional ? '?' : ''}`,
    many: relation.many,
    readDelegate: relation.many ? delegateName(relation.target) : model.delegate,
    read,
    replace: write,
    add: write && relation.many,
    remove: write && relation.many && !relation.dependent,
    nested: nestedView(relation, can, targets),
  }
}

/** Whether members hold the foreign key, and are changed only by who names their version: so not by who changes the relation from here. */
function keepsMembers({ target, inverse }: RelationSpec, targets: readonly ModelSpec[]): boolean {
  const model = targets.find(({ name }) => name === target)
  const back = model?.relations.find(({ name }) => name === inverse)
  return (back?.foreignKey.length ?? 0) > 0 && (model?.fields.some(({ version }) => version === 'required') ?? false)
}

/** The path of a linkage, where a relation has its name, would be that of a member too. */
const LINKAGE = 'relationships'

function nestedView(
  { name, target: targetName, inverse, many, exposure }: RelationSpec,
  can: (operation: Operation) => boolean,
  targets: readonly ModelSpec[],
): NestedView | undefined {
  const target = targets.find((one) => one.name === targetName)
  if (!target || name === LINKAGE || exposure === 'hidden' || !can('get')) return undefined
  const offers = (operation: Operation) => target.operations.includes(operation)
  const back = target.relations.find((relation) => relation.name === inverse)
  const nested = {
    delegate: target.delegate,
    create: many && back?.exposure === 'full' && offers('create'),
    get: many && offers('get'),
    update: offers('update'),
    delete: many && offers('delete'),
  }
  return nested.create || nested.get || nested.update || nested.delete ? nested : undefined
}
