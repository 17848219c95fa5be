import { expect, it } from 'vitest'

import { documentedFiles, makeDocumentedApp } from './support/documented-app.js'

const { project, databaseUrl, load } = await makeDocumentedApp(documentedFiles('authentication'))

it('docs authentication: the app compiles', async () => {
  expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
})

// Registers the tests on the page.
process.env['DATABASE_URL'] = databaseUrl
await load('src/app.test.ts')
