import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

import { PrismaPg } from '@prisma/adapter-pg'
import { readReplicas } from '@prisma/extension-read-replicas'

import type * as Blog from '../fixtures/blog/client/client.js'
import { preparedFixture } from '../scripts/prepare-fixtures.js'

/** The blog's client for PostgreSQL, as the processes use it. */
export type Client = Blog.PrismaClient

/** The same with read replicas. */
export interface Replicated extends Client {
  $primary(): Client
  $replica(): Client
}

/** Where a process finds its database, and how it reaches it. */
export interface ClientOptions {
  readonly url: string
  /** Told to the server, which writes it beside each statement. */
  readonly name: string
  /** How many connections it may have. Default: 5. */
  readonly max?: number
  /** Whether statements have names, so that the server plans each once for a connection. */
  readonly statementNames?: boolean
}

/** How long a process waits for its database, in milliseconds. */
const PATIENCE = { connectionTimeoutMillis: 2000, query_timeout: 3000 }

/** Makes the client of one server. */
export async function clientOf({ url, name, max = 5, statementNames = false }: ClientOptions): Promise<Client> {
  const { folder } = preparedFixture('blog', 'postgresql')
  const { PrismaClient } = (await import(pathToFileURL(join(folder, 'client/client.ts')).href)) as typeof Blog
  const names = new Map<string, string>()
  const statementNameGenerator = ({ sql }: { readonly sql: string }) => {
    const known = names.get(sql) ?? `s${names.size}`
    if (names.size < 500) names.set(sql, known)
    return names.has(sql) ? known : ''
  }
  const config = { connectionString: url, application_name: name, max, ...PATIENCE }
  const adapter = new PrismaPg(config, statementNames ? { statementNameGenerator } : {})
  return new PrismaClient({ adapter })
}

/** Puts a replica on a client. */
export function replicated(primary: Client, replica: Client): Replicated {
  return primary.$extends(readReplicas({ replicas: [replica as never] })) as unknown as Replicated
}
