import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { HEAD, serve, type Served } from '../changes/support/serve.js'

const NESTED = HEAD.replace('  files ', '  rest     = ["nestedRoutes"]\n  files ')

const numbered = (name: string) => `
model ${name} {
  tenant Int
  number Int
  items  Item[]
  crates Crate[]
  bins   Bin[]
  @@id([tenant, number])
}
`

/** Returns a model with two relations that share a field. */
const stored = (name: string, optional: '' | '?', more = '') => `
model ${name} {
  id          Int   @id
  tenant      Int${optional}
  siteNumber  Int${optional}
  shelfNumber Int${optional}
  site        Site${optional}  @relation(fields: [tenant, siteNumber], references: [tenant, number])
  shelf       Shelf${optional} @relation(fields: [tenant, shelfNumber], references: [tenant, number], onDelete: NoAction, onUpdate: NoAction)
  ${more}
}
`

const MODELS = `
model User {
  id    Int    @id
  email String @unique
  notes Note[]
  tasks Task[]
  seats Seat[]
}
model Note {
  id        Int    @id
  /// @api.hidden
  author    User   @relation(fields: [authorId], references: [id])
  authorId  Int
}
model Task {
  id         Int    @id
  owner      User   @relation(fields: [ownerEmail], references: [email])
  ownerEmail String
}
model Seat {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id])
  userId Int
  slot   Slot @relation(fields: [slotAt], references: [at])
  slotAt DateTime
  row    Int  @default(0)
  @@unique([userId, slotAt])
  @@unique([userId, row])
}
model Slot {
  at       DateTime  @id
  seats    Seat[]
  bookings Booking[]
}
model Booking {
  id     Int      @id
  slot   Slot     @relation(fields: [slotAt], references: [at])
  slotAt DateTime
}
model Room {
  id     Int @id
  tenant Int
  number Int
  opts   Opt[]
  @@unique([tenant, number])
}
model Desk {
  id     Int @id
  tenant Int
  number Int
  opts   Opt[]
  @@unique([tenant, number])
}
model Opt {
  id         Int  @id
  tenant     Int
  roomNumber Int
  deskNumber Int
  room       Room @relation(fields: [tenant, roomNumber], references: [tenant, number])
  desk       Desk @relation(fields: [tenant, deskNumber], references: [tenant, number], onDelete: NoAction, onUpdate: NoAction)
  @@unique([tenant, roomNumber, deskNumber])
}
${numbered('Site')}
${numbered('Shelf')}
${stored('Crate', '', 'name String\n  @@unique([tenant, name])')}
${stored('Bin', '?')}
${stored('Item', '')}
`

const ROWS = `
DELETE FROM "Item"; DELETE FROM "Crate"; DELETE FROM "Bin"; DELETE FROM "Shelf"; DELETE FROM "Site";
DELETE FROM "Opt"; DELETE FROM "Room"; DELETE FROM "Desk"; DELETE FROM "Seat"; DELETE FROM "Booking"; DELETE FROM "Slot"; DELETE FROM "Task"; DELETE FROM "Note"; DELETE FROM "User";
INSERT INTO "User" VALUES (1, 'a@x'), (2, 'b@x');
INSERT INTO "Note" VALUES (1, 1);
INSERT INTO "Task" VALUES (1, 'a@x');
INSERT INTO "Slot" VALUES ('2024-01-01T00:00:00.000+00:00'), ('2024-01-01T00:00:00.001+00:00');
INSERT INTO "Seat" VALUES (1, 1, '2024-01-01T00:00:00.000+00:00', 7);
INSERT INTO "Booking" VALUES (1, '2024-01-01T00:00:00.000+00:00');
INSERT INTO "Room" VALUES (1, 1, 1), (2, 2, 1);
INSERT INTO "Desk" VALUES (1, 1, 1), (2, 2, 1);
INSERT INTO "Opt" VALUES (5, 2, 1, 1);
INSERT INTO "Site" VALUES (1, 1), (2, 1);
INSERT INTO "Shelf" VALUES (1, 1), (2, 1);
INSERT INTO "Item" VALUES (1, 1, 1, 1);
INSERT INTO "Crate" VALUES (1, 1, 1, 1, 'a');
INSERT INTO "Bin" VALUES (1, 1, 1, 1);
`

const SLOT = '2024-01-01T00:00:00.000Z'
const LATER = '2024-01-01T00:00:00.001Z'
const body = (type: string, members: object) => ({ data: { type, ...members } })
const to = (type: string, id: string) => ({ data: { type, id } })
const shelf = (id: string) => ({ relationships: { shelf: to('shelf', id) } })
const both = (id: string) => ({ relationships: { site: to('site', '1_1'), shelf: to('shelf', id) } })
const noShelf = { relationships: { shelf: { data: null } } }

let served: Served
beforeAll(async () => {
  served = await serve(MODELS, { head: NESTED, rows: ROWS })
})
afterAll(() => served.close())

describe('foreign keys of members in nested routes', () => {
  it.each([
    ['a foreign key whose relation is hidden', '/user/1/notes/1', body('note', { attributes: { authorId: 2 } }), 422],
    [
      'a foreign key that does not refer to the id',
      '/user/1/tasks/1',
      body('task', { attributes: { ownerEmail: 'b@x' } }),
      404,
    ],
    [
      'a time that differs by a millisecond',
      `/slot/${SLOT}/bookings/1`,
      body('booking', { attributes: { slotAt: LATER } }),
      422,
    ],
    ['a relationship that shares a part of the foreign key', '/site/1_1/items/1', body('item', shelf('2_1')), 422],
    ['such a relationship next to the owner', '/site/1_1/items/1', body('item', both('2_1')), 422],
    ['such a relationship with a unique key', '/site/1_1/crates/1', body('crate', shelf('2_1')), 422],
    ['such a relationship that becomes empty', '/site/1_1/bins/1', body('bin', noShelf), 422],
  ])('rejects %s', async (_what, path, update, status) => {
    expect(await served.send({ style: 'rest', method: 'PATCH', path, body: update })).toMatchObject({ status })
    expect(await served.send({ style: 'rest', method: 'GET', path })).toMatchObject({ status: 200 })
  })

  it.each([
    ['/user/1/notes/1', body('note', { attributes: { authorId: 1 } })],
    ['/user/1/tasks/1', body('task', { attributes: { ownerEmail: 'a@x' } })],
    [`/slot/${SLOT}/bookings/1`, body('booking', { attributes: { slotAt: SLOT } })],
    ['/site/1_1/items/1', body('item', shelf('1_1'))],
    ['/site/1_1/items/1', body('item', both('1_1'))],
    ['/site/1_1/crates/1', body('crate', shelf('1_1'))],
    ['/site/1_1/bins/1', body('bin', both('1_1'))],
  ])('accepts the current owner: PATCH %s', async (path, update) => {
    expect(await served.send({ style: 'rest', method: 'PATCH', path, body: update })).toMatchObject({ status: 200 })
  })

  it.each([
    ['a time that differs by a millisecond', `/slot/${SLOT}/bookings`, { attributes: { slotAt: LATER } }, 422],
    ['a relationship of another owner', '/site/1_1/bins', shelf('2_1'), 422],
    ['a relationship of the same owner', '/site/1_1/bins', shelf('1_1'), 201],
    ['an empty relationship', '/site/1_1/bins', noShelf, 201],
  ])('creates a member with %s', async (_what, path, members, status) => {
    const type = path.endsWith('bins') ? 'bin' : 'booking'
    const response = await served.send({
      style: 'rest',
      method: 'POST',
      path,
      body: body(type, { id: '2', ...members }),
    })
    expect(response, JSON.stringify(response.body)).toMatchObject({ status })
  })
})

describe('keys that share a field that no id contains', () => {
  const desk = { desk: to('desk', '2') }
  it.each([
    ['only the other relationship', desk],
    ['the other relationship before the parent', { ...desk, room: to('room', '1') }],
    ['the other relationship after the parent', { room: to('room', '1'), ...desk }],
  ])('a new member belongs to the parent in the URL: %s', async (_case, relationships) => {
    const created = await served.send({
      style: 'rest',
      method: 'POST',
      path: '/room/1/opts',
      body: body('opt', { id: '1', relationships }),
      afterwards: '/opt/1/room',
    })
    expect(created).toMatchObject({ status: 200, body: { data: { id: '1' } } })
  })
})

describe('relationships that share a field', () => {
  const inSite = (id: string | null) => ({ site: id === null ? { data: null } : to('site', id) })
  const onShelf = (id: string | null) => ({ shelf: id === null ? { data: null } : to('shelf', id) })
  const contradicts = (name: string) => ({
    status: 422,
    body: { errors: [{ code: 'invalid-value', source: { pointer: `/data/relationships/${name}/data/id` } }] },
  })

  it.each([
    ['different values', 'item', { ...inSite('1_1'), ...onShelf('2_1') }, contradicts('shelf')],
    ['different values, in another order', 'item', { ...onShelf('2_1'), ...inSite('1_1') }, contradicts('site')],
    ['equal values', 'item', { ...inSite('2_1'), ...onShelf('2_1') }, { status: 200 }],
    ['different optional values', 'bin', { ...inSite('1_1'), ...onShelf('2_1') }, contradicts('shelf')],
    ['an empty value after a value', 'bin', { ...inSite('2_1'), ...onShelf(null) }, { status: 200 }],
    ['an empty value before a value', 'bin', { ...onShelf(null), ...inSite('2_1') }, { status: 200 }],
  ])('%s', async (_case, type, relationships, expected) => {
    const path = `/${type}/1`
    const update = await served.send({
      style: 'rest',
      method: 'PATCH',
      path,
      body: body(type, { id: '1', relationships }),
    })
    expect(update, JSON.stringify(update.body)).toMatchObject(expected)
    const create = await served.send({
      style: 'rest',
      method: 'POST',
      path: `/${type}`,
      body: body(type, { id: '9', relationships }),
    })
    const created = expected.status === 200 ? { status: 201, body: { data: { relationships } } } : expected
    expect(create, JSON.stringify(create.body)).toMatchObject(created)
    if (expected.status === 200) expect(update.body).toMatchObject({ data: { relationships } })
  })
})

describe('violated constraints of foreign keys', () => {
  const user = { user: to('user', '1') }
  const slot = { slot: to('slot', SLOT) }
  it('names a relationship once', async () => {
    const opt = body('opt', { id: '1', relationships: { room: to('room', '2'), desk: to('desk', '2') } })
    expect(await served.send({ style: 'rest', method: 'POST', path: '/opt', body: opt })).toMatchObject({
      status: 409,
      body: { errors: [{ meta: { fields: ['room', 'desk'] } }] },
    })
  })

  it.each([
    ['relationships', { relationships: { ...user, ...slot } }, ['user', 'slot'], '/data'],
    ['foreign keys', { attributes: { userId: 1, slotAt: SLOT } }, ['userId', 'slotAt'], '/data/attributes'],
    ['both', { attributes: { userId: 1 }, relationships: slot }, ['userId', 'slot'], '/data'],
    [
      'a relationship and an attribute',
      { attributes: { row: 7 }, relationships: { ...user, slot: to('slot', LATER) } },
      ['user', 'row'],
      '/data',
    ],
  ])('%s: name the members of the body', async (_case, members, fields, pointer) => {
    const seat = body('seat', { id: '2', ...members })
    expect(await served.send({ style: 'rest', method: 'POST', path: '/seat', body: seat })).toMatchObject({
      status: 409,
      body: { errors: [{ meta: { fields }, source: { pointer } }] },
    })
  })
})
