import { expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const MODEL = 'model Post {\n  id Int @id\n}\n'

it.each([
  [
    'postgresql',
    '"fullTextSearchPostgres", "relationJoins", "views"',
    ['["fullTextSearchPostgres"]', '["fullTextSearchPostgres", "relationJoins"]', true],
  ],
  ['mysql', '"relationJoins", "views"', [undefined, '["relationJoins"]', true]],
  ['postgresql', '"views"', [undefined, undefined, false]],
  ['sqlite', '"relationJoins"', [undefined, undefined, false]],
])('%s: passes the preview features of the client to the handlers', async (provider, enabled, [rest, rpc, joins]) => {
  const block = `"./client"\n  previewFeatures = [${enabled}]`
  const head = SCHEMA_HEAD.replace('"./client"', block).replace('sqlite', provider)
  const { byPath } = await generateFrom(head + MODEL)
  const dialects = [...(byPath.get('index.ts') ?? '').matchAll(/Handler\((?:rest|rpc), options, \{([^}]*)\}/g)]
  const features = dialects.map(([, text = '']) => /previewFeatures: (\[[^\]]*\])/.exec(text)?.[1])
  expect(features).toEqual([rest, rpc])
  expect(dialects.map(([, text = '']) => text.includes('lists: loadListsByJoin'))).toEqual([joins, false])
  expect(/import \{[^}]*\bloadListsByJoin\b/.test(byPath.get('index.ts') ?? '')).toBe(joins)
})

it('preview features: ignores clients that the routes do not use', async () => {
  const other =
    'generator other {\n  provider = "prisma-client"\n  output = "./other"\n  previewFeatures = ["relationJoins"]\n}\n'
  const head = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  client = "client"').replace('sqlite', 'postgresql')
  const { byPath } = await generateFrom(head + other + MODEL)
  expect(byPath.get('index.ts')).not.toContain('previewFeatures')
})
