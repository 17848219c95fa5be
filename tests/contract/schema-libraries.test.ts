import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApiWithRoutes } from '../../runtime/openapi/index.js'
import type { StandardSchema } from '../../runtime/index.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

/** The same body in each library: a contact whose email must be valid, and optional phones. */
const BODIES = {
  zod: z.object({ contact: z.object({ email: z.email(), phones: z.array(z.string().min(3)).optional() }) }),
  valibot: v.object({
    contact: v.object({
      email: v.pipe(v.string(), v.email()),
      phones: v.optional(v.array(v.pipe(v.string(), v.minLength(3)))),
    }),
  }),
  arktype: type({ contact: { email: 'string.email', 'phones?': '(string >= 3)[]' } }),
}

/** The errors of an invalid email and a short phone: the message, the rule and its parameters. */
const ERRORS = {
  zod: [
    ['Invalid email address', 'invalid_format', { format: 'email', origin: 'string' }],
    [
      'Too small: expected string to have >=3 characters',
      'too_small',
      { origin: 'string', minimum: 3, inclusive: true },
    ],
  ],
  valibot: [
    ['Invalid email: Received "x"', 'email', {}],
    ['Invalid length: Expected >=3 but received 1', 'min_length', { expected: '>=3', requirement: 3 }],
  ],
  arktype: [
    ['Must be an email address', 'pattern', { expected: 'an email address' }],
    ['Must be at least length 3', 'minLength', { expected: 'at least length 3' }],
  ],
} as const

/** The same query in each library. Only with a conversion to JSON Schema are the types of parameters known. */
const QUERIES: Readonly<Record<string, StandardSchema<object>>> = {
  zod: z.object({
    flag: z.boolean().optional(),
    count: z.int().default(7),
    both: z.union([z.number(), z.string()]).optional(),
    // Has no JSON form.
    at: z.coerce.date<Date>('Must be a date.').optional(),
    id: z.int().meta({ id: 'Id' }).optional(),
    other: z.int().meta({ id: 'Id' }).optional(),
  }),
  'zod with coercion': z.object({
    flag: z.coerce.boolean().optional(),
    count: z.coerce.number().default(7),
    both: z.string().optional(),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      flag: v.optional(v.boolean()),
      count: v.optional(v.pipe(v.number(), v.integer()), 7),
      both: v.optional(v.union([v.number(), v.string()])),
    }),
  ),
  arktype: type({ 'flag?': 'boolean', count: 'number.integer = 7', 'both?': 'number | string' }),
}

/** Returns a schema of no library, which accepts all values. */
function handwritten(properties: object, rules: object = {}): StandardSchema {
  const jsonSchema = { input: () => ({ type: 'object', properties, ...rules }) }
  const standard = { version: 1, vendor: 'handwritten', validate: (value: unknown) => ({ value }), jsonSchema } as const
  return { '~standard': standard }
}

const INVALID = { contact: { email: 'x', phones: ['1'] } }

describeDatabases(
  'declared routes: schemas of several libraries',
  (db) => {
    const create = (routes: Readonly<Record<string, object>>) => {
      const run = ({ body }: { readonly body?: unknown }) => body ?? {}
      const functions = Object.fromEntries(Object.keys(routes).map((name) => [name, run]))
      const custom = implementRoutes(declareRoutes({ jobs: routes } as {}), { jobs: functions } as object)
      const openapi = openApiWithRoutes()
      const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: custom, openapi })
      const rpc = db.routes.RPCApiHandler({ routes: custom, openapi })
      const send =
        (handler: typeof rest | typeof rpc, mediaType: string) => async (path: string, body?: object | string) => {
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          const init = body && { headers: { 'Content-Type': mediaType }, body: text }
          const request = new Request(`http://localhost${path}`, { method: 'POST', ...init })
          const response = await handler.fetch(request, { getOrm: () => db.orm })
          return { status: response.status, body: await response.json() }
        }
      const describe = async (handler: typeof rest | typeof rpc): Promise<OpenApiDocument> => {
        const response = await handler.fetch(new Request('http://localhost/openapi.json'), { getOrm: () => db.orm })
        return response.json()
      }
      return {
        rest: send(rest, 'application/vnd.api+json'),
        rpc: send(rpc, 'application/json'),
        describeRest: () => describe(rest),
        describeRpc: () => describe(rpc),
      }
    }
    const route = (name: string, body: StandardSchema, result: StandardSchema = z.unknown()) => ({
      [name]: { method: 'POST', path: `/${name}`, body, result },
    })

    for (const library of ['zod', 'valibot', 'arktype'] as const) {
      it(`${library}: locates errors and names the violated rules`, async () => {
        const { rest, rpc } = create(route('run', BODIES[library]))
        const [email, phone] = ERRORS[library].map(([message, rule, params]) => ({ message, rule, params }))
        const [first, second] = (await rest('/jobs/run', INVALID)).body.errors
        expect(first).toMatchObject({
          source: { pointer: '/contact/email' },
          detail: `contact.email: ${email?.message}.`,
          meta: { message: email?.message, rule: email?.rule, ...email?.params },
        })
        expect(second).toMatchObject({
          source: { pointer: '/contact/phones/0' },
          meta: { message: phone?.message, rule: phone?.rule, ...phone?.params },
        })
        const { issues } = (await rpc('/jobs/run', INVALID)).body
        expect(issues).toMatchObject([
          { path: ['contact', 'email'], message: email?.message, code: email?.rule, params: email?.params },
          { path: ['contact', 'phones', 0], message: phone?.message, code: phone?.rule, params: phone?.params },
        ])
      })

      it(`${library}: treats a request without a body as one with an empty object`, async () => {
        const { rest, rpc } = create(route('run', BODIES[library]))
        const [error] = (await rest('/jobs/run')).body.errors
        expect(error).toMatchObject({ status: 422, source: { pointer: '/contact' } })
        expect((await rpc('/jobs/run')).body.issues).toMatchObject([{ path: ['contact'] }])
      })
    }

    it.each<[title: string, schema: StandardSchema, message: string]>([
      ['several rules', type({ a: 'string >= 60 & /[0-9]/' }), 'Must be matched by [0-9] and at least length 60'],
      ['literals', type({ a: "'x' | 'y'" }), 'Must be "x" or "y"'],
      ['a missing value', type({ a: 'string', b: 'string' }), 'Must be a string'],
      ['a description', type({ a: type('string >= 60').describe('a title') }), 'Must be a title'],
      [
        'a message',
        type({ a: type('string >= 60').configure({ message: () => 'Too short (was 2)' }) }),
        'Too short (was 2)',
      ],
      ['a problem', type({ a: type('string >= 60').configure({ problem: () => 'is short' }) }), 'Is short'],
      [
        'a rejection',
        type({ a: type('string').narrow((_a, context) => context.reject({ problem: 'must be nice' })) }),
        'Must be nice',
      ],
      ['alternatives', type({ a: 'string.email | string.url' }), 'Must be an email address or a URL string'],
    ])('arktype: omits the path and the value from the message for %s', async (title, schema, message) => {
      const { rpc } = create(route('run', schema))
      const body = title === 'a missing value' ? { b: 'b' } : { a: 'x (y)\n(z)' }
      expect((await rpc('/jobs/run', body)).body.issues).toMatchObject([{ path: ['a'], message }])
    })

    it.each([
      [String.raw`{"list":[{"note":"\ud800"}]}`, ['list', 0, 'note'], 'must be valid Unicode'],
      [String.raw`{"list":[{"note":"a\u0000"}]}`, ['list', 0, 'note'], 'must not contain the character U+0000'],
      [String.raw`{"list":[{"\ud800":1}]}`, ['list', 0, '\ud800'], 'must be valid Unicode'],
      [String.raw`{"a\u0000":1}`, ['a\0'], 'must not contain the character U+0000'],
      ['{"list":[{"note":1e400}]}', ['list', 0, 'note'], 'must be a finite number'],
      ['{"list":[-1e400]}', ['list', 0], 'must be a finite number'],
    ])('rejects %s, which not every database can store', async (body, path, problem) => {
      const { rest, rpc } = create(route('run', z.looseObject({})))
      const detail = `${path.join('.')} ${problem}.`
      const message = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
      const source = { pointer: `/${path.join('/')}` }
      const { errors } = (await rest('/jobs/run', body)).body
      expect(errors).toMatchObject([{ status: 422, source, detail, meta: { message } }])
      expect((await rpc('/jobs/run', body)).body.issues).toMatchObject([{ path, message }])
    })

    it('arktype: does not return the rejected body', async () => {
      const matching = type({ password: 'string', again: 'string' }).narrow(
        ({ password, again }, context) => password === again || context.mustBe('a matching pair'),
      )
      const { rest } = create(route('run', matching))
      const { status, body } = await rest('/jobs/run', { password: 'secret-1', again: 'secret-2' })
      expect([status, body.errors[0].detail]).toEqual([422, 'Must be a matching pair.'])
      expect(JSON.stringify(body)).not.toContain('secret-')
    })

    it.each<[title: string, schema: (name: string) => StandardSchema]>([
      ['zod', (name) => z.object({ [name]: z.string() })],
      ['valibot', (name) => v.object({ [name]: v.string() })],
      ['valibot with JSON Schema', (name) => toStandardJsonSchema(v.object({ [name]: v.string() }))],
      ['arktype', (name) => type({ [name]: 'string' })],
    ])('%s: rejects reserved names at start', (_title, schema) => {
      expect(() => create(route('run', schema('meta')))).toThrow('must not have the property "meta"')
      expect(() => create(route('run', schema('other')))).not.toThrow()
    })

    it.each<[title: string, result: StandardSchema, isClosed: boolean]>([
      ['an object', type({ a: 'string' }), false],
      ['a nested object', type({ '+': 'delete', list: type({ a: 'string' }).array() }), false],
      ['an empty object', type({}), false],
      ['a closed object', type({ '+': 'delete', a: 'string' }), true],
      ['a closed object with a member "properties"', type({ '+': 'delete', properties: 'string' }), true],
      ['an object that rejects others', type({ '+': 'reject', a: 'string' }), true],
      ['text', type('string'), true],
    ])('arktype: rejects results that could leak undeclared properties: %s', (_title, result, isClosed) => {
      const start = () => create(route('run', BODIES.zod, result))
      if (isClosed) expect(start).not.toThrow()
      else expect(start).toThrow('The result of the route jobs.run keeps undeclared properties, which could leak data.')
    })

    it.each<[title: string, schema: StandardSchema]>([
      ['zod', z.string()],
      ['valibot', toStandardJsonSchema(v.string())],
      ['arktype', type('string')],
    ])('%s: rejects a body that is not an object', (_title, schema) => {
      const message = 'The body of the route jobs.run must be the schema of an object, such as z.object({ … }).'
      expect(() => create(route('run', schema))).toThrow(message)
    })

    it.each<[title: string, schema: StandardSchema]>([
      ['zod', z.object({ at: z.date(), big: z.bigint(), name: z.string() })],
      ['valibot', toStandardJsonSchema(v.object({ at: v.date(), big: v.bigint(), name: v.string() }))],
      ['arktype', type({ at: 'Date', big: 'bigint', name: 'string' })],
    ])('%s: describes dates and bigints as strings in OpenAPI', async (_title, schema) => {
      const { describeRest, describeRpc } = create(route('run', schema))
      for (const { paths } of [await describeRest(), await describeRpc()]) {
        const body = paths['/jobs/run']?.post?.requestBody
        const [media] = Object.values(body && 'content' in body ? body.content : {})
        expect(media?.schema.properties).toMatchObject({
          at: { type: 'string', format: 'date-time' },
          big: { type: 'string', pattern: '^-?[0-9]+$' },
          name: { type: 'string' },
        })
      }
    })

    it.each(Object.entries(QUERIES))(
      '%s: converts the parameters of a URL to the types of the query',
      async (name, query) => {
        const declarations = declareRoutes({
          jobs: { find: { method: 'GET', path: '/find', query, result: z.unknown() } },
        })
        const custom = implementRoutes(declarations, { jobs: { find: ({ query }) => query } })
        const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: custom })
        const get = async (search: string) => {
          const response = await handler.fetch(new Request(`http://localhost/jobs/find?${search}`), {
            getOrm: () => db.orm,
          })
          const { meta, errors } = await response.json()
          return meta?.result ?? [response.status, ...errors.map(({ source }: { source: unknown }) => source)]
        }
        expect(await get('flag=false&count=5&both=5')).toEqual({ flag: false, count: 5, both: '5' })
        expect(await get('flag=true&count=-0')).toEqual({ flag: true, count: 0 })
        expect(await get('')).toEqual({ count: 7 })
        // Coercion accepts more, as in any other place.
        const invalid = name.includes('coercion') ? ['five'] : ['five', '', 'true', '9007199254740993']
        for (const count of invalid) expect(await get(`count=${count}`)).toEqual([400, { parameter: 'count' }])
      },
    )

    it.each<[title: string, schema: StandardSchema, text: string, expected: unknown]>([
      ['an exponent that is too large', z.object({ value: z.number().or(z.undefined()) }), '1e999', 400],
      ['an infinite number of ArkType', type({ value: 'number' }), '1e999', 400],
      ['a literal of zod', z.object({ value: z.literal([1, 2]) }), '2', 2],
      ['a literal of ArkType', type({ value: '1 | 2' }), '2', 2],
      ['a literal of valibot', toStandardJsonSchema(v.object({ value: v.picklist([1, 2]) })), '2', 2],
      ['a nullish number', z.object({ value: z.number().nullish() }), '2', 2],
      ['zod/mini', mini.object({ value: mini.optional(mini.boolean()) }), 'false', false],
      ['a transformed object', z.object({ value: z.int() }).transform(({ value }) => ({ value: value + 1 })), '2', 3],
      ['a transformation', z.object({ value: z.string().transform((text) => `${text}!`) }), '2', '2!'],
      [
        'a preprocessed boolean',
        z.object({ value: z.preprocess((text) => text === 'true', z.boolean()) }),
        'true',
        true,
      ],
      ['a preprocessed number', z.object({ value: z.preprocess((text) => Number(`${text}0`), z.int()) }), '2', 20],
      ['z.stringbool', z.object({ value: z.stringbool() }), 'yes', true],
      ['an enum of zod', z.object({ value: z.enum({ Low: 1, High: 2 }) }), '2', 2],
      ['a TypeScript enum', z.object({ value: z.enum({ Low: 1, High: 2, 1: 'Low', 2: 'High' }) }), '2', 2],
      ['an intersection of zod', z.object({ value: z.int().and(z.number()) }), '2', 2],
      ['z.lazy', z.object({ value: z.lazy(() => z.number()) }), '2', 2],
      ['a number or a list', z.object({ value: z.number().or(z.array(z.number())) }), '2', 2],
      ['a number or text', z.object({ value: z.lazy(() => z.number().or(z.string())) }), '2', '2'],
      [
        'a type next to rules',
        handwritten({ value: { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 9 }] } }),
        '2',
        2,
      ],
      [
        'properties next to a union',
        handwritten({ value: { type: 'integer' } }, { anyOf: [{ required: ['value'] }] }),
        '2',
        2,
      ],
      ['a literal or null', z.object({ value: z.literal([2, null]) }), '2', 2],
      [
        'an intersection of valibot',
        toStandardJsonSchema(v.object({ value: v.intersect([v.number(), v.number()]) })),
        '2',
        2,
      ],
      ['an intersection of objects', z.object({ value: z.number() }).and(z.object({ k: z.string() })), '2&k=x', 2],
      [
        'an intersection of valibot objects',
        toStandardJsonSchema(v.intersect([v.object({ value: v.number() }), v.object({})])),
        '2',
        2,
      ],
      [
        'a discriminated union',
        z.discriminatedUnion('k', [
          z.object({ k: z.literal('x'), value: z.int() }),
          z.object({ k: z.literal('y'), value: z.boolean() }),
        ]),
        'true&k=y',
        true,
      ],
      [
        'a variant of valibot',
        toStandardJsonSchema(
          v.variant('k', [v.object({ k: v.literal('x'), value: v.number() }), v.object({ k: v.literal('y') })]),
        ),
        '2&k=x',
        2,
      ],
      ['a union of ArkType', type({ k: "'x'", value: 'number' }).or({ k: "'y'" }), '2&k=x', 2],
      [
        'types that depend on another parameter',
        z.union([z.object({ k: z.literal('x'), value: z.int() }), z.object({ k: z.literal('y'), value: z.string() })]),
        '2&k=y',
        '2',
      ],
    ])('converts a parameter: %s', async (_, query, text, expected) => {
      const declarations = declareRoutes({
        jobs: { find: { method: 'GET', path: '/find', query: query as StandardSchema<object>, result: z.unknown() } },
      })
      const custom = implementRoutes(declarations, { jobs: { find: ({ query }) => Object(query).value } })
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: custom })
      const request = new Request(`http://localhost/jobs/find?value=${text}`)
      const response = await handler.fetch(request, { getOrm: () => db.orm })
      const { meta } = await response.json()
      expect(response.ok ? meta.result : response.status).toEqual(expected)
    })

    it('describes a query that cannot be converted as an object of parameters', async () => {
      const query = v.object({ days: v.string() })
      const { describeRest } = create({ recent: { method: 'GET', path: '/recent', query, result: z.unknown() } })
      expect((await describeRest()).paths['/jobs/recent']?.get?.parameters).toMatchObject([
        { name: 'query', in: 'query', style: 'form', explode: true, schema: { type: 'object' } },
      ])
    })
  },
  { fixture: 'blog', only: ['SQLite'] },
)
