import { describe, expect, it } from 'vitest'

import { serve } from '../changes/support/serve.js'

const MODELS = `
model Word {
  id   Int    @id
  text String
}
model Node {
  id          Int    @id
  constructor String
  label       String?
  parent      Node?  @relation("tree", fields: [valueOf], references: [id], onDelete: NoAction, onUpdate: NoAction)
  valueOf     Int?
  children    Node[] @relation("tree")
}
`

/** Hooks that do not change the results. */
const HOOKS: Readonly<Record<string, object>> = {
  'a mask of another model': { Word: { mask: { text: () => 'x' } } },
  'a mask of another field': { Node: { mask: { label: () => 'x' } } },
  'a create hook': { Node: { create: { before: ({ data }: { data: object }) => data } } },
  'an update hook': { Node: { update: { before: ({ data }: { data: object }) => data } } },
}

describe('hooks: fields with the names of members that every object inherits', () => {
  it.each(Object.entries(HOOKS))('%s: reads and writes them like other fields', async (_name, hooks) => {
    const rows = `DELETE FROM "Node"; INSERT INTO "Node" (id, "constructor") VALUES (1, 'a');`
    const { send, close } = await serve(MODELS, { hooks, rows })
    const rest = (method: string, path: string, attributes?: object) => {
      const body = attributes && { data: { type: 'node', id: '2', attributes } }
      return send({ style: 'rest', method, path, ...(body && { body }) })
    }
    const rpc = (method: string, operation: string, body: object, afterwards?: string) =>
      send({ style: 'rpc', method, path: `/node/${operation}`, body, ...(afterwards && { afterwards }) })
    try {
      expect(await rest('GET', '/node?filter[constructor]=a')).toMatchObject({ body: { data: [{ id: '1' }] } })
      expect(await rest('POST', '/node', { constructor: 'b' })).toMatchObject({ status: 201 })
      expect(await rest('POST', '/node', {})).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'missing-attribute', source: { pointer: '/data/attributes/constructor' } }] },
      })
      const nested = { id: 3, constructor: 'c', children: { create: { id: 4, constructor: 'd' } } }
      const stored: readonly object[] = [
        { id: 1 },
        { id: 3, constructor: 'c' },
        { id: 4, constructor: 'd', valueOf: 3 },
      ]
      const created = await rpc('POST', 'create', { data: nested }, '/node/findMany')
      expect(created).toMatchObject({ body: { data: stored } })
      const update = { where: { id: 1 }, data: { constructor: 'e' } }
      expect(await rpc('PATCH', 'update', update)).toMatchObject({ status: 200, body: { data: { constructor: 'e' } } })
    } finally {
      await close()
    }
  })
})
