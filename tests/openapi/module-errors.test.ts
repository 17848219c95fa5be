import path from 'node:path'

import { expect, it } from 'vitest'

import { moduleErrors } from '../../generator/openapi/module-errors.js'
import type { Descriptions, LoadResult } from '../../generator/openapi/load-result.js'

const described = (more: Partial<Descriptions>): Descriptions => ({
  kind: 'described',
  documents: [],
  undescribed: [],
  failed: [],
  exports: [],
  ...more,
})

// tests/e2e/openapi.test.ts loads such modules for real, in the long form.
it.each<[LoadResult, string, RegExp]>([
  [
    { kind: 'threw', message: 'Error: no URL', position: 'src/env.ts:3', isMissing: false },
    '',
    /^src\/api\.ts cannot be loaded: Error: no URL \(src\/env\.ts:3\)\. Fix the error, or set the environment variables that the module needs/,
  ],
  [
    { kind: 'threw', message: "Error: Cannot find module './x.js'", position: undefined, isMissing: true },
    '',
    /Cannot find module '\.\/x\.js'\. Install or generate the missing module \(`npx prisma generate`/,
  ],
  [
    { kind: 'listens', position: 'src/api.ts:9' },
    '',
    /starts a server \(src\/api\.ts:9\)\. Move the handlers to a separate module/,
  ],
  [
    { kind: 'ended', code: 1, signal: null },
    'a\nb',
    /ended its process \(exit code 1\).* It printed:\n {2}a\n {2}b\n Fix the error/,
  ],
  [{ kind: 'ended', code: null, signal: 'SIGABRT' }, '', /ended its process \(SIGABRT\) instead of being loaded\./],
  [
    { kind: 'ended', code: 13, signal: null },
    '',
    /awaits a promise that never settles\. Do not await anything during the import/,
  ],
  [{ kind: 'late', seconds: 60 }, '', /within 60 seconds\. .* Or increase the time limit: --timeout <seconds>\./],
  [
    described({ exports: ['app', 'db'] }),
    '',
    /does not export a handler\. Its exports: app, db\. Export the handler: export const rest =/,
  ],
  [described({}), '', /does not export a handler\. Its exports: none\./],
  [
    described({ undescribed: ['rest'] }),
    '',
    /has the option "openapi"\. Exported handlers: rest\. Add openapi: openApi\(\) from/,
  ],
  [
    described({ failed: [{ name: 'rpc', status: 401, detail: 'Who are you?' }] }),
    '',
    /"rpc" responds to a request for its openapi\.json with 401: Who are you\? Allow GET \/openapi\.json in the middleware/,
  ],
  [
    described({ failed: [{ name: 'rpc', status: 500, detail: 'Error: no' }] }),
    '',
    /with 500: Error: no\. Fix the error\. Its cause may be `extend`/,
  ],
])('%j: moduleErrors returns one error with a hint', (outcome, printed, message) => {
  const [error, another] = moduleErrors(path.resolve('src/api.ts'), { outcome, printed })
  expect(`${error?.message} ${error?.hint}`).toMatch(message)
  expect(another).toBeUndefined()
})

it('moduleErrors returns no error if one handler of the module is described', () => {
  const outcome = described({ documents: [{ name: 'rest', text: '{}' }], undescribed: ['rpc'] })
  expect(moduleErrors('/api.ts', { outcome, printed: 'loaded' })).toEqual([])
})
