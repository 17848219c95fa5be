import { expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const MODEL = 'model Post {\n  id Int @id\n}\n'

it.each([
  [
    'postgresql',
    '"fullTextSearchPostgres", "relationJoins", "views"',
    ['["fullTextSearchPostgres", "relationJoins"]', true, true],
  ],
  ['mysql', '"relationJoins", "views"', ['["relationJoins"]', true, true]],
  ['postgresql', '"views"', [undefined, false, false]],
  ['sqlite', '"relationJoins"', [undefined, false, false]],
])(
  '%s: passes the preview features of the client to the handlers',
  async (provider, enabled, [all, joins, searches]) => {
    const block = `"./client"\n  previewFeatures = [${enabled}]`
    const head = SCHEMA_HEAD.replace('"./client"', block)
      .replace('"./routes"', '"./routes"\n  rest = ["includedLists"]')
      .replace('sqlite', provider)
    const { byPath } = await generateFrom(head + MODEL)
    const index = byPath.get('index.ts') ?? ''
    expect(/const database = .*previewFeatures: (\[[^\]]*\])/.exec(index)?.[1]).toBe(all)
    expect(/const restFeatures = .*\bjoinedLists\b.*\bloadStrategy\b/.test(index)).toBe(joins)
    expect(index.includes('const rpcFeatures = [loadStrategy]')).toBe(joins)
    expect(/const restFeatures = .*\bfullTextSearch\b/.test(index)).toBe(searches)
  },
)

it('preview features: ignores clients that the routes do not use', async () => {
  const other =
    'generator other {\n  provider = "prisma-client"\n  output = "./other"\n  previewFeatures = ["relationJoins"]\n}\n'
  const head = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  client = "client"').replace('sqlite', 'postgresql')
  const { byPath } = await generateFrom(head + other + MODEL)
  expect(byPath.get('index.ts')).not.toContain('previewFeatures')
})
