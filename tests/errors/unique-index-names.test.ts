import { expect, it } from 'vitest'

import { findDriverError } from '../../runtime/errors/database/driver-error.js'
import { violatedUniqueFields } from '../../runtime/errors/database/violated-fields.js'
import { compileSchema } from '../../runtime/schema/compile-schema.js'

const room = {
  model: 'Room',
  delegate: 'room',
  table: 'rooms',
  id: 'site_number',
  uniques: { site_number: ['site', 'number'], name: ['name'], floor: ['floor'] },
  constraints: { 'one per floor': 'floor' },
  fields: {
    site: { type: 'Int' },
    number: { type: 'Int' },
    name: { type: 'String', column: 'label' },
    floor: { type: 'Int' },
  },
  relations: {},
} as const
const site = { model: 'Site', delegate: 'site', id: 'id', fields: { id: { type: 'Int' } }, relations: {} } as const
const seat = {
  model: 'Seat',
  delegate: 'seat',
  id: 'code',
  constraints: { Seat_pkey: ['number'], Seat_tenant_label_key: ['label'] },
  fields: { number: { type: 'Int' }, code: { type: 'String' }, label: { type: 'String' } },
  relations: {},
} as const

it.each([
  ['Site', 'rooms_pkey', ['site', 'number']],
  ['Site', 'Room_pkey', undefined],
  ['Site', 'Site_pkey', ['id']],
  ['Site', 'rooms_label_key', ['name']],
  ['Site', 'rooms_name_key', undefined],
  ['Site', 'public.rooms_label_key', ['name']],
  ['Site', 'one per floor', ['floor']],
  ['Site', 'constructor', undefined],
  ['Seat', 'PRIMARY', ['number']],
  ['Seat', 'Seat_pkey', ['number']],
  ['Seat', 'Seat_tenant_label_key', ['label']],
  ['Seat', 'Seat_code_key', ['code']],
])('%s, %s: finds the exposed fields of the violated index', (modelName, index, fields) => {
  const cause = { kind: 'UniqueConstraintViolation', constraint: { index } }
  const meta = { modelName, driverAdapterError: { cause } }
  const error = Object.assign(new Error(), { code: 'P2002', meta })
  expect(violatedUniqueFields(error, findDriverError(error), compileSchema([site, room, seat]))).toEqual(fields)
})
