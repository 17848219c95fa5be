import { gzipSync } from 'node:zlib'

import fc from 'fast-check'
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest'

import type { Api as Annotations } from '../../fixtures/annotations/expected/client.js'
import { accountInput } from '../../fixtures/annotations/expected/account/input.js'
import { feedbackInput } from '../../fixtures/annotations/expected/feedback/input.js'
import type { Api as KitchenSink } from '../../fixtures/kitchen-sink/expected/client.js'
import { enrolmentInput } from '../../fixtures/kitchen-sink/expected/enrolment/input.js'
import { scalarsInput } from '../../fixtures/kitchen-sink/expected/scalars/input.js'
import { scalarsResource } from '../../fixtures/kitchen-sink/expected/scalars/resource.js'
import { createRpcClient, type Fetch, toFormErrors } from '../../client/index.js'
import type { InputSchema } from '../../runtime/input/index.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { bundleForBrowser } from '../../scripts/client-table.js'
import { describeDatabases } from '../support/databases.js'
import { annotationsClient, kitchenSinkClient } from './rest/apis.js'
import { fetchOf } from './rest/serve.js'

/** Returns the errors of values, one line per error. */
function validate<T>(schema: InputSchema<T>, values: unknown): string[] {
  const { issues = [] } = schema['~standard'].validate(values)
  const lines = issues.map(({ path, message, code, params }) =>
    [path?.join('.'), message, code, JSON.stringify(params)].join(' | '),
  )
  return lines.sort()
}

/** Returns the errors of a call in the same form. */
async function reject(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) return []
  const { fields, form } = toFormErrors(error)
  const lines = fields.map(({ name, message, code, params }) =>
    [name, message, code, JSON.stringify(params)].join(' | '),
  )
  return [...lines, ...form].sort()
}

interface Served {
  readonly orm: unknown
  readonly routes: { RPCApiHandler(options: never): ApiHandler<never> }
}

/** Creates a `fetch` that calls a fixture's RPC handler. */
function rpcFetch({ orm, routes }: Served): Fetch {
  const handler = routes.RPCApiHandler({} as never)
  return (request) => handler.fetch(request, { getOrm: () => orm as never, prefix: '/api' })
}

describeDatabases<'annotations'>(
  'emitted input',
  (db) => {
    let rest: ReturnType<typeof annotationsClient>
    const rpc = () => createRpcClient<Annotations>({ url: '/api', fetch: rpcFetch(db) })

    beforeEach(async () => {
      await db.reset()
      rest = annotationsClient(fetchOf(db))
      const data = { id: 'a', handle: 'ann', email: 'ann@example.com', password: 'password' }
      await db.orm.account.create({ data })
    })

    it.each<[string, object]>([
      ['short text', { handle: 'a', password: 'short' }],
      ['pattern with a message', { handle: 'Ann' }],
      ['format with a message', { email: 'x' }],
      ['bounds', { age: 151, ratio: 1.5, views: 9007199254740994n }],
      ['coerced Decimal', { balance: '-1' }],
      ['date bounds', { trialEnds: new Date('2100-01-01') }],
      ['excluded enum value', { plan: 'TEAM' }],
      ['unknown enum value', { plan: 'GOLD' }],
      ['two rules of a field', { homepage: 'http:' }],
      ['types', { age: '1', ratio: 'x', trialEnds: 'tomorrow', views: 'many', balance: true, email: 1 }],
      ['null', { handle: null, age: null, views: null }],
      ['lone surrogate', { handle: 'ab\ud800' }],
      ['unstorable character', { homepage: 'https://a\0' }],
      ['no errors', { handle: 'bob', age: 3, balance: '1.50', homepage: null, plan: 'PRO', views: 3n }],
      ['undefined', { handle: undefined }],
    ])('account.update: validates like the server: %s', async (_, values) => {
      const lines = validate(accountInput.update, values)
      expect(await reject(rest.account.update('a', values as never))).toEqual(lines)
      expect(await reject(rpc().account.update({ where: { id: 'a' }, data: values as never }))).toEqual(lines)
    })

    it.each<[string, object]>([
      ['missing', {}],
      ['undefined', { text: undefined }],
      ['empty', { text: '' }],
      ['no errors', { text: 'Good' }],
    ])('feedback.create: validates like the server: %s', async (_, values) => {
      const lines = validate(feedbackInput.create, values)
      expect(await reject(rest.feedback.create(values as never))).toEqual(lines)
      // The caller cannot read feedback.
      const errors = await reject(rpc().feedback.create({ data: values as never } as never))
      expect(errors).toEqual(lines)
    })

    it('describes null in a required field like a missing value', () => {
      expect(validate(accountInput.update, { email: null })).toEqual(['email | Must have a value. | required | {}'])
    })

    it('contains only fields that callers can write', () => {
      expect(validate(accountInput.create, {})).toEqual([
        'email | Must have a value. | required | {}',
        'handle | Must have a value. | required | {}',
        'password | Must have a value. | required | {}',
      ])
      // The id of a row does not change.
      expect(validate(accountInput.update, { id: 1, notes: 1, createdAt: 'x' })).toEqual([])
    })
  },
  { fixture: 'annotations' },
)

const DECIMAL = { d: [1], e: 0, s: 1, toFixed: () => '1' }
const VALID = {
  text: 'a',
  big: 1n,
  float: 1.5,
  decimal: DECIMAL,
  json: { at: new Date(0), none: undefined },
  bytes: new Uint8Array([1]),
}
/** Values that JSON has. */
// prettier-ignore
const VALUES: readonly unknown[] = [
  undefined, null, '', 'x', 'RED', '2024-02-30', '2024-02-29', '12', '1e400', 'AQI=', 'a\0', '9'.repeat(20), true, [],
  0, 1.5, 2 ** 31, 2 ** 53, ['RED'], [1, null], [1.5, 'x'], ['2024-02-29', true], ['a\0', 'b'], [null],
  'b7c3e0d2-5a53-4a57-9f0b-8a4f3f1f2a10',
]

/** Values that JSON lacks, by the beginning of the field's name. */
const SPECIAL_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  big: [12n, [1n, 2n]],
  decimal: [DECIMAL, [DECIMAL, 'y']],
  at: [new Date(0), [new Date(0), true]],
  bytes: [new Uint8Array([1]), [new Uint8Array([1]), 1]],
  jsons: [[{ a: [1, new Date(0)], b: undefined }]],
}

const JSON_OBJECTS: readonly unknown[] = [{ a: [1, new Date(0)], b: undefined }, { a: { b: '\0' } }]

function valuesFor(name: string): readonly unknown[] {
  // RPC interprets an object as an operation if the field is a list.
  const objects = name === 'json' || name === 'jsonOpt' ? JSON_OBJECTS : []
  const special = Object.entries(SPECIAL_VALUES).filter(([start]) => name.startsWith(start))
  return [...VALUES, ...objects, ...special.flatMap(([, values]) => values)]
}

const FIELDS = Object.keys(scalarsResource.fields).filter((name) => name !== 'id')

describeDatabases<'kitchen-sink'>(
  'emitted input of every type',
  (db) => {
    it('validates any values like the server', async () => {
      await db.reset()
      const rest = kitchenSinkClient(fetchOf(db))
      const rpc = createRpcClient<KitchenSink>({ url: '/api', fetch: rpcFetch(db) })
      expect(validate(scalarsInput.create, VALID)).toEqual([])
      const change = fc
        .constantFrom(...FIELDS)
        .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...valuesFor(name))))
      const changes = fc.array(change, { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(changes, async (changed) => {
          const values = { ...VALID, ...Object.fromEntries(changed) }
          const lines = validate(scalarsInput.create, values)
          expect(await reject(rest.scalars.create(values as never))).toEqual(lines)
          expect(await reject(rpc.scalars.create({ data: values as never }))).toEqual(lines)
        }),
        { numRuns: 150 },
      )
    })

    it('describes an object for a Decimal like the server', async () => {
      const values = { ...VALID, decimal: { a: 1 } }
      const rest = kitchenSinkClient(fetchOf(db))
      const rpc = createRpcClient<KitchenSink>({ url: '/api', fetch: rpcFetch(db) })
      const lines = validate(scalarsInput.create, values)
      expect(await reject(rest.scalars.create(values as never))).toEqual(lines)
      expect(await reject(rpc.scalars.create({ data: values as never }))).toEqual(lines)
    })

    it('accepts a relation instead of its foreign key, and does not validate it', () => {
      expect(validate(enrolmentInput.create, { person: 1, course: 'x' })).toEqual([])
      expect(validate(enrolmentInput.create, { person: undefined, courseCode: 'x' })).toEqual([
        'personId | Must have a value. | required | {}',
      ])
    })
  },
  { fixture: 'kitchen-sink' },
)

describe('emitted input schema', () => {
  it('follows Standard Schema, and returns the values unchanged', () => {
    const { version, vendor, validate: run } = feedbackInput.create['~standard']
    const values = { text: 'Good', extra: 1 }
    const result = run(values)
    expect([version, vendor, 'value' in result && result.value]).toEqual([1, 'routewright', values])
  })

  it.each([null, undefined, 1, 'text', []])('rejects values that are not an object: %j', (value) => {
    expect(validate(feedbackInput.create, value)).toEqual([' | Must be an object. |  | '])
  })

  it('has the types that the clients accept', () => {
    type ValuesOf<S> = S extends InputSchema<infer T> ? T : never
    type Create = ValuesOf<typeof accountInput.create>
    type Update = ValuesOf<typeof accountInput.update>
    expectTypeOf<Pick<Create, 'handle' | 'age'>>().toEqualTypeOf<{ handle: string; age?: number | null }>()
    expectTypeOf<Create['plan']>().toEqualTypeOf<'FREE' | 'PRO' | 'TEAM' | undefined>()
    expectTypeOf<keyof Create>().exclude<keyof Update>().toEqualTypeOf<'id'>()
    const typed = {
      rest: (values: Update) => annotationsClient().account.update('a', values),
      rpc: (api: ReturnType<typeof createRpcClient<Annotations>>, data: Update) =>
        api.account.update({ where: { id: 'a' }, data }),
      scalarsOverRest: (values: ValuesOf<typeof scalarsInput.create>) => kitchenSinkClient().scalars.create(values),
      scalarsOverRpc: (
        api: ReturnType<typeof createRpcClient<KitchenSink>>,
        data: ValuesOf<typeof scalarsInput.create>,
      ) => api.scalars.create({ data }),
    }
    expect(Object.keys(typed)).toHaveLength(4)
  })

  it('includes no server code in a browser bundle', async () => {
    const { inputs, text } = await bundleForBrowser(
      `export { feedbackInput } from './fixtures/annotations/expected/feedback/input.js'\n`,
    )
    const allowed =
      /^(node_modules\/zod|fixtures\/annotations\/expected\/feedback\/input\.ts|runtime\/(input|values|schema)\/)/
    expect(inputs.filter((file) => !allowed.test(file))).toEqual([])
    expect(text).not.toMatch(/feedbackResource|prisma\.io/)
    expect(gzipSync(text).length).toBeLessThan(9000)
  })
})
