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

// What really comes of such modules is seen by the long form, in tests/e2e/openapi.test.ts.
it.each<[LoadResult, string, RegExp]>([
  [
    { kind: 'threw', message: 'Error: no URL', at: 'src/env.ts:3', isMissing: false },
    '',
    /^src\/api\.ts cannot be loaded: Error: no URL \(src\/env\.ts:3\)\. Mend that, or set what the module needs/,
  ],
  [
    { kind: 'threw', message: "Error: Cannot find module './x.js'", at: undefined, isMissing: true },
    '',
    /Cannot find module '\.\/x\.js'\. Install or generate what is missing \(`npx prisma generate`/,
  ],
  [
    { kind: 'listens', at: 'src/api.ts:9' },
    '',
    /starts a server \(src\/api\.ts:9\)\. Export the handlers from a module/,
  ],
  [
    { kind: 'ended', code: 1, signal: null },
    'a\nb',
    /ended its process \(exit code 1\).* It printed:\n {2}a\n {2}b\n Mend/,
  ],
  [{ kind: 'ended', code: null, signal: 'SIGABRT' }, '', /ended its process \(SIGABRT\) instead of being loaded\./],
  [
    { kind: 'ended', code: 13, signal: null },
    '',
    /awaits what never comes\. Have it await nothing while it is imported/,
  ],
  [{ kind: 'late', seconds: 60 }, '', /within 60 seconds\. .* Or give it more time: --timeout <seconds>\./],
  [
    described({ exports: ['app', 'db'] }),
    '',
    /exports no handler, but app, db\. Export what is made: export const rest =/,
  ],
  [described({}), '', /exports no handler, but nothing\./],
  [described({ undescribed: ['rest'] }), '', /has the option "openapi": rest\. Give it openapi: openApi\(\) of/],
  [
    described({ failed: [{ name: 'rpc', status: 401, detail: 'Who are you?' }] }),
    '',
    /"rpc" answers a request for its openapi\.json with 401: Who are you\? Let GET \/openapi\.json pass in the middleware/,
  ],
  [
    described({ failed: [{ name: 'rpc', status: 500, detail: 'Error: no' }] }),
    '',
    /with 500: Error: no\. Mend that; `extend`/,
  ],
])('%j: moduleErrors returns one error with a hint', (outcome, printed, message) => {
  const [error, another] = moduleErrors(path.resolve('src/api.ts'), { outcome, printed })
  expect(`${error?.what} ${error?.hint}`).toMatch(message)
  expect(another).toBeUndefined()
})

it('moduleErrors returns no error if one handler of the module is described', () => {
  const outcome = described({ documents: [{ name: 'rest', text: '{}' }], undescribed: ['rpc'] })
  expect(moduleErrors('/api.ts', { outcome, printed: 'loaded' })).toEqual([])
})
