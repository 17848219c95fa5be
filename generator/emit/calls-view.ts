import { type ApiModel, PRISMA_OPERATIONS, type PrismaOperation } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { Options } from '../options.js'
import { createRestView, restCalls } from './rest-view.js'

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
  { styles, features }: Pick<Options, 'styles' | 'features'>,
): ReadonlyMap<string, CallsView> {
  const calls = models.flatMap((model) => [
    ...(styles.includes('rest') ? restCalls(createRestView(model, models, features)) : []),
    ...(styles.includes('rpc') ? model.prismaOperations.map((operation) => [model.name, operation] as const) : []),
  ])
  const used = new Set(calls.map((call) => call.join('.')))
  return new Map(
    models.flatMap(({ name, delegate }): (readonly [string, CallsView])[] => {
      const operations = ALL.filter((operation) => used.has(`${name}.${operation}`))
      const view = { modelName: name, model: stringLiteral(name), delegateName: delegate, operations }
      return operations.length > 0 ? [[name, view]] : []
    }),
  )
}

const ALL = Object.keys(PRISMA_OPERATIONS) as PrismaOperation[]
