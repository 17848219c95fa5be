import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { provider } from '../server/provider.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs `prisma generate`. Prisma clients and routes are specific to a database provider. The routes for SQLite are committed. Those for
 * PostgreSQL are generated from the same schema into another folder, and `imports` in package.json resolves to it.
 * @returns the output
 */
export async function generate(): Promise<string> {
  const schema = provider === 'sqlite' ? 'prisma/schema.prisma' : await writePostgresSchema()
  const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')
  // The schema engine is not used. With this variable set, Prisma does not download it.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', ...process.env }
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'generate', `--schema=${schema}`], {
    cwd: ROOT,
    env,
  })
  // The other lines are Prisma's advice on how to use its client.
  return stdout
    .split('\n')
    .filter((line) => /^(✔|routewright|wrote|removed)/i.test(line.trim()))
    .map((line) => `${line}\n`)
    .join('')
}

async function writePostgresSchema(): Promise<string> {
  const schema = await readFile(new URL('../prisma/schema.prisma', import.meta.url), 'utf8')
  const folder = new URL('../generated/postgresql/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(
    new URL('schema.prisma', folder),
    schema
      .replace('"../generated/sqlite/client"', '"./client"')
      .replace('"../server/routes"', '"./routes"')
      .replace('provider = "sqlite"', 'provider = "postgresql"'),
  )
  return 'generated/postgresql/schema.prisma'
}
