import { type ApiModel, type ModelSpec, PRISMA_OPERATIONS, type PrismaOperation } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { Options } from '../options.js'
import { createRestView } from './rest-view.js'
import { createRpcView } from './rpc-view.js'

/** The data of `calls.hbs`. */
export interface CallsView {
  readonly modelName: string
  readonly model: string
  readonly delegateName: string
  /** The operations that routes call, in the order of the Prisma client. */
  readonly operations: readonly PrismaOperation[]
}

/** Creates the views, by model name, of all models whose operations are called by their own routes or by those of related models. */
export function createCallsViews(
  { models }: ApiModel,
  { styles, nestedRoutes }: Pick<Options, 'styles' | 'nestedRoutes'>,
): ReadonlyMap<string, CallsView> {
  const used = new Map(models.map(({ name }) => [name, new Set<PrismaOperation>()]))
  const add = (name: string, ...operations: readonly (PrismaOperation | false)[]) => {
    for (const operation of operations) if (operation !== false) used.get(name)?.add(operation)
  }
  for (const model of models) {
    if (styles.includes('rest')) addRestCalls(model, nestedRoutes ? models : [], add)
    if (styles.includes('rpc')) {
      const { groups, hasExists } = createRpcView(model)
      add(model.name, ...groups.flat().map(({ operation }) => operation), hasExists && 'findFirst')
    }
  }
  const all = Object.keys(PRISMA_OPERATIONS) as PrismaOperation[]
  return new Map(
    models.flatMap((model): (readonly [string, CallsView])[] => {
      const operations = all.filter((operation) => used.get(model.name)?.has(operation))
      const view = { modelName: model.name, model: stringLiteral(model.name), delegateName: model.delegate, operations }
      return operations.length > 0 ? [[model.name, view]] : []
    }),
  )
}

function addRestCalls(
  model: ModelSpec,
  targets: readonly ModelSpec[],
  add: (name: string, ...operations: readonly (PrismaOperation | false)[]) => void,
): void {
  const { can, relations } = createRestView(model, targets)
  add(
    model.name,
    can.list && 'findMany',
    can.create && 'create',
    can.get && 'findUnique',
    can.update && 'update',
    can.delete && 'delete',
  )
  for (const { many, target, read, replace, nested } of relations) {
    add(many ? target : model.name, read && (many ? 'findMany' : 'findUnique'))
    add(model.name, replace && 'update')
    if (!nested) continue
    add(target, nested.create && 'create', nested.get && 'findUnique', nested.update && 'update')
    add(target, nested.delete && 'delete')
  }
}
