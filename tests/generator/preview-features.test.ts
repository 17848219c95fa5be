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
])(
  'handlers know the preview features of the client that callers notice: %s',
  async (provider, asked, [rest, rpc, joins]) => {
    const block = `"./client"\n  previewFeatures = [${asked}]`
    const head = SCHEMA_HEAD.replace('"./client"', block).replace('sqlite', provider)
    const { byPath } = await generateFrom(head + MODEL)
    const dialects = [...(byPath.get('index.ts') ?? '').matchAll(/Handler\((?:rest|rpc), options, \{([^}]*)\}/g)]
    const features = dialects.map(([, text = '']) => /previewFeatures: (\[[^\]]*\])/.exec(text)?.[1])
    expect(features).toEqual([rest, rpc])
    expect(dialects.map(([, text = '']) => text.includes('lists: loadListsByJoin'))).toEqual([joins, false])
    expect(/import \{[^}]*\bloadListsByJoin\b/.test(byPath.get('index.ts') ?? '')).toBe(joins)
  },
)

it('handlers know nothing of the features of clients that routes do not use', async () => {
  const other =
    'generator other {\n  provider = "prisma-client"\n  output = "./other"\n  previewFeatures = ["relationJoins"]\n}\n'
  const head = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  client = "client"').replace('sqlite', 'postgresql')
  const { byPath } = await generateFrom(head + other + MODEL)
  expect(byPath.get('index.ts')).not.toContain('previewFeatures')
})
