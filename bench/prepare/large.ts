import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { largeSchema } from '../../fixtures/large/schema.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'

/** A project with a large schema, its Prisma client and its routes. */
export interface LargeProject {
  /** The project's folder, which the caller must remove. */
  readonly folder: string
  /** The delegate names of its models. */
  readonly delegates: readonly string[]
}

/**
 * Creates a project with the given number of models.
 * @param database the provider of the schema's database
 * @param files the optional files to generate
 */
export function prepareLarge(
  models: number,
  database: 'postgresql' | 'sqlite' = 'postgresql',
  files: readonly string[] = [],
): LargeProject {
  const generated = join(ROOT, 'tests/.generated')
  mkdirSync(generated, { recursive: true })
  const folder = mkdtempSync(join(generated, 'client-types-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'generator'), join(folder, 'node_modules/routewright'), 'junction')
  const schema = largeSchema(models, { provider: `node ${join(ROOT, 'generator/dist/main.js')}` })
    .replace('provider = "postgresql"', `provider = "${database}"`)
    .replace('"./routes"', `"./routes"\n  files    = ${JSON.stringify(files)}`)
  writeFileSync(join(folder, 'schema.prisma'), schema)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const options = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, lib: ['es2023', 'dom'] } }),
  )
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  const prisma = join(ROOT, 'node_modules/prisma/build/index.js')
  execFileSync(process.execPath, [prisma, 'generate'], { cwd: folder, env, stdio: 'ignore' })
  const delegates = [...schema.matchAll(/^model (\w)(\w*)/gm)].map(([, a = '', b = '']) => a.toLowerCase() + b)
  return { folder, delegates }
}

/** The schema of a custom route's body, as code. */
export const ROUTE_BODY = 'z.object({ note: z.string(), at: z.date().optional() })'

/** Returns a module that declares a custom route with a body and a result for each model. */
export function declareForAll(delegates: readonly string[]): string {
  const declared = delegates.map((delegate) => {
    const result = `'${capitalize(delegate)}'`
    return `  ${delegate}: { confirm: { method: 'POST', path: '/:id/confirm', body: ${ROUTE_BODY}, result: ${result} } },`
  })
  return `import * as z from 'zod'
import { declareRoutes } from './routes/declare-routes.js'
export const declarations = declareRoutes({
${declared.join('\n')}
})
`
}

/** Returns the model name of a delegate name. */
export function capitalize(delegate: string): string {
  return delegate.charAt(0).toUpperCase() + delegate.slice(1)
}
