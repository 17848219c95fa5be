import { type Allows, ALLOWS } from '../orm/allows.js'
import { type OpenTransaction, transactionsOf } from '../orm/transactions.js'
import type { Resource } from '../schema/resource.js'
import { allows } from './allows.js'
import { enforce, type Enforcement, type GuardedCall, type Part } from './enforce.js'
import type { AbilityLike } from './rules.js'
import { compilePolicySchema } from './schema.js'
import type { Tree } from './tree.js'

/** What `prisma.$extends` takes. Beside keeping to the rules, the client gets `$allows`, which answers what they allow. */
export type PolicyExtension = (client: object) => {
  $extends: { extArgs: { result: {}; model: {}; query: {}; client: { $allows: () => Allows } } }
}

/** One call of an operation, as Prisma tells an extension of it. */
interface PrismaCall extends GuardedCall {
  readonly __internalParams?: { readonly transaction?: OpenTransaction; readonly dataPath?: readonly string[] }
}

/**
 * Binds the policy layer to a schema. What depends on the schema is computed here, once.
 * @param resources the resources of all models that are on the wire
 * @returns makes an extension for an ability: cheap enough for every request, and cheaper yet for an ability that is kept, for which
 *   the same client is given again
 */
export function policies(resources: readonly Resource[]): (ability: AbilityLike) => PolicyExtension {
  const schema = compilePolicySchema(resources)
  const known = new WeakMap<object, WeakMap<AbilityLike, Extended>>()
  return (ability) => (prisma) => {
    const clients = known.get(prisma) ?? new WeakMap<AbilityLike, Extended>()
    known.set(prisma, clients)
    const extended = clients.get(ability) ?? extend(prisma, { schema, ability, transactions: transactionsOf(prisma) })
    clients.set(ability, extended)
    return extended
  }
}

type Extended = ReturnType<PolicyExtension>

function extend(prisma: object, enforcement: Enforcement): Extended {
  const { schema, ability } = enforcement
  const extendable = prisma as { $extends(extension: object): Extended }
  return extendable.$extends({
    name: 'routewright policies',
    client: { [ALLOWS]: allows(schema, ability, prisma) },
    query: { $allModels: { $allOperations: (call: PrismaCall) => answer(call, enforcement) } },
  })
}

function answer(call: PrismaCall, enforcement: Enforcement): Promise<unknown> {
  const params = call.__internalParams
  const path = params?.dataPath
  return enforce(call, enforcement, params?.transaction, path && path.length > 0 ? partAt(path, call) : undefined)
}

/** `findUnique(…).author()`: Prisma would give the author alone, and what is planned is about the row that has it. */
function partAt(path: readonly string[], { operation }: PrismaCall): Part {
  return {
    async whole(client, { delegate }, args) {
      const operations: Readonly<Record<string, (args: Tree) => PromiseLike<unknown>>> = Reflect.get(client, delegate)
      return operations[operation]?.(args)
    },
    of: (result) =>
      path
        .filter((_, index) => index % 2 === 1)
        .reduce<unknown>(
          (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null),
          result,
        ),
  }
}
