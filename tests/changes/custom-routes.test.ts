import { openApiWithRoutes } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { changeId } from '../../generator/changes/change.js'
import { compareSummaries } from '../../generator/changes/documents/compare-documents.js'
import { getRouteName, mergeStyles } from '../../generator/changes/documents/document-changes.js'
import { summarizeDocument } from '../../generator/changes/documents/document-summary.js'

const endpoint = 'https://example.com'
const STYLES = ['rest', 'rpc'] as const

type Style = (typeof STYLES)[number]

/** The parts of a route that the tests change. */
interface Route {
  /** Default: `publish`. */
  readonly name?: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  readonly result?: z.ZodType | 'Post' | 'User' | readonly ['Post']
  readonly nullable?: true
  readonly list?: true
  readonly path?: string
  readonly errors?: Readonly<Record<string, 409 | 410>>
  readonly transaction?: true
  readonly description?: string
}

/** Returns the document of an API in which routes are declared like this. */
async function documentOf(style: Style, ...declared: readonly Route[]): Promise<unknown> {
  const group = declared.map(({ name = 'publish', ...route }) => {
    const path = route.list ? '/publish' : '/:id/publish'
    return [name, { method: 'POST', path, ...route }] as const
  })
  const declarations = declareRoutes({ post: Object.fromEntries(group) } as never)
  const implementations = Object.fromEntries(group.map(([name]) => [name, () => undefined]))
  const routes = implementRoutes(declarations, { post: implementations } as never)
  const options = { openapi: openApiWithRoutes(), routes }
  const handler = style === 'rest' ? RestApiHandler({ endpoint, ...options }) : RPCApiHandler(options)
  const response = await handler.fetch(new Request(`${endpoint}/openapi.json`), { getOrm: () => ({}) as never })
  expect(response.status).toBe(200)
  return response.json()
}

const EFFECTS = {
  renamedModels: new Map<string, string>(),
  changesOperation: () => false,
  isEmitted: ({ name }: { name: string }) => !/publish|release|retract/i.test(name),
  rowArguments: () => new Set(['id']),
  changesId: () => false,
}

/**
 * Returns the kind, code and detail of each change.
 * @param edit changes both documents
 */
async function findChanges(
  style: Style,
  before: Route | readonly Route[],
  after: Route | readonly Route[],
  edit = (document: unknown) => document,
) {
  const [old, current] = [await documentOf(style, ...[before].flat()), await documentOf(style, ...[after].flat())]
  const found = compareSummaries(summarizeDocument(edit(old)), summarizeDocument(edit(current)), EFFECTS)
  expect(found.every(({ model }) => model === 'Post')).toBe(true)
  return found.map(({ kind, code, detail = '' }) => `${kind} ${code} ${detail.replace(/^post\.publish ?/, '')}`.trim())
}

const note = (schema: z.ZodType): Route => ({ body: z.object({ note: schema }) })
const returning = (schema: z.ZodType): Route => ({ result: z.object({ total: schema }) })

const card = z.object({ number: z.string() })
const cash = z.object({ cash: z.literal(true) })
const gift = z.object({ code: z.int() })
const FEWER = 'breaking input-stricter note has fewer alternatives'
const MORE = 'loosened input-looser note has additional alternatives'
const OTHER = 'breaking input-changed note has a different schema'
const RECURSIVE: z.ZodType = z.object({
  name: z.string(),
  get parent() {
    return RECURSIVE.optional()
  },
})

const CHANGES: readonly [name: string, before: Route, after: Route, changes: readonly string[]][] = [
  ['a required property', {}, note(z.string()), ['breaking input-required note']],
  ['an optional property', {}, note(z.string().optional()), ['loosened input-added note']],
  ['a removed property', note(z.string()), {}, ['breaking input-removed note']],
  ['a property becomes required', note(z.string().optional()), note(z.string()), ['breaking input-required note']],
  ['a property becomes optional', note(z.string()), note(z.string().optional()), ['loosened input-optional note']],
  [
    'a property accepts null',
    note(z.string()),
    note(z.string().nullable()),
    ['loosened input-looser note can now be null'],
  ],
  [
    'a property rejects null',
    note(z.string().nullable()),
    note(z.string()),
    ['breaking input-stricter note can no longer be null'],
  ],
  [
    'a different type',
    note(z.string()),
    note(z.boolean()),
    ['breaking input-changed note is boolean instead of string'],
  ],
  ['a wider type', note(z.int()), note(z.number()), [expect.stringContaining('loosened input-looser note')]],
  [
    'another enum value',
    note(z.enum(['a', 'b'])),
    note(z.enum(['b', 'c'])),
    ['breaking input-stricter note can no longer be a', 'loosened input-looser note can now be c'],
  ],
  [
    'only some texts',
    note(z.string()),
    note(z.enum(['a', 'b'])),
    ['breaking input-stricter note can now only be a or b'],
  ],
  [
    'a lower maximum',
    note(z.string().max(9)),
    note(z.string().max(5)),
    ['breaking input-stricter note has maxLength 5 instead of 9'],
  ],
  [
    'no more maximum',
    note(z.string().max(9)),
    note(z.string()),
    ['loosened input-looser note no longer has maxLength 9'],
  ],
  [
    'a different format',
    note(z.email()),
    note(z.uuid()),
    expect.arrayContaining(['breaking input-changed note has format uuid instead of email']),
  ],
  [
    'a nested property',
    note(z.array(z.object({ a: z.string() }))),
    note(z.array(z.object({ a: z.string(), b: z.string() }))),
    ['breaking input-required note[].b'],
  ],
  ...(
    [
      [['a', 'b', 'c'], ['a', 'b'], 'breaking input-stricter note can no longer be c'],
      [['a', 'b'], ['a', 'b', 'c'], 'loosened input-looser note can now be c'],
    ] as const
  ).map(([from, to, change]): (typeof CHANGES)[number] => {
    const union = (values: readonly string[]) => note(z.union(values.map((value) => z.literal(value))))
    return [`literals ${from.join()} -> ${to.join()}`, union(from), union(to), [change]]
  }),
  ['fewer variants', note(z.union([card, cash, gift])), note(z.union([card, cash])), [FEWER]],
  ['one variant', note(z.union([card, cash])), note(card), [FEWER]],
  ['more variants', note(card), note(z.union([card, cash])), [MORE]],
  ['other variants', note(z.union([card, cash])), note(z.union([gift, z.int()])), [OTHER]],
  ['variants in another order', note(z.union([z.string(), z.int()])), note(z.union([z.int(), z.string()])), []],
  [
    'a required property in a variant',
    note(z.union([card, cash])),
    note(z.union([card.extend({ pin: z.int() }), cash])),
    ['breaking input-required note.pin'],
  ],
  [
    'a required property in a variant, and another variant',
    note(z.union([card, cash])),
    note(z.union([card.extend({ pin: z.int() }), cash, gift])),
    [OTHER],
  ],
  ['no value', note(z.string()), note(z.never()), [expect.stringMatching(/^breaking input-changed note is a schema /)]],
  ['no value instead of any value', note(z.any()), note(z.never()), [expect.stringContaining('breaking')]],
  ['any value', note(z.string()), note(z.any()), ['loosened input-looser note is any value instead of string']],
  [
    'a wider type with a limit',
    note(z.int()),
    note(z.number().max(5)),
    ['loosened input-looser note is number instead of integer', 'breaking input-stricter note now has maximum 5'],
  ],
  [
    'a lower minimum',
    note(z.int().min(5)),
    note(z.int().min(3)),
    ['loosened input-looser note has minimum 3 instead of 5'],
  ],
  [
    'required keys of a record',
    note(z.partialRecord(z.enum(['a', 'b']), z.int())),
    note(z.record(z.enum(['a', 'b']), z.int())),
    ['breaking input-required note.a', 'breaking input-required note.b'],
  ],
  [
    'the values of a record',
    note(z.record(z.string(), z.int())),
    note(z.record(z.string(), z.string())),
    ['breaking input-changed note.* is string instead of integer'],
  ],
  [
    'a closed object',
    note(z.object({ a: z.int() })),
    note(z.strictObject({ a: z.int() })),
    ['breaking input-stricter note can no longer contain other properties'],
  ],
  [
    'a nullable enum',
    note(z.enum(['a'])),
    note(z.enum(['a']).nullable()),
    ['loosened input-looser note can now be null'],
  ],
  [
    'a pattern',
    note(z.string().regex(/^a$/)),
    note(z.string().regex(/^b$/)),
    ['breaking input-changed note has a different pattern'],
  ],
  [
    'a different default',
    note(z.int().default(5)),
    note(z.int().describe('A number').default(10)),
    ['breaking default-changed note has the default 10 instead of 5'],
  ],
  [
    'no more default',
    note(z.int().default(5)),
    note(z.int().optional()),
    ['breaking default-changed note no longer has the default 5'],
  ],
  [
    'a new default of a nested property',
    note(z.array(z.object({ a: z.string().optional() }))),
    note(z.array(z.object({ a: z.string().default('b. c') }))),
    ['breaking default-changed note[].a now has the default "b. c"'],
  ],
  [
    'a default of a property that was required',
    note(z.int()),
    note(z.int().default(5)),
    ['loosened input-optional note'],
  ],
  [
    'a different default of a query parameter',
    { method: 'GET', query: z.object({ limit: z.int().default(5) }) },
    { method: 'GET', query: z.object({ limit: z.int().default(10) }) },
    ['breaking default-changed limit has the default 10 instead of 5'],
  ],
  [
    'a different default in a nullable object',
    note(z.object({ a: z.int().default(1) }).nullable()),
    note(z.object({ a: z.int().default(2) }).nullable()),
    ['breaking default-changed note.a has the default 2 instead of 1'],
  ],
  ['an undescribed body', note(z.string()), { body: RECURSIVE }, []],
  ['a described body', { body: RECURSIVE }, note(z.string()), []],
  ['an undescribed result', returning(z.string()), { result: RECURSIVE }, []],
  [
    'a nullable row',
    { result: 'Post' },
    { result: 'Post', nullable: true },
    ['breaking result-changed can now be null'],
  ],
  [
    'no more nullable row',
    { result: 'Post', nullable: true },
    { result: 'Post' },
    ['harmless result-narrowed can no longer be null'],
  ],
  ['a description', note(z.string()), note(z.string().describe('A note.')), []],
  [
    'a property called description',
    note(z.object({})),
    note(z.object({ description: z.int() })),
    ['breaking input-required note.description'],
  ],
  [
    'a query parameter',
    { method: 'GET', query: z.object({ a: z.string() }) },
    { method: 'GET', query: z.object({ a: z.string().max(3), b: z.string() }) },
    ['breaking input-stricter a now has maxLength 3', 'breaking input-required b'],
  ],
  [
    'a member of the result',
    returning(z.int()),
    { result: z.object({ total: z.int(), max: z.int() }) },
    [expect.stringMatching(/^exposure result-added max$/)],
  ],
  ['a missing member of the result', returning(z.int()), { result: z.object({}) }, ['breaking result-removed total']],
  [
    'an optional member of the result',
    returning(z.int()),
    returning(z.int().optional()),
    ['breaking result-changed total'],
  ],
  [
    'null in the result',
    returning(z.int()),
    returning(z.int().nullable()),
    ['breaking result-changed total can now be null'],
  ],
  [
    'no more null in the result',
    returning(z.int().nullable()),
    returning(z.int()),
    ['harmless result-narrowed total can no longer be null'],
  ],
  ['other properties in the result', { result: z.object({}) }, { result: z.looseObject({}) }, []],
  [
    'fewer variants in the result',
    returning(z.union([card, cash])),
    returning(card),
    [expect.stringContaining('harmless')],
  ],
  [
    'another value in the result',
    returning(z.enum(['a'])),
    returning(z.enum(['a', 'b'])),
    ['breaking result-changed total can now be b'],
  ],
  ...(
    [
      [z.date(), z.iso.datetime(), 'is string instead of Date'],
      [z.iso.datetime(), z.date(), 'is Date instead of string'],
      [z.string(), z.date(), 'is Date instead of string'],
      [z.bigint(), z.string(), 'is string instead of bigint'],
      [z.int(), z.bigint(), 'is bigint instead of integer'],
    ] as const
  ).map(([from, to, change]): (typeof CHANGES)[number] => [
    `a value in the result that ${change}`,
    returning(from.nullable()),
    returning(to.nullable()),
    [`breaking result-changed total ${change}`],
  ]),
  ['dates in a body', note(z.iso.datetime()), note(z.date()), ['loosened input-looser note no longer has pattern']],
  [
    'the row of a different model',
    { result: 'Post' },
    { result: 'User' },
    ['breaking result-changed is User instead of Post'],
  ],
  [
    'a list instead of a row',
    { result: 'Post' },
    { result: ['Post'] },
    [expect.stringMatching(/^breaking result-changed /)],
  ],
  ['an error', {}, { errors: { sold: 409 } }, ['harmless error-added sold']],
  ['no more error', { errors: { sold: 409 } }, {}, ['harmless error-removed sold']],
  [
    'a different status',
    { errors: { sold: 409 } },
    { errors: { sold: 410 } },
    ['breaking error-status sold 409 -> 410'],
  ],
  ...(
    [
      ['without a body', {}],
      ['with a body', note(z.string())],
      ['with a query', { method: 'DELETE', query: z.object({ a: z.string() }) }],
      ['with another method', { method: 'PATCH' }],
    ] as const
  ).flatMap(([name, route]): (typeof CHANGES)[number][] => [
    [`transactions call a route ${name}`, route, { ...route, transaction: true }, ['loosened transaction-added']],
    [
      `transactions no longer call a route ${name}`,
      { ...route, transaction: true },
      route,
      ['breaking transaction-removed'],
    ],
  ]),
  [
    'a property of a route that transactions call',
    { ...note(z.string()), transaction: true },
    { ...note(z.string().max(5)), transaction: true },
    ['breaking input-stricter note now has maxLength 5'],
  ],
  [
    'a result of a route that transactions call',
    { ...returning(z.int()), transaction: true },
    { ...returning(z.int().nullable()), transaction: true },
    ['breaking result-changed total can now be null'],
  ],
  [
    'a parameter of a list',
    { method: 'GET', result: ['Post'], list: true },
    { method: 'GET', result: ['Post'], list: true, query: z.object({ year: z.int() }) },
    ['breaking input-required year'],
  ],
  ...(
    [
      ['without a query', undefined],
      ['with a query', z.object({ year: z.int() })],
      ['with a closed query', z.strictObject({ year: z.int().optional() })],
    ] as const
  ).flatMap(([name, query]): (typeof CHANGES)[number][] => {
    const route: Route = { method: 'GET', path: '/publish', result: ['Post'], ...(query && { query }) }
    return [
      [`list parameters of a route ${name}`, route, { ...route, list: true }, ['loosened list-added']],
      [`no more list parameters of a route ${name}`, { ...route, list: true }, route, ['breaking list-removed']],
    ]
  }),
  ['a different method', { method: 'PATCH' }, { method: 'PUT' }, ['breaking method-changed PATCH -> PUT']],
  ['a read that becomes a write', { method: 'GET' }, {}, ['breaking endpoint-removed', 'exposure endpoint-added']],
  [
    'a different method and a new result',
    { method: 'PATCH' },
    { method: 'PUT', ...returning(z.int()) },
    ['breaking method-changed PATCH -> PUT', 'exposure result-added'],
  ],
  [
    'no more list parameters, and a parameter',
    { method: 'GET', path: '/publish', result: ['Post'], list: true },
    { method: 'GET', path: '/publish', result: ['Post'], query: z.object({ year: z.int() }) },
    ['breaking input-required year', 'breaking list-removed'],
  ],
]

describe.each(STYLES)('%s: custom routes in documents', (style) => {
  it.each(CHANGES)('%s', async (_name, before, after, changes) => {
    expect(await findChanges(style, before, after)).toEqual(changes)
  })

  it('compares the body of a route that moved', async () => {
    const moved = await findChanges(style, note(z.string()), { ...note(z.int()), path: '/:id/release' })
    expect(moved).toEqual([
      ...(style === 'rest' ? ['breaking path-changed /post/{id}/publish -> /post/{id}/release'] : []),
      'breaking input-changed note is integer instead of string',
    ])
  })

  it('ignores calls in transactions if the API has no transactions', async () => {
    const withoutTransactions = (document: unknown): unknown => {
      const paths = /^\/(operations$|\$transaction\/)/
      const edited = JSON.parse(JSON.stringify(document), (name, value) => (paths.test(name) ? undefined : value))
      expect(edited).not.toEqual(document)
      return edited
    }
    expect(await findChanges(style, {}, { transaction: true }, withoutTransactions)).toEqual([])
    expect(await findChanges(style, { transaction: true }, {}, withoutTransactions)).toEqual([])
  })

  it('reports a new result as exposure, and a removed one as breaking', async () => {
    expect(await findChanges(style, {}, returning(z.int()))).toEqual(['exposure result-added'])
    expect(await findChanges(style, returning(z.int()), {})).toEqual(['breaking result-removed'])
  })
})

describe('custom routes in the documents of both styles', () => {
  const LIST: Route = { method: 'GET', path: '/publish', result: ['Post'] }

  it.each<[string, readonly Route[], readonly Route[], readonly [detail: string, sentence: string][]]>([
    [
      'a change of both',
      [{}],
      [note(z.string())],
      [['post.publish note', '`post.publish` (REST and RPC) now requires `note`: requests without it are rejected.']],
    ],
    [
      'a missing member',
      [returning(z.int())],
      [returning(z.int().optional())],
      [
        [
          'post.publish total',
          'Responses of `post.publish` (REST and RPC) may no longer contain `total`: callers that expect it may break.',
        ],
      ],
    ],
    [
      'an added route',
      [],
      [{}],
      [
        [
          'post.publish',
          'The handler now offers `post.publish` (REST `POST /post/{id}/publish`; RPC `POST /post/publish`).',
        ],
      ],
    ],
    [
      'a different path in REST',
      [{}],
      [{ path: '/:id/release' }],
      [
        [
          'post.publish /post/{id}/publish -> /post/{id}/release',
          '`post.publish` (REST) is served at `/post/{id}/release` instead of `/post/{id}/publish`: requests for the old path are rejected (404).',
        ],
      ],
    ],
    [
      'a change with other words in each style',
      [LIST],
      [{ ...LIST, list: true }],
      [
        ['post.publish', '`post.publish` (REST) now accepts list parameters such as `filter`, `sort` and `page`.'],
        ['post.publish', '`post.publish` (RPC) now accepts list parameters such as `where`, `orderBy` and `take`.'],
      ],
    ],
  ])('%s: is reported once if the sentences are equal', async (_name, before, after, expected) => {
    const found = await Promise.all(
      STYLES.map(async (style) => {
        const [old, current] = [await documentOf(style, ...before), await documentOf(style, ...after)]
        const findings = compareSummaries(summarizeDocument(old), summarizeDocument(current), EFFECTS)
        return findings.map((finding) => ({ ...finding, id: changeId(finding), style }))
      }),
    )
    expect(mergeStyles(found.flat()).map(({ detail, sentence }) => [detail, sentence])).toEqual(expected)
  })
})

describe('getRouteName', () => {
  it.each([
    ['publishPost', '/post/{id}/publish', 'Post', 'post.publish'],
    ['postPublish', '/post/publish', 'Post', 'post.publish'],
    ['postBlogPost', '/post/blogPost', 'Post', 'post.blogPost'],
    ['blogPostPost', '/post/blog-post', 'Post', 'post.blogPost'],
    ['summarySalesReports', '/sales-reports/summary', 'sales-reports', 'sales-reports.summary'],
    ['salesReportsSummary', '/sales-reports/summary', 'sales-reports', 'sales-reports.summary'],
    ['closeOrder_Item', '/order_item/{id}/close', 'Order_Item', 'order_Item.close'],
    ['publishPost2', '/post/{id}/publish', 'Post', 'publishPost2'],
    ['ping', '/ping', undefined, 'ping'],
  ])('%s (%s): returns the name of the route', (name, path, model, expected) => {
    expect(getRouteName({ name, path, model, method: 'POST', source: {} })).toBe(expected)
  })
})

/** A route with everything that a document contains. */
const DETAILED: Route = {
  description: 'Publishes the post.',
  ...note(z.string()),
  result: z.object({ total: z.int() }),
  errors: { sold: 409 },
  transaction: true,
}

const TEXT = { description: 'Publishes the post.' }

describe('rest: custom route with a different name in documents', () => {
  it('is harmless if the path is the same', async () => {
    const found = await findChanges('rest', DETAILED, { ...DETAILED, name: 'release' })
    expect(found).toEqual(['harmless operation-renamed -> post.release'])
  })

  it('is reported as removed and added if the path changes, too', async () => {
    const found = await findChanges('rest', DETAILED, { ...DETAILED, name: 'release', path: '/:id/release' })
    expect(found).toEqual(['breaking endpoint-removed', 'exposure endpoint-added post.release'])
  })
})

describe('rpc: custom route with a different name in documents', () => {
  const RENAMED = ['breaking operation-renamed -> post.release']
  const REPLACED = ['breaking endpoint-removed', 'exposure endpoint-added post.release']

  it.each<[string, readonly Route[], readonly Route[], readonly string[]]>([
    ['a detailed route', [DETAILED], [{ ...DETAILED, name: 'release' }], RENAMED],
    ['a route with a text', [TEXT], [{ ...TEXT, name: 'release' }], RENAMED],
    ['a route without a text', [{}], [{ name: 'release' }], REPLACED],
    ['a route with another text', [TEXT], [{ description: 'Retracts the post.', name: 'release' }], REPLACED],
    [
      'a read',
      [{ ...TEXT, method: 'GET', result: 'Post' }],
      [{ ...TEXT, method: 'GET', result: 'Post', name: 'release' }],
      RENAMED,
    ],
    [
      'a list',
      [{ ...TEXT, method: 'GET', result: ['Post'], list: true }],
      [{ ...TEXT, method: 'GET', result: ['Post'], list: true, name: 'release' }],
      RENAMED,
    ],
    ['another method', [{}], [{ name: 'release', method: 'PUT' }], REPLACED],
    ['another input', [{}], [{ ...note(z.string()), name: 'release' }], REPLACED],
    ['another result', [DETAILED], [{ ...DETAILED, result: 'Post', name: 'release' }], REPLACED],
    ['other errors', [DETAILED], [{ ...DETAILED, errors: { sold: 410 }, name: 'release' }], REPLACED],
    [
      'a transaction',
      [TEXT],
      [{ ...TEXT, transaction: true, name: 'release' }],
      [...RENAMED, 'loosened transaction-added post.release'],
    ],
    [
      'two new routes',
      [{}],
      [{ name: 'release' }, { name: 'retract', path: '/:id/retract' }],
      [...REPLACED, 'exposure endpoint-added post.retract'],
    ],
    [
      'two removed routes',
      [{}, { name: 'retract', path: '/:id/retract' }],
      [{ name: 'release' }],
      ['breaking endpoint-removed', 'breaking endpoint-removed post.retract', 'exposure endpoint-added post.release'],
    ],
  ])('%s: counts as renamed only if everything else is the same', async (_name, before, after, changes) => {
    expect(await findChanges('rpc', before, after)).toEqual(changes)
  })

  it('names the old and the new path', async () => {
    const [before, after] = [await documentOf('rpc', TEXT), await documentOf('rpc', { ...TEXT, name: 'release' })]
    const found = compareSummaries(summarizeDocument(before), summarizeDocument(after), EFFECTS)
    expect(found.map(({ sentence }) => sentence)).toEqual([
      '`post.publish` was renamed to `post.release` and is served at `/post/release` instead of `/post/publish`: requests for the old path are rejected (404).',
    ])
  })
})

describe('rest: custom lists with full-text search in documents', () => {
  it('does not report the search separately', async () => {
    const limit = '{"$ref":"#/components/parameters/page-limit"}'
    const search = '{"name":"fullText[title]","in":"query","schema":{"type":"string"}}'
    const addSearch = (document: unknown): unknown =>
      JSON.parse(JSON.stringify(document).replaceAll(limit, `${limit},${search}`))
    const route: Route = { method: 'GET', path: '/publish', result: ['Post'] }
    const found = await findChanges('rest', { ...route, list: true }, route, addSearch)
    expect(found).toEqual(['breaking list-removed'])
  })
})
