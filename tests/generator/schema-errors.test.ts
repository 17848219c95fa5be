import { describe, expect, it } from 'vitest'

import { FORMATTED_HEAD, generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const generateModels = (models: string) => generateFrom(`${SCHEMA_HEAD}${models}`)

/** Returns the line number of a text in the schema of {@link generateModels}. */
const lineOf = (models: string, text: string) =>
  `${SCHEMA_HEAD}${models}`.split('\n').findIndex((line) => line.includes(text)) + 1

describe('invalid schema', () => {
  it('is rejected with file, line, model, field and hint', async () => {
    const models = 'model User {\n  id Int @id\n  /// @zod.emial()\n  email String\n}'
    const message = `schema.prisma:${lineOf(models, 'email String')}: model User, field email: "@zod": zod has no check "emial" for this type. Use a check that zod 4 has for a field of type String. Did you mean "email"?`
    await expect(generateModels(models)).rejects.toThrow(message)
  })

  it('is rejected with all errors of all files', async () => {
    const files = {
      'base.prisma': SCHEMA_HEAD,
      'users/user.prisma': '/// @api.hiden\nmodel User {\n  id Int @id\n}',
      'tag.prisma':
        'model Tag {\n  /// @api.readOnly @api.writeOnly\n  id Int @id\n}\n/// @api.hidden\nenum Color {\n  RED\n}',
    }
    const error: unknown = await generateFrom(files).catch((thrown: unknown) => thrown)
    const message = error instanceof Error ? error.message : ''
    expect(message).toMatch(
      /user\.prisma:2: model User: "@api\.hiden" is not allowed on a model\. Did you mean "hidden"\?/,
    )
    expect(message).toMatch(
      /tag\.prisma:3: model Tag, field id: "@api\.readOnly" and "@api\.writeOnly" cannot be combined/,
    )
    expect(message).toMatch(/tag\.prisma:6: enum Color: "@api\.hidden" is not allowed on an enum/)
    expect(message.split('\n')).toHaveLength(3)
  })

  it('is rejected if two models have the same path, folder or export names', async () => {
    await expect(
      generateModels('model PostLike {\n  id Int @id\n}\nmodel Postlike {\n  id Int @id\n}'),
    ).rejects.toThrow('model Postlike: The model would have the same path as PostLike. Rename one of the models')
    await expect(
      generateModels('model PostLike {\n  id Int @id\n}\nmodel Post_Like {\n  id Int @id\n}'),
    ).rejects.toThrow('would be written to the same folder as those of PostLike.')
    await expect(generateModels('model Orm {\n  id Int @id\n}\nmodel Orm_ {\n  id Int @id\n}')).rejects.toThrow(
      'model Orm_: Its files would be written to the same folder as those of Orm.',
    )
    await expect(generateModels('model AB_B {\n  id Int @id\n}\nmodel aBB {\n  id Int @id\n}')).rejects.toThrow(
      'model aBB: Its files would export the same names as those of AB_B.',
    )
    await expect(
      generateModels('model PostLike {\n  id Int @id\n}\n/// @api.hidden\nmodel Postlike {\n  id Int @id\n}'),
    ).resolves.toBeDefined()
  })
})

describe('generator notes', () => {
  it('report a model without an exposed unique field', async () => {
    const { notes, byPath } = await generateModels('model Log {\n  /// @api.hidden\n  id Int @id\n  text String\n}')
    expect(notes).toEqual(['Log has no routes, because it has no unique field or index whose fields are all exposed.'])
    expect([...byPath.keys()]).toEqual(['index.ts', 'client.ts', 'orm.ts', 'hono.ts'])
  })

  it('report a create that needs a hidden required field', async () => {
    const { notes } = await generateModels(`
model Tenant {
  id    Int    @id
  notes Note[]
}
model Note {
  id       Int    @id
  /// @api.hidden
  secret   String
  tenant   Tenant @relation(fields: [tenantId], references: [id])
  /// @api.hidden
  tenantId Int
}`)
    expect(notes).toEqual([
      'Note.secret is required, has no default and is hidden: create fails unless a hook or your Prisma client sets it. Add "@api.serverSet" to its comment if one of them does.',
    ])
  })
})

describe('relationships that cannot be written', () => {
  it('have no write routes', async () => {
    const { byPath, notes } = await generateModels(`
model User {
  id        Int       @id
  addresses Address[]
  tags      Tag[]
  logs      Log[]
}
model Address {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id])
  /// @api.readOnly
  userId Int
}
model Tag {
  id    Int    @id
  /// @api.readOnly
  users User[]
}
/// @api.operations(list, get, create)
model Log {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id])
  userId Int
}`)
    expect(byPath.get('address/rest.ts')).toMatch(/^\/\/ {3}GET +\/:id\/relationships\/user$/m)
    for (const name of ['addresses', 'tags', 'logs']) {
      expect(byPath.get('user/rest.ts')).toMatch(new RegExp(`^// {3}GET +/:id/relationships/${name}$`, 'm'))
    }
    expect(notes).toEqual([
      'Address.userId is required, has no default and is read-only: create fails unless a hook or your Prisma client sets it. Add "@api.serverSet" to its comment if one of them does.',
    ])
  })
})

describe('read-only relation', () => {
  it('makes its foreign key and relations that share it read-only', async () => {
    const { byPath } = await generateModels(`
/// @api.hidden
model Tenant {
  id    Int    @id
  teams Team[]
  notes Note[]
}
model Team {
  id       Int    @unique
  tenantId Int
  tenant   Tenant @relation(fields: [tenantId], references: [id])
  notes    Note[]

  @@id([tenantId, id])
}
model Note {
  id       Int     @id
  /// @api.readOnly
  tenant   Tenant? @relation(fields: [tenantId], references: [id])
  tenantId Int?
  team     Team?   @relation(fields: [tenantId, teamId], references: [tenantId, id])
  teamId   Int?
}`)
    const note = byPath.get('note/resource.ts')
    expect(note).toContain('tenantId: { type: "Int", optional: true, readOnly: true }')
    expect(note).toContain('teamId: { type: "Int", optional: true }')
    expect(note).toMatch(/team: \{[^}]*\},\s*readOnly: true/)
    expect(byPath.get('team/rest.ts')).toMatch(/^\/\/ {3}GET +\/:id\/relationships\/notes$/m)
  })
})

describe('schema without models', () => {
  it('emits handlers without routes', async () => {
    const { byPath } = await generateFrom(FORMATTED_HEAD)
    expect(byPath.get('index.ts')).toContain('const rest = {};')
  })
})
