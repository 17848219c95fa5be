#!/usr/bin/env node
// Prisma sets this environment variable when it runs the file as a generator. Otherwise, the file is the command-line entry point.
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
