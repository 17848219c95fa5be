import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

import { PrismaPg } from '@prisma/adapter-pg'
import { readReplicas } from '@prisma/extension-read-replicas'

import type * as Blog from '../fixtures/blog/client/client.js'
import { preparedFixture } from '../scripts/prepare-fixtures.js'

/** The blog's Prisma client for PostgreSQL. */
export type Client = Blog.PrismaClient

/** The client with read replicas. */
export interface ReplicatedClient extends Client {
  $primary(): Client
  $replica(): Client
}

/** Connection options of a process. */
export interface ClientOptions {
  readonly url: string
  /** The `application_name`, which the server logs with each statement. */
  readonly name: string
  /** Maximum number of connections. Default: 5. */
  readonly max?: number
  /** Whether to name statements, so that the server plans each only once per connection. */
  readonly statementNames?: boolean
}

/** Database timeouts, in milliseconds. */
const TIMEOUTS = { connectionTimeoutMillis: 2000, query_timeout: 3000 }

/** Creates a client for one server. */
export async function createClient({ url, name, max = 5, statementNames = false }: ClientOptions): Promise<Client> {
  const { folder } = preparedFixture('blog', 'postgresql')
  const { PrismaClient } = (await import(pathToFileURL(join(folder, 'client/client.ts')).href)) as typeof Blog
  const names = new Map<string, string>()
  const statementNameGenerator = ({ sql }: { readonly sql: string }) => {
    const statementName = names.get(sql) ?? `s${names.size}`
    if (names.size < 500) names.set(sql, statementName)
    return names.has(sql) ? statementName : ''
  }
  const config = { connectionString: url, application_name: name, max, ...TIMEOUTS }
  const adapter = new PrismaPg(config, statementNames ? { statementNameGenerator } : {})
  return new PrismaClient({ adapter })
}

/** Adds a read replica to a client. */
export function replicated(primary: Client, replica: Client): ReplicatedClient {
  return primary.$extends(readReplicas({ replicas: [replica as never] })) as unknown as ReplicatedClient
}
