import { PolicyError } from '../errors/policy-error.js'
import type { Resource } from '../resource.js'
import { type RootClient, rootClient, type Transaction } from './client.js'
import { findReadable } from './find.js'
import type { Reading } from './read.js'
import { READS } from './read-args.js'
import { type AbilityLike, type Action, type Rules, rulesOf } from './rules.js'
import { compilePolicySchema, type PolicySchema } from './schema.js'
import { deny, type Tree } from './tree.js'

/** What `prisma.$extends` takes. It adds no type to the client's. */
export type PolicyExtension = (client: object) => {
  $extends: { extArgs: { result: {}; model: {}; query: {}; client: {} } }
}

/** One call of an operation, as Prisma tells an extension of it. */
interface Call {
  readonly model: string
  readonly operation: string
  readonly args: Tree | undefined
  query(args: unknown): Promise<unknown>
  readonly __internalParams?: { readonly transaction?: Transaction }
}

/** What a call is answered with. */
interface Enforcement {
  readonly schema: PolicySchema
  readonly ability: AbilityLike
  readonly client: RootClient
}

/**
 * Binds the policy layer to a schema. What depends on the schema is computed here, once.
 * @param resources the resources of all models that are on the wire
 * @returns makes an extension for an ability: cheap enough for every request
 */
export function policies(resources: readonly Resource[]): (ability: AbilityLike) => PolicyExtension {
  const schema = compilePolicySchema(resources)
  return (ability) => (prisma) => {
    const client = rootClient(prisma)
    const enforcement: Enforcement = { schema, ability, client }
    const extendable = prisma as { $extends(extension: object): ReturnType<PolicyExtension> }
    return extendable.$extends({
      name: 'routewright policies',
      query: { $allModels: { $allOperations: (call: Call) => answer(call, enforcement) } },
    })
  }
}

async function answer(call: Call, { schema, ability, client }: Enforcement): Promise<unknown> {
  const model = schema.get(call.model)
  if (!model) return deny(`${call.model} cannot be used under access policies: it has no resource.`)
  const rules: Rules = rulesOf(ability, schema)
  const args = call.args ?? {}
  const transaction = call.__internalParams?.transaction
  const read = READS.get(call.operation)
  if (read) {
    const reading: Reading = { rules, cursors: [] }
    const query = read(reading, model, args)
    if (query.args === args && !query.plan) return call.query(call.args)
    const inner = () => (transaction?.kind === 'itx' ? client.inside(transaction) : client)
    return findReadable(query, reading, inner, (rewritten) => call.query(rewritten))
  }
  throw new PolicyError(`${call.operation} cannot be used under access policies.`)
}

export type { Action }
