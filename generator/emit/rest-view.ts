import type { EnabledFeatures } from '../features.js'
import type { ModelSpec, Operation, PrismaOperation, RelationSpec } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import { requiresVersions } from '../model/version-field.js'
import { isUpsertKey } from '../model/writable-fields.js'
import { type ModelNames, modelNames } from './names.js'

/** The data of `rest.hbs`. */
export interface RestView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  readonly can: Readonly<Record<Operation | 'upsert', boolean>>
  readonly relations: readonly RelationView[]
}

/** The routes of one relation. */
export interface RelationView {
  readonly name: string
  /** The relation's type as in the schema: `User`, `User?` or `Comment[]`. */
  readonly type: string
  readonly many: boolean
  /** The target model. */
  readonly target: string
  /** The call that reads the relation: the target model's for lists, otherwise the model's own. */
  readonly readCall: string
  readonly read: boolean
  readonly replace: boolean
  readonly add: boolean
  readonly remove: boolean
  /** The nested routes of the relation, if the feature `nestedRoutes` is enabled. */
  readonly nested: NestedView | undefined
}

/** The routes that access a related resource through its parent. */
export interface NestedView {
  /** The name of the target model's calls. */
  readonly calls: string
  readonly create: boolean
  /** Only for to-many relations. A to-one resource is read at the relation's path. */
  readonly get: boolean
  readonly update: boolean
  readonly delete: boolean
}

/**
 * Creates the view of a model's REST routes.
 * @param models all models of the API
 */
export function createRestView(model: ModelSpec, models: readonly ModelSpec[], { rest }: EnabledFeatures): RestView {
  const can = (operation: Operation) => model.operations.includes(operation)
  const relations = model.relations
    .map((relation) => relationView(model, relation, can, models, rest.includes('nestedRoutes')))
    .filter((relation) => relation.read || relation.replace || relation.nested)
  return {
    names: modelNames(model.name),
    modelName: model.name,
    model: stringLiteral(model.name),
    can: {
      list: can('list'),
      get: can('get'),
      create: can('create'),
      upsert: model.uniques.some(({ fields }) => isUpsertKey(fields, model)),
      update: can('update'),
      delete: can('delete'),
    },
    relations,
  }
}

/** Returns the Prisma calls that a model's REST routes make, with the models that they query. May contain duplicates. */
export function restCalls({ modelName, can, relations }: RestView): (readonly [model: string, PrismaOperation])[] {
  const callsTo = (model: string, ...operations: readonly (PrismaOperation | false | undefined)[]) =>
    operations.flatMap((operation) => (operation ? [[model, operation] as const] : []))
  return [
    ...callsTo(modelName, can.list && 'findMany', can.create && 'create', can.get && 'findUnique'),
    ...callsTo(modelName, can.update && 'update', can.delete && 'delete'),
    ...relations.flatMap(({ many, target, read, replace, nested }) => [
      ...callsTo(many ? target : modelName, read && (many ? 'findMany' : 'findUnique')),
      ...callsTo(modelName, replace && 'update'),
      ...callsTo(target, nested?.create && 'create', nested?.get && 'findUnique'),
      ...callsTo(target, nested?.update && 'update', nested?.delete && 'delete'),
    ]),
  ]
}

/** The width of the methods column. It is constant, so that a changed route does not affect other lines in a diff. */
const METHODS_WIDTH = 'GET, PATCH, PUT, POST, DELETE'.length

/** Returns the route table for the header comment of a model's file, one line per path. */
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
  const itemMethods = nested && [nested.get && 'GET', ...updates, nested.delete && 'DELETE']
  return many
    ? [
        [[read && 'GET', (nested?.create ?? false) && 'POST'], `/:id/${name}`],
        [itemMethods ?? [], `/:id/${name}/:relatedId`],
      ]
    : [[[read && 'GET', ...updates], `/:id/${name}`]]
}

function relationView(
  model: ModelSpec,
  relation: RelationSpec,
  can: (operation: Operation) => boolean,
  models: readonly ModelSpec[],
  hasNestedRoutes: boolean,
): RelationView {
  const target = models.find(({ name }) => name === relation.target)
  const read = relation.exposure !== 'hidden' && can('get')
  const write = relation.exposure === 'full' && can('update') && !requiresVersions(relation, target)
  return {
    name: relation.name,
    type: `${relation.target}${relation.many ? '[]' : relation.optional ? '?' : ''}`,
    many: relation.many,
    target: relation.target,
    readCall: relation.many ? `${callsOf(model, relation.target)}.findMany` : 'calls.findUnique',
    read,
    replace: write,
    add: write && relation.many,
    remove: write && relation.many && !relation.dependent,
    nested: hasNestedRoutes ? nestedView(model, relation, can, target) : undefined,
  }
}

/** No nested routes are emitted for a relation with this name, because their paths would conflict with relationship routes. */
const LINKAGE = 'relationships'

/** Returns the name under which a model's routes import the calls of a model. */
export function callsOf(model: ModelSpec, target: string): string {
  return target === model.name ? 'calls' : modelNames(target).calls
}

function nestedView(
  model: ModelSpec,
  { name, inverse, many, exposure }: RelationSpec,
  can: (operation: Operation) => boolean,
  target: ModelSpec | undefined,
): NestedView | undefined {
  if (!target || name === LINKAGE || exposure === 'hidden' || !can('get')) return undefined
  const allows = (operation: Operation) => target.operations.includes(operation)
  const inverseRelation = target.relations.find((relation) => relation.name === inverse)
  const nested = {
    calls: callsOf(model, target.name),
    create: many && inverseRelation?.exposure === 'full' && allows('create'),
    get: many && allows('get'),
    update: allows('update'),
    delete: many && allows('delete'),
  }
  return nested.create || nested.get || nested.update || nested.delete ? nested : undefined
}
