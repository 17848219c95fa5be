/**
 * Regenerates the expected files of all fixtures, and the routes and tables of the example app (`npm run goldens`). Review the changes
 * before committing them.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { largeSchema } from '../fixtures/large/schema.js'
import { generate } from '../generator/generate.js'
import { loadSchema } from '../generator/load-schema.js'
import { applyPlan } from '../generator/output/apply.js'
import { planOutput } from '../generator/output/plan-output.js'
import { EXAMPLE, exampleTables, PROVIDERS } from './example-tables.js'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))

writeFileSync(join(fixtures, 'large/schema.prisma'), largeSchema(3).replace('"./routes"', '"./expected"'))
const fixtureGoldens = readdirSync(fixtures).flatMap(
  (name) =>
    ['schema.prisma', 'schema'].map((file) => join(fixtures, name, file)).find((file) => existsSync(file)) ?? [],
)
for (const schema of [...fixtureGoldens, join(EXAMPLE, 'prisma/schema.prisma')]) {
  for (const input of await loadSchema(schema)) {
    const { output, files } = await generate(input)
    await applyPlan(await planOutput(output, files), (line) => console.log(line))
  }
}
for (const provider of PROVIDERS) {
  writeFileSync(join(EXAMPLE, `prisma/${provider}.sql`), await exampleTables(provider))
}
