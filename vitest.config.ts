import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

import { LongestFirst } from './tests/support/longest-first.js'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // Emitted code imports the runtime by its name. Tests need no build of it: they take the sources.
    alias: [
      { find: /^@routewright\/runtime$/, replacement: source('runtime/index.ts') },
      { find: '@routewright/runtime/hooks', replacement: source('runtime/hooks/index.ts') },
      { find: '@routewright/runtime/policy', replacement: source('runtime/policy/index.ts') },
      { find: /^@routewright\/runtime\/([a-z-]+)$/, replacement: source('runtime/adapters/$1.ts') },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/fast-check-seed.ts'],
    pool: 'threads',
    sequence: { sequencer: LongestFirst },
    // All cores: one is left free otherwise, half of the machine that runs this for every change.
    maxWorkers: '100%',
    // What the runtime logs of failures that tests provoke.
    onConsoleLog: (log) => !log.startsWith('[routewright]'),
    // Ends what hangs; how long a test takes says nothing on a machine that others use too.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
