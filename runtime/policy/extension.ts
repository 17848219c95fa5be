import { type Allows, ALLOWS } from '../orm/allows.js'
import { computedLookup } from '../orm/computed.js'
import { INNER_EXTENSION } from '../orm/client-port.js'
import { INTERNAL_EXTENSION } from '../orm/query-extensions.js'
import { getPrimary, withReplicas } from '../orm/primary.js'
import { type OpenTransaction, getTransactions } from '../orm/transactions.js'
import type { Resource } from '../schema/resource.js'
import { checkAllowed } from './check.js'
import { enforce, type Enforcement, type GuardedCall, type PartialResult, NO_HOOK_INTEGRATION } from './enforce.js'
import { type AbilityLike, type Rules, rulesFromAbility } from './rules/rules.js'
import { compilePolicySchema, type PolicySchema } from './schema.js'
import type { Args } from './args.js'

/** An extension for `prisma.$extends`. The client enforces the rules and has `$check`, which returns whether they allow an action. */
export type PolicyExtension = (client: object) => {
  $extends: { extArgs: { result: {}; model: {}; query: {}; client: { $check: () => Allows } } }
}

/** One call of an operation, as Prisma tells an extension of it. */
interface PrismaCall extends GuardedCall {
  readonly __internalParams?: { readonly transaction?: OpenTransaction; readonly dataPath?: readonly string[] }
  query(args: unknown, params?: object): Promise<unknown>
}

/**
 * Binds the policy layer to a schema. What depends on the schema is computed here, once.
 * @param resources the resources of all models that are on the wire
 * @returns makes an extension for an ability: cheap enough for every request, and cheaper yet for an ability that is kept, for which
 *   the same client is given again
 */
export function createPolicies(resources: readonly Resource[]): (ability: AbilityLike) => PolicyExtension {
  const schema = compilePolicySchema(resources)
  const known = new WeakMap<object, WeakMap<AbilityLike, Extended>>()
  return (ability) => (prisma) => {
    const clients = known.get(prisma) ?? new WeakMap<AbilityLike, Extended>()
    known.set(prisma, clients)
    const extended = clients.get(ability) ?? extend(prisma, schema, ability)
    clients.set(ability, extended)
    return extended
  }
}

type Extended = ReturnType<PolicyExtension>

/** A client that sees every row, and the rules that another one keeps to. */
export interface PolicyTarget {
  readonly client: object
  readonly schema: PolicySchema
  readonly rules: () => Rules
}

const policied = new WeakMap<object, PolicyTarget>()

/** What of a client tells how it was extended. None of Prisma's documented members. */
interface Layered {
  readonly _extensions?: { readonly head?: Layer | undefined }
  readonly _appliedParent?: object
}

interface Layer {
  readonly extension: object
  readonly previous?: Layer | undefined
}

/**
 * What a client keeps to, for hooks, which stand around it. Prisma calls the extension first that was put on first: where others were
 * put on after policies, hooks would hear of no write that policies take apart. So those others are put on the client beneath.
 * @returns undefined where it has no policies
 */
export function policyTarget(client: object): PolicyTarget | undefined {
  const known = policied.get(client)
  if (known) return known
  const later: object[] = []
  let at: Layered = client
  for (let layer = at._extensions?.head; layer; layer = layer.previous) {
    later.unshift(layer.extension)
    const parent = at._appliedParent
    if (!parent) return undefined
    const beneath = policied.get(parent)
    if (beneath) {
      const made = { ...beneath, client: later.reduce(extendedWith, beneath.client) }
      policied.set(client, made)
      return made
    }
    at = parent
  }
  return undefined
}

function extendedWith(client: object, extension: object): object {
  const extendable = client as { $extends(extension: object): object }
  return extendable.$extends(extension)
}

/** Puts the same policies on the same client with an extension. */
const again = new WeakMap<object, (extension: object) => Extended>()

/**
 * The same client, with an extension beneath its policies: so it sees each query that they make of a call, and extensions that were put
 * on after them stay where they are.
 */
function withBeneath(client: Layered, extension: object): object {
  const later: object[] = []
  let at: Layered | undefined = client
  for (let layer = at._extensions?.head; at && layer; layer = layer.previous) {
    const extended = again.get(at)?.(extension)
    if (extended) return later.reduce(extendedWith, extended)
    later.unshift(layer.extension)
    at = at._appliedParent
  }
  throw new Error('This version of Prisma does not let a request under access policies have a time limit.')
}

function extend(prisma: object, schema: PolicySchema, ability: AbilityLike): Extended {
  const rules = () => rulesFromAbility(ability, schema)
  const primary = getPrimary(prisma)
  const transactions = getTransactions(primary)
  const computed = computedLookup(primary)
  const enforcement = { schema, rules, transactions, computed, hooking: NO_HOOK_INTEGRATION }
  const guarded = guardedClient(primary, enforcement, {
    [INNER_EXTENSION](this: object, extension: object) {
      return withBeneath(this, extension)
    },
  })
  policied.set(guarded, { client: primary, schema, rules })
  again.set(guarded, (extension) => extend(extendedWith(primary, extension), schema, ability))
  const extended = withReplicas(prisma, guarded)
  policied.set(extended, { client: prisma, schema, rules })
  return extended
}

/**
 * A client whose calls are answered by {@link enforce}.
 * @param prisma sees every row
 * @param members what more it has
 * @param show makes of a result what is given
 */
export function guardedClient(
  prisma: object,
  enforcement: Enforcement,
  members: object = {},
  show?: (result: unknown, model: string, operation: string) => unknown,
): Extended {
  const extendable = prisma as { $extends(extension: object): Extended }
  const given = (call: PrismaCall) => answer(call, enforcement)
  const shown = async (call: PrismaCall) => show?.(await given(call), call.model, call.operation)
  return extendable.$extends({
    name: INTERNAL_EXTENSION,
    client: { [ALLOWS]: checkAllowed(enforcement.schema, enforcement.rules, prisma), ...members },
    query: { $allModels: { $allOperations: show ? shown : given } },
  })
}

function answer(call: PrismaCall, enforcement: Enforcement): Promise<unknown> {
  const params = call.__internalParams
  const path = params?.dataPath
  // With parameters of its own: Prisma notes the new arguments in them, and computes fields by what it finds there. It is to compute
  // those that the caller asked for.
  const guarded = params ? { ...call, query: (args: unknown) => call.query(args, { ...params }) } : call
  return enforce(guarded, enforcement, params?.transaction, path && path.length > 0 ? partAt(path, call) : undefined)
}

/** `findUnique(…).author()`: Prisma would give the author alone, and what is planned is about the row that has it. */
function partAt(path: readonly string[], { operation }: PrismaCall): PartialResult {
  return {
    async whole(client, { delegate }, args) {
      const operations: Readonly<Record<string, (args: Args) => PromiseLike<unknown>>> = Reflect.get(client, delegate)
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
