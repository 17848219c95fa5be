#!/usr/bin/env node
// Prisma starts this file as a generator and says so in the environment; a person starts it as a command.
if (process.env['PRISMA_GENERATOR_INVOCATION'] === 'true') {
  const { serveGenerator } = await import('./protocol.js')
  serveGenerator()
} else {
  const { runCli } = await import('./cli.js')
  process.exitCode = await runCli(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  })
}
