import { expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const LONG = 'identifierOfTheOrganization'
const model = (attributes: string, name = 'Room') => `
model ${name} {
  id        Int @id
  number    Int
  ${LONG}   Int
  memberKey Int @map("größe_der_mitglieder")
  ${attributes}
}
`

const WITH_HIDDEN = model('tenant Int @map("hidden") /// @api.hidden\n@@unique([tenant, number])')

const WITH_HIDDEN_ID = `
model Room {
  number Int
  code   String @unique
  /// @api.hidden
  tenant Int
  @@id([tenant, number])
}
`

it.each([
  ['a default name', 'postgresql', model('@@unique([number, memberKey])'), undefined],
  [
    'a name of the schema',
    'mysql',
    model('@@unique([number], map: "one per number")'),
    "{ 'one per number': 'number' }",
  ],
  [
    'a name that two tables use',
    'mysql',
    model('@@unique([number], map: "a")') + model('@@unique([id], map: "a")', 'Seat'),
    undefined,
  ],
  [
    'a shortened name',
    'postgresql',
    model(`@@unique([number, ${LONG}, memberKey])`),
    `{ 'Room_number_${LONG}_größe_der_mitglie_key': 'number_${LONG}_memberKey' }`,
  ],
  [
    'a shortened name',
    'mysql',
    model(`@@unique([number, ${LONG}, memberKey])`),
    `{ 'Room_number_${LONG}_größe_der_mitglied_key': 'number_${LONG}_memberKey' }`,
  ],
  ['a long name', 'sqlite', model(`@@unique([number, ${LONG}, memberKey])`), undefined],
  [
    'the id of a table with a long name',
    'postgresql',
    model(`@@map("${'t'.repeat(60)}")`),
    `{ ${'t'.repeat(58)}_pkey: 'id' }`,
  ],
  ['a constraint with a hidden column', 'sqlite', WITH_HIDDEN, "{ Room_hidden_number_key: ['number'] }"],
  ['a constraint with a hidden column', 'postgresql', WITH_HIDDEN, "{ Room_hidden_number_key: ['number'] }"],
  ['a constraint with a hidden column', 'mysql', WITH_HIDDEN, "{ Room_hidden_number_key: ['number'] }"],
  ['a name of the schema', 'sqlserver', model('@@unique([number], map: "one")'), "{ one: 'number' }"],
  ['an id with a hidden column', 'mysql', WITH_HIDDEN_ID, "{ Room_pkey: ['number'] }"],
  ['a constraint whose columns are all hidden', 'sqlite', model('tenant Int @unique /// @api.hidden'), undefined],
])('%s, %s: names the constraint if the runtime cannot derive it', async (_what, provider, text, expected) => {
  const { byPath } = await generateFrom(SCHEMA_HEAD.replace('provider = "sqlite"', `provider = "${provider}"`) + text)
  const [, names] = /constraints: (.*),\n/.exec(byPath.get('room/resource.ts') ?? '') ?? []
  expect(names?.replaceAll('"', "'")).toEqual(expected)
})
