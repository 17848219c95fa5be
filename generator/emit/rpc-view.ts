import { PRISMA_OPERATIONS, type ModelSpec, type PrismaOperation } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import { type ModelNames, modelNames } from './names.js'

/** What `rpc.hbs` shows. */
export interface RpcView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  readonly delegateName: string
  /** Whether a route asks if there is a row. */
  readonly asksExistence: boolean
  /** Whether a route has the methods of an update. */
  readonly updates: boolean
  /** The operations, by their methods. Without empty groups. */
  readonly groups: readonly (readonly CallView[])[]
}

/** One operation's route. */
export interface CallView {
  readonly operation: PrismaOperation
  /** How the router is told its methods, up to the path. */
  readonly register: string
}

/** Operations with the same methods: contract 4.3, and POST for reads with long arguments (design, section 5). */
const GROUPS: readonly { readonly methods: string; readonly register: string; readonly pattern: RegExp }[] = [
  { methods: 'GET, POST', register: 'on(READ_METHODS, ', pattern: /^(find|count|aggregate|groupBy)/ },
  { methods: 'POST', register: 'post(', pattern: /^(create|upsert)/ },
  { methods: 'PATCH, PUT', register: 'on(UPDATE_METHODS, ', pattern: /^update/ },
  { methods: 'DELETE', register: 'delete(', pattern: /^delete/ },
]

export function createRpcView(model: ModelSpec): RpcView {
  const groups = GROUPS.map(({ register, pattern }) =>
    model.prismaOperations.filter((name) => pattern.test(name)).map((operation) => ({ operation, register })),
  )
  return {
    names: modelNames(model.name),
    modelName: model.name,
    model: stringLiteral(model.name),
    delegateName: model.delegate,
    asksExistence: asksExistence(model),
    updates: model.prismaOperations.some((name) => name.startsWith('update')),
    groups: groups.filter((calls) => calls.length > 0),
  }
}

/** `exists` needs what `findFirst` needs: of both, an answer tells whether there is a row. */
function asksExistence({ prismaOperations }: ModelSpec): boolean {
  return prismaOperations.includes('findFirst')
}

/** As wide as the methods of any operation: so no line depends on another one. */
const METHODS_WIDTH = Math.max(...GROUPS.map(({ methods }) => methods.length))

/**
 * The routes of a model for the comment at the top of its file: a line for the operations that go together, as `@api.operations`
 * names them.
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
    ...(asksExistence(model) ? [routeLine('GET, POST', ['exists'])] : []),
    routeLine('GET, POST', ['check']),
  ]
}

function routeLine(methods: string, operations: readonly string[]): string {
  return `${methods.padEnd(METHODS_WIDTH)}  ${operations.map((name) => `/${name}`).join(' ')}`
}
