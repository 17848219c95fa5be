import { openApiWithRoutes } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { compareSummaries } from '../../generator/changes/documents/compare-documents.js'
import { summarizeDocument } from '../../generator/changes/documents/document-summary.js'

const endpoint = 'https://example.com'
const STYLES = ['rest', 'rpc'] as const

type Style = (typeof STYLES)[number]

/** The parts of a route that the tests change. */
interface Route {
  readonly method?: 'GET' | 'POST'
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  readonly result?: z.ZodType | 'Post' | 'User' | readonly ['Post']
  readonly list?: true
  readonly errors?: Readonly<Record<string, 409 | 410>>
  readonly transaction?: true
}

/** Returns the document of an API in which a route is declared like this. */
async function documentOf(style: Style, route: Route): Promise<unknown> {
  const declarations = declareRoutes({
    post: { publish: { method: 'POST', path: route.list ? '/publish' : '/:id/publish', ...route } },
  } as never)
  const routes = implementRoutes(declarations, { post: { publish: () => undefined } } as never)
  const options = { openapi: openApiWithRoutes(), routes }
  const handler = style === 'rest' ? RestApiHandler({ endpoint, ...options }) : RPCApiHandler(options)
  const response = await handler.fetch(new Request(`${endpoint}/openapi.json`), { getOrm: () => ({}) as never })
  expect(response.status).toBe(200)
  return response.json()
}

const EFFECTS = {
  changesOperation: () => false,
  isEmitted: ({ name }: { name: string }) => !/publish/i.test(name),
  changesId: () => false,
}

/** Returns the kind, code and detail of each change. */
async function findChanges(style: Style, before: Route, after: Route) {
  const [old, current] = [await documentOf(style, before), await documentOf(style, after)]
  const found = compareSummaries(summarizeDocument(old), summarizeDocument(current), EFFECTS)
  expect(found.every(({ model }) => model === 'Post')).toBe(true)
  return found.map(
    ({ kind, code, detail = '' }) => `${kind} ${code} ${detail.replace(/^(publishPost|postPublish) ?/, '')}`,
  )
}

const note = (schema: z.ZodType): Route => ({ body: z.object({ note: schema }) })
const returning = (schema: z.ZodType): Route => ({ result: z.object({ total: schema }) })

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
  [
    'another value in the result',
    returning(z.enum(['a'])),
    returning(z.enum(['a', 'b'])),
    ['breaking result-changed total can now be b'],
  ],
  [
    'the row of a different model',
    { result: 'Post' },
    { result: 'User' },
    [expect.stringMatching(/^breaking result-changed /)],
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
  ['calls in transactions', note(z.string()), { ...note(z.string()), transaction: true }, []],
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
]

describe.each(STYLES)('%s: custom routes in documents', (style) => {
  it.each(CHANGES)('%s', async (_name, before, after, changes) => {
    expect(await findChanges(style, before, after)).toEqual(changes)
    expect(await findChanges(style, after, after)).toEqual([])
  })

  it.each([
    ['no result', {}, returning(z.int())],
    ['a row', { result: 'Post' }, returning(z.int())],
  ] as [string, Route, Route][])('reports a result instead of %s', async (_name, before, after) => {
    expect(await findChanges(style, before, after)).not.toEqual([])
    expect(await findChanges(style, after, before)).not.toEqual([])
  })
})
