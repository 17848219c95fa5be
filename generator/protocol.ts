import helper from '@prisma/generator-helper'

import type { GenerateInput } from './generate.js'
import { DEFAULT_OUTPUT } from './options.js'
import { assertPrisma7 } from './project/prisma-version.js'
import { blockFromPrisma } from './schema/block-from-prisma.js'
import { schemaFromDmmf } from './schema/from-dmmf.js'
import { packageVersion } from './version.js'
import { planRoutes, writeRoutes } from './write-routes.js'

/**
 * Serves Prisma's generator protocol on stdin and stderr until the process ends. Messages for the user are written to stdout, because
 * Prisma shows a generator's stderr only if the generator fails.
 */
export function serveGenerator(): void {
  helper.generatorHandler({
    onManifest: () => ({ prettyName: 'Routes', version: packageVersion(), defaultOutput: DEFAULT_OUTPUT }),
    onGenerate: async (options) => {
      const { schemaPath } = options
      assertPrisma7(schemaPath)
      // `dmmf.schema` contains the types of Prisma's query language, about 90% of the message. It is deleted to free memory.
      Reflect.deleteProperty(options.dmmf, 'schema')
      const input: GenerateInput = {
        generator: blockFromPrisma(options.generator),
        otherGenerators: options.otherGenerators.map(blockFromPrisma),
        schema: schemaFromDmmf({
          dmmf: options.dmmf,
          datamodel: options.datamodel,
          provider: options.datasources[0]?.provider ?? '',
          schemaPath,
        }),
        // With `prisma generate --generator routes`, Prisma does not pass the other generators.
        loadGenerators: async () => (await import('./load-schema.js')).loadGenerators(schemaPath),
      }
      await writeRoutes(await planRoutes(input), (line) => console.log(line))
      const { topChanges: changeLines } = await import('./changes/summary.js')
      for (const line of await changeLines([input])) console.log(`routewright: ${line}`)
    },
  })
}
