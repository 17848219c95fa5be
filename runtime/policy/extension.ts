import { type Allows, ALLOWS } from '../orm/allows.js'
import { PolicyError } from '../errors/policy-error.js'
import type { Resource } from '../schema/resource.js'
import { allows } from './allows.js'
import { type BaseClient, callOperation, type RootClient, rootClient, type Transaction } from './client.js'
import { findReadable } from './find.js'
import { readingOf } from './read.js'
import { READS } from './read-args.js'
import { type AbilityLike, rulesOf } from './rules.js'
import { compilePolicySchema, type PolicySchema } from './schema.js'
import { deny, type Tree } from './tree.js'
import { WRITES, writingOf } from './write/operations.js'
import { isPlainWrite } from './write/plain.js'

/** What `prisma.$extends` takes. Beside keeping to the rules, the client gets `$allows`, which answers what they allow. */
export type PolicyExtension = (client: object) => {
  $extends: { extArgs: { result: {}; model: {}; query: {}; client: { $allows: () => Allows } } }
}

/** One call of an operation, as Prisma tells an extension of it. */
interface Call {
  readonly model: string
  readonly operation: string
  readonly args: Tree | undefined
  query(args: unknown): Promise<unknown>
  readonly __internalParams?: { readonly transaction?: Transaction; readonly dataPath?: readonly string[] }
}

/** What calls are answered by. */
interface Enforcement {
  readonly schema: PolicySchema
  readonly ability: AbilityLike
  readonly client: RootClient
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
    const extended = clients.get(ability) ?? extend(prisma, { schema, ability, client: rootClient(prisma) })
    clients.set(ability, extended)
    return extended
  }
}

type Extended = ReturnType<PolicyExtension>

function extend(prisma: object, enforcement: Enforcement): Extended {
  const { schema, ability, client } = enforcement
  const extendable = prisma as { $extends(extension: object): Extended }
  return extendable.$extends({
    name: 'routewright policies',
    client: { [ALLOWS]: allows(schema, ability, client) },
    query: { $allModels: { $allOperations: (call: Call) => answer(call, enforcement) } },
  })
}

async function answer(call: Call, { schema, ability, client }: Enforcement): Promise<unknown> {
  const model = schema.get(call.model)
  if (!model) return deny(`${call.model} cannot be used under access policies: it has no resource.`)
  const rules = rulesOf(ability, schema)
  const args = call.args ?? {}
  const transaction = call.__internalParams?.transaction
  const read = READS.get(call.operation)
  if (read) {
    const reading = readingOf({ rules })
    const query = read(reading, model, args)
    if (query.args === args && !query.plan) return call.query(call.args)
    const inner = () => (transaction?.kind === 'itx' ? client.inside(transaction) : client)
    const path = call.__internalParams?.dataPath ?? []
    if (path.length === 0 || !query.plan)
      return findReadable(query, reading, inner, (rewritten) => call.query(rewritten))
    // `findUnique(…).author()`: Prisma would give the author alone, and what was planned is about the row that has it.
    const result = await findReadable(query, reading, inner, (rewritten) => {
      return callOperation(inner(), model.delegate, call.operation, rewritten)
    })
    return follow(result, path)
  }
  const write = WRITES.get(call.operation)
  if (!write) return deny(`"${call.operation}" cannot be used under access policies.`)
  if (isPlainWrite(rules, schema, model, call.operation, args)) {
    const write = () => call.query(call.args)
    return transaction?.kind === 'itx' ? client.inTurn(transaction, write) : write()
  }
  const work = (inside: BaseClient) => write(writingOf(rules, inside), model, args)
  const { isReadable, result } = await inTransaction(client, transaction, work)
  if (isReadable) return result
  throw new PolicyError('It is written, but the result may not be read.', 'RESULT_NOT_READABLE')
}

/** What a path of `select` and `include` leads to. */
function follow(result: unknown, path: readonly string[]): unknown {
  return path
    .filter((_, index) => index % 2 === 1)
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null),
      result,
    )
}

/** Runs a write so that nothing of it is left where it is denied: in a transaction, or in a part of the one it belongs to. */
function inTransaction<R>(
  client: RootClient,
  transaction: Transaction | undefined,
  work: (inside: BaseClient) => Promise<R>,
): Promise<R> {
  if (transaction?.kind !== 'batch') return client.transaction(work, transaction)
  return deny(
    'Under access policies, several writes need "$transaction(async (tx) => …)" in place of "$transaction([…])".',
  )
}
