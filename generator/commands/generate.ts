import { existsSync } from 'node:fs'

import { topChanges } from '../changes/summary.js'
import { loadSchema } from '../load-schema.js'
import { displayPath } from '../output/report.js'
import { planRoutes, type PlannedRoutes, writeRoutes } from '../write-routes.js'
import type { CliOutput, ExitCode } from './command.js'

/**
 * Runs `routewright generate`: writes the same files as `prisma generate` for every routes generator in the schema, without Prisma's
 * generator protocol. The Prisma client is not loaded and does not need to exist yet.
 * @param schema the schema's file or folder. Default: where Prisma looks for it
 * @throws GeneratorError if the schema is invalid, or an output path is occupied by a file that was not generated
 */
export async function generateCommand(schema: string | undefined, output: CliOutput): Promise<ExitCode> {
  // All blocks are planned before the first is written, so that an error in one block leaves all files unchanged.
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
    const message = `the routes import a Prisma client that has not been generated yet (${folder}).`
    output.out(`routewright: ${message} Run: npx prisma generate\n`)
  }
  for (const line of await topChanges(inputs)) output.out(`routewright: ${line}\n`)
  return 0
}
