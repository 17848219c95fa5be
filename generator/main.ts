#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

// Otherwise Node 20 optimizes Prisma's parser, a WebAssembly module, in background threads, which takes several times as long as parsing.
setFlagsFromString('--liftoff-only')

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
