import { blockWith } from './pages.js'

/** The part that the README's schema omits, because every project has it. */
export const CLIENT = `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}
datasource db {
  provider = "sqlite"
}
`

const ROUTES = `generator routes {
  provider = "routewright"
  output   = "../src/routes"
}
`

/** Returns the complete schema of the README. */
export function subscriberSchema(): string {
  return CLIENT + blockWith('in').text
}

/** Returns the README's schema with additional options in its generator block. */
export function subscriberSchemaWith(options: Readonly<Record<string, string>>): string {
  const lines = Object.entries(options).map(([name, value]) => `  ${name} = ${value}\n`)
  return subscriberSchema().replace(/(provider\s*= "routewright"\n)/, (found) => found + lines.join(''))
}

/** Completes an excerpt of a schema with the blocks that it omits. */
export function wholeSchema(excerpt: string): string {
  const head = /^datasource /m.test(excerpt) ? '' : CLIENT
  return head + (excerpt.includes('"routewright"') ? '' : ROUTES) + excerpt
}
