import type { ModelSpec, PrismaOperation } from '../model/api-model.js'
import { stringLiteral } from '../model/literal.js'
import { type ModelNames, modelNames } from './names.js'

/** What `rpc.hbs` shows. */
export interface RpcView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  readonly delegateName: string
  readonly calls: readonly CallView[]
}

/** One operation's route. */
export interface CallView {
  readonly operation: PrismaOperation
  /** The name of its arguments' type in the client's `Prisma` namespace. */
  readonly argsType: string
  /** How Hono is told its methods, up to the path. */
  readonly register: string
  /** Made again where it lost a race. */
  readonly retried: boolean
}

const READ = { methods: 'GET, POST', register: 'on(["GET", "POST"], ' } as const
const CREATE = { methods: 'POST', register: 'post(' } as const
const UPDATE = { methods: 'PATCH, PUT', register: 'on(["PATCH", "PUT"], ' } as const
const DELETE = { methods: 'DELETE', register: 'delete(' } as const

/** The methods of each operation: contract 4.3, and POST for reads with long arguments (design, section 5). */
const METHODS: Readonly<Record<PrismaOperation, { readonly methods: string; readonly register: string }>> = {
  findMany: READ,
  findFirst: READ,
  findFirstOrThrow: READ,
  findUnique: READ,
  findUniqueOrThrow: READ,
  count: READ,
  aggregate: READ,
  groupBy: READ,
  create: CREATE,
  createMany: CREATE,
  createManyAndReturn: CREATE,
  update: UPDATE,
  updateMany: UPDATE,
  updateManyAndReturn: UPDATE,
  upsert: CREATE,
  delete: DELETE,
  deleteMany: DELETE,
}

export function rpcView(model: ModelSpec): RpcView {
  return {
    names: modelNames(model.name),
    modelName: model.name,
    model: stringLiteral(model.name),
    delegateName: model.delegate,
    calls: model.prismaOperations.map((operation) => ({
      operation,
      argsType: `${model.name}${operation.charAt(0).toUpperCase()}${operation.slice(1)}Args`,
      register: METHODS[operation].register,
      retried: operation === 'upsert',
    })),
  }
}

/** The routes of a model, a line per group of methods, for the comment at the top of its file. */
export function rpcRouteTable(model: ModelSpec): string[] {
  const groups = new Map<string, string[]>()
  for (const operation of model.prismaOperations) {
    const { methods } = METHODS[operation]
    groups.set(methods, [...(groups.get(methods) ?? []), operation])
  }
  groups.set(READ.methods, [...(groups.get(READ.methods) ?? []), 'check'])
  const width = Math.max(...[...groups.keys()].map((methods) => methods.length))
  return [...groups].flatMap(([methods, operations]) => wrap(methods.padEnd(width), operations))
}

/** Operations after their methods, on as many lines as they need. */
function wrap(methods: string, operations: readonly string[]): string[] {
  const lines: string[] = []
  let line = `${methods} `
  for (const operation of operations) {
    const next = `${line} /${operation}`
    if (next.length > 76) {
      lines.push(line)
      line = `${' '.repeat(methods.length + 1)} /${operation}`
    } else {
      line = next
    }
  }
  return [...lines, line]
}
