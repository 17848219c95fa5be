import { blockWith } from './pages.js'

/** What the README's schema leaves out, because every project has it. */
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

/** The README's schema, whole. */
export function subscriberSchema(): string {
  return CLIENT + blockWith('in').text
}

/** The README's schema with more options in its generator block. */
export function subscriberSchemaWith(options: Readonly<Record<string, string>>): string {
  const lines = Object.entries(options).map(([name, value]) => `  ${name} = ${value}\n`)
  return subscriberSchema().replace(/(provider\s*= "routewright"\n)/, (found) => found + lines.join(''))
}

/** A schema made whole: what a page shows of it, with the blocks that it leaves out. */
export function wholeSchema(excerpt: string): string {
  const head = /^datasource /m.test(excerpt) ? '' : CLIENT
  return head + (excerpt.includes('"routewright"') ? '' : ROUTES) + excerpt
}
