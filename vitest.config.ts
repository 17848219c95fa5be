import { fileURLToPath } from 'node:url'

import { configDefaults, defineConfig } from 'vitest/config'

import { isLong } from './tests/support/form.js'
import { frameworkTests, hasFrameworks, reportAbsence } from './tests/support/frameworks.js'
import { LongestFirst } from './tests/support/longest-first.js'
import { LONG_ONLY, SLOW, UNIT } from './tests/support/projects.js'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

reportAbsence('the tests of their adapters are skipped')

const EXCLUDED = [
  ...configDefaults.exclude,
  'tests/.generated/**',
  ...(isLong ? [] : LONG_ONLY),
  ...(hasFrameworks ? [] : frameworkTests()),
]

const globalSetup = ['tests/support/global-setup.ts']

const tests = (globs: readonly string[]): string[] => globs.map((glob) => glob.replace(/\*\*$/, '**/*.test.ts'))

export default defineConfig({
  resolve: {
    // Generated code imports the runtime and the client by their package names. In tests, these names resolve to the sources, so no build is
    // necessary.
    alias: [
      { find: /^@routewright\/client$/, replacement: source('client/index.ts') },
      { find: '@routewright/client/query', replacement: source('client/query/index.ts') },
      { find: /^@routewright\/runtime$/, replacement: source('runtime/index.ts') },
      { find: '@routewright/runtime/computed', replacement: source('runtime/schema/computed-types.ts') },
      { find: '@routewright/runtime/declare', replacement: source('runtime/http/routing/declaration-types.ts') },
      { find: '@routewright/runtime/hooks', replacement: source('runtime/hooks/index.ts') },
      { find: '@routewright/runtime/idempotency', replacement: source('runtime/idempotency/index.ts') },
      { find: '@routewright/runtime/input', replacement: source('runtime/input/index.ts') },
      { find: '@routewright/runtime/otel', replacement: source('runtime/otel/index.ts') },
      { find: '@routewright/runtime/rest', replacement: source('runtime/rest/index.ts') },
      { find: '@routewright/runtime/rpc', replacement: source('runtime/rpc/index.ts') },
      { find: '@routewright/runtime/policy', replacement: source('runtime/policy/index.ts') },
      { find: '@routewright/runtime/openapi', replacement: source('runtime/openapi/index.ts') },
      { find: /^@routewright\/runtime\/features\/([a-z-]+)$/, replacement: source('runtime/features/$1/index.ts') },
      { find: /^@routewright\/runtime\/([a-z-]+)$/, replacement: source('runtime/adapters/$1.ts') },
    ],
  },
  test: {
    projects: [
      // Each file of the slow project runs in its own process. The other files share processes, because loading the Prisma clients and the
      // routes takes longer than most files run.
      { extends: true, test: { name: 'slow', include: tests(SLOW), exclude: EXCLUDED, globalSetup } },
      {
        extends: true,
        test: {
          name: 'http',
          include: ['tests/**/*.test.ts'],
          exclude: [...EXCLUDED, ...SLOW, ...UNIT],
          isolate: false,
          globalSetup,
        },
      },
      { extends: true, test: { name: 'unit', include: tests(UNIT), exclude: [...EXCLUDED, ...SLOW], isolate: false } },
    ],
    setupFiles: ['tests/support/fast-check-seed.ts'],
    // Otherwise commands would report the schema changes of the branch that the tests run on.
    env: { ROUTEWRIGHT_CHANGES: 'off' },
    // Uses processes instead of threads. Each thread would compile the WebAssembly of Prisma and PGlite, and Node 24 sometimes crashes when such
    // a thread ends (V8: "jit_page_->allocations_.erase"), which ends the whole run. Also, a process has the same stack size as a server, which
    // is a quarter of a thread's.
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Keeps compiled modules for the next run.
    experimental: { fsModuleCache: true },
    // By default, vitest leaves one core idle, which is half of a CI machine with two.
    maxWorkers: '100%',
    // Hides what the runtime logs about errors that tests provoke.
    onConsoleLog: (log) => !log.startsWith('[routewright]'),
    // The MariaDB driver leaves a rejected promise unhandled if a connection is lost while it is being opened.
    onUnhandledError: (error) => !('fatal' in error && 'sqlState' in error),
    // Ends tests that hang. Durations are not checked, because they depend on the load of the machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
