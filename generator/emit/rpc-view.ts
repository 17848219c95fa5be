import { PRISMA_OPERATIONS, type ModelSpec, type PrismaOperation } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import { type ModelNames, modelNames } from './names.js'

/** The data of `rpc.hbs`. */
export interface RpcView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  /** Whether the model has an `exists` route. */
  readonly hasExists: boolean
  /** The operations grouped by HTTP method. Empty groups are omitted. */
  readonly groups: readonly (readonly CallView[])[]
}

/** The route of one operation. */
export interface CallView {
  readonly operation: PrismaOperation
  /** The start of the router call, up to the path. */
  readonly register: string
}

/** The HTTP methods of the operations: contract 4.3. Reads also accept POST for long arguments (design, section 5). */
const GROUPS: readonly { readonly methods: string; readonly register: string; readonly pattern: RegExp }[] = [
  { methods: 'GET, POST', register: 'on(rpc.READ_METHODS, ', pattern: /^(find|count|aggregate|groupBy)/ },
  { methods: 'POST', register: 'post(', pattern: /^(create|upsert)/ },
  { methods: 'PATCH, PUT', register: 'on(rpc.UPDATE_METHODS, ', pattern: /^update/ },
  { methods: 'DELETE', register: 'delete(', pattern: /^delete/ },
]

/** Creates the view of a model's RPC routes. */
export function createRpcView(model: ModelSpec): RpcView {
  const groups = GROUPS.map(({ register, pattern }) =>
    model.prismaOperations.filter((name) => pattern.test(name)).map((operation) => ({ operation, register })),
  )
  return {
    names: modelNames(model.name),
    modelName: model.name,
    model: stringLiteral(model.name),
    hasExists: hasExists(model),
    groups: groups.filter((calls) => calls.length > 0),
  }
}

/** `exists` requires the same operation as `findFirst`, because both reveal whether a row exists. */
function hasExists({ prismaOperations }: ModelSpec): boolean {
  return prismaOperations.includes('findFirst')
}

/** The width of the methods column. It is constant, so that a changed operation does not affect other lines in a diff. */
const METHODS_WIDTH = Math.max(...GROUPS.map(({ methods }) => methods.length))

/**
 * Returns the route table for the header comment of a model's file. Each line lists the operations that require the same `@api.operations`.
 */
export function rpcRouteTable(model: ModelSpec): string[] {
  const lines = GROUPS.flatMap(({ methods, pattern }) => {
    const byNeed = new Map<string, string[]>()
    for (const name of model.prismaOperations.filter((each) => pattern.test(each))) {
      const need = PRISMA_OPERATIONS[name].join()
      byNeed.set(need, [...(byNeed.get(need) ?? []), name])
    }
    return [...byNeed.values()].map((names) => routeLine(methods, names))
  })
  return [
    ...lines,
    ...(hasExists(model) ? [routeLine('GET, POST', ['exists'])] : []),
    routeLine('GET, POST', ['check']),
  ]
}

function routeLine(methods: string, operations: readonly string[]): string {
  return `${methods.padEnd(METHODS_WIDTH)}  ${operations.map((name) => `/${name}`).join(' ')}`
}
