import { existsSync } from 'node:fs'

import { topChanges } from '../changes/summary.js'
import { loadSchema } from '../load-schema.js'
import { displayPath } from '../output/report.js'
import { planRoutes, type PlannedRoutes, writeRoutes } from '../write-routes.js'
import type { CliOutput, ExitCode } from './command.js'

/**
 * `routewright generate`: writes the routes of every routes generator in the schema, as `prisma generate` has it done, without
 * Prisma's generator protocol. The Prisma client's files are never read, so they need not be there yet.
 * @param schema the schema's file or folder; undefined for where Prisma would look
 * @throws GeneratorError where the schema is broken, or an output folder has files of somebody else in the way
 */
export async function generateCommand(schema: string | undefined, output: CliOutput): Promise<ExitCode> {
  // All of them before the first is written: a fault in one block leaves everything as it was.
  const planned: PlannedRoutes[] = []
  const inputs = await loadSchema(schema)
  for (const input of inputs) planned.push(await planRoutes(input))
  const missing = new Set<string>()
  for (const routes of planned) {
    await writeRoutes(routes, (line) => output.out(`${line}\n`))
    const { clientFolder } = routes.generated
    if (clientFolder !== undefined && !existsSync(clientFolder)) missing.add(displayPath(clientFolder))
  }
  for (const folder of missing) {
    const what = `the routes import a Prisma client that is not generated yet (${folder}).`
    output.out(`routewright: ${what} Run: npx prisma generate\n`)
  }
  for (const line of await topChanges(inputs)) output.out(`routewright: ${line}\n`)
  return 0
}
