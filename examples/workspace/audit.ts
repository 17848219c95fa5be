import type { AppHooks, TransactionClient } from '../../fixtures/workspace/expected/hooks.js'
import type { Caller } from './caller.js'

/** Converts a row to JSON: BigInt and Decimal to strings, DateTime to ISO 8601, Bytes to base64. */
function toJson(row: object) {
  const text = JSON.stringify(row, (name, value: unknown) => {
    if (name === 'password') return undefined
    if (typeof value === 'bigint') return value.toString()
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  })
  return JSON.parse(text)
}

async function log(
  { client, context, model }: { client: TransactionClient; context: Caller; model: string },
  action: string,
  rows: { before?: object; after?: object },
) {
  if (model === 'AuditEntry') return
  const entry = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, toJson(row)]))
  await client.auditEntry.create({ data: { actor: context.id, action, model, ...entry } })
}

export const audit: AppHooks<Caller> = {
  $all: {
    create: { after: (event) => log(event, 'create', { after: event.row }) },
    update: { after: (event) => log(event, 'update', { before: event.before, after: event.row }) },
    delete: { after: (event) => log(event, 'delete', { before: event.row }) },
  },
}
