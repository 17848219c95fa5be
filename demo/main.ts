/**
 * Runs the blog with both styles: generates its routes, creates an embedded database with sample data, starts the server and prints example
 * requests. With `--check`, runs the examples and exits with 1 if a response has an unexpected status.
 */
import { parseArgs } from 'node:util'

import { checkExamples } from './check.js'
import { openDatabase } from './database.js'
import { examplesFor, printExamples } from './examples.js'
import { generateRoutes } from './generate.js'
import { startIssueTracker } from './issue-tracker.js'
import { serveBlog } from './server.js'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

process.stdout.write('prisma generate --schema fixtures/blog/schema.prisma\n')
process.stdout.write(`${await generateRoutes()}\n`)

const [database, copy] = await Promise.all([openDatabase(), openDatabase()])
const server = await serveBlog(database.orm, Number(process.env['PORT'] ?? 3000), {
  copy: copy.orm,
  startIssueTracker: values.check ? undefined : startIssueTracker,
})
await copy.close()
const examples = await examplesFor(server.url, database.orm)

let stopping = false

// Ctrl-C signals this process twice: from the terminal and from the parent process.
async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  await server.close()
  await database.close()
  process.exit(code)
}

if (values.check) {
  await stop((await checkExamples(examples)) ? 0 : 1)
} else {
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  printExamples(server.url, examples)
}
