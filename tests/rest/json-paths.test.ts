import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { type RestClient, restClient } from './support/client.js'

/** The `settings` of each profile, in order of the ids. `undefined` is SQL's NULL, and null is JSON's. */
const SETTINGS: readonly unknown[] = [
  { a: 'dark' },
  { a: 'Darker' },
  { a: '12' },
  { a: 12 },
  { a: 12.5 },
  { a: -3 },
  { a: true },
  { a: 'true' },
  { a: '' },
  { a: null },
  { a: ['dark'] },
  { a: { b: 'dark' } },
  { a: { b: { 'c d': "it's", ü: 1, 'x-y': '50%', 'x.y': 1 } } },
  { b: 'dark' },
  {},
  [],
  ['dark'],
  'dark',
  12,
  null,
  undefined,
  { a: { b: null } },
]

/** Returns the value at a path, or undefined if the value is missing or null. */
function at(settings: unknown, path: string): unknown {
  let value = settings
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value ?? undefined
}

/** Whether a value equals the text of a filter. */
function equals(value: unknown, text: string): boolean {
  return value !== undefined && typeof value !== 'object' && String(value) === text
}

const PATHS = ['a', 'b', 'a.b', 'a.b.c d', 'a.b.ü', 'a.b.x-y', 'a.b.b', 'nothing']
const TEXTS = ['dark', '12', '12.5', '-3', 'true', '', 'false', '1', "it's", '50%']

describeDatabases('REST: Json path filters', (db) => {
  let rest: RestClient
  const url = (path: string, text: string, operator = '') =>
    `/profile?filter[settings.${encodeURIComponent(path)}${operator}]=${encodeURIComponent(text)}&sort=id`
  const expression = (text: string) => `/profile?filter=${encodeURIComponent(text)}&sort=id`
  const found = async (path: string) => {
    const { status, many, text } = await rest.get(path)
    expect(status, text).toBe(200)
    return many.map(({ attributes }) => Number(attributes?.['bio']))
  }
  const matchingIndexes = (matches: (settings: unknown) => boolean) =>
    SETTINGS.flatMap((settings, index) => (matches(settings) ? [index] : []))

  beforeAll(async () => {
    await db.reset()
    rest = restClient(db)
    for (const [index, settings] of SETTINGS.entries()) {
      const { DbNull, JsonNull } = db.client.Prisma
      const written = settings === undefined ? DbNull : settings === null ? JsonNull : (settings as object)
      await db.orm.user.create({
        data: {
          email: `${index}@example.com`,
          password: 'secret',
          profile: { create: { bio: String(index), settings: written } },
        },
      })
    }
  })

  it.each(PATHS)('%s: compares values for equality as JavaScript does', async (path) => {
    for (const text of TEXTS) {
      expect(await found(url(path, text)), text).toEqual(
        matchingIndexes((settings) => equals(at(settings, path), text)),
      )
      const others = matchingIndexes((settings) => !equals(at(settings, path), text))
      expect(await found(url(path, text, '$ne')), `not ${text}`).toEqual(others)
    }
    const any = (settings: unknown) => ['dark', '12', 'true'].some((text) => equals(at(settings, path), text))
    expect(await found(url(path, 'dark,12,true'))).toEqual(matchingIndexes(any))
    expect(await found(url(path, 'dark,12,true', '$notIn'))).toEqual(matchingIndexes((settings) => !any(settings)))
    const isNull = (settings: unknown) => at(settings, path) === undefined
    expect(await found(url(path, 'true', '$isNull'))).toEqual(matchingIndexes(isNull))
    expect(await found(url(path, 'false', '$isNull'))).toEqual(matchingIndexes((settings) => !isNull(settings)))
  })

  it.each(['a', 'a.b', 'b', 'a.b.x-y'])('%s: filters by an expression', async (path) => {
    const chain = `settings.${path}`
    const is = (value: unknown, ...texts: readonly string[]) => texts.some((text) => equals(value, text))
    for (const [text, matches] of [
      [`equals(${chain},'dark')`, (value) => is(value, 'dark')],
      [`not(equals(${chain},'dark'))`, (value) => !is(value, 'dark')],
      [
        `or(any(${chain},'12','true'),equals(${chain},null))`,
        (value) => value === undefined || is(value, '12', 'true'),
      ],
      [
        `not(and(not(equals(${chain},null)),not(equals(${chain},'dark'))))`,
        (value) => value === undefined || is(value, 'dark'),
      ],
    ] satisfies [string, (value: unknown) => boolean][]) {
      expect(await found(expression(text)), text).toEqual(matchingIndexes((settings) => matches(at(settings, path))))
    }
  })

  const text = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
  const number = (test: (value: number) => boolean) => (value: unknown) => typeof value === 'number' && test(value)
  it.each<[path: string, matches: (value: unknown) => boolean]>([
    [url('a', 'ark', '$contains'), text(/ark/)],
    [url('a', 'ark,2', '$contains'), text(/ark|2/)],
    [url('a', 'er', '$endsWith'), text(/er$/)],
    [url('a', 'DARK', '$istartsWith'), text(/^dark/i)],
    [url('a', 'ARKE', '$icontains'), text(/arke/i)],
    [expression("startsWith(settings.a,'t')"), text(/^t/)],
    ...(db.provider === 'sqlite'
      ? []
      : ([
          [url('a', '%', '$contains'), () => false],
          [url('a', '12', '$gt'), number((value) => value > 12)],
          [url('a', '12', '$gte'), number((value) => value >= 12)],
          [url('a', '-3,12', '$between'), number((value) => value >= -3 && value <= 12)],
          [expression("lessThan(settings.a,'12')"), number((value) => value < 12)],
          [url('a', 'd', '$gt'), text(/^[d-z]/)],
        ] satisfies [string, (value: unknown) => boolean][])),
  ])('%s: compares texts with texts and numbers with numbers', async (path, matches) => {
    expect(await found(path)).toEqual(matchingIndexes((settings) => matches(at(settings, 'a'))))
  })

  it('filters through relationships', async () => {
    const { many } = await rest.get('/user?filter[profile][settings.a]=dark')
    expect(many.map(({ attributes }) => attributes?.['email'])).toEqual(['0@example.com'])
    const others = await rest.get(`/user?filter=not(equals(profile.settings.a,'dark'))`)
    expect(others.many).toHaveLength(SETTINGS.length - 1)
  })

  it.each<[query: string, detail: string, status?: number]>([
    ['filter[settings.]=a', 'is not allowed in the path'],
    ['filter[settings.a..b]=a', 'is not allowed in the path'],
    ['filter[settings.a"b]=a', 'is not allowed in the path'],
    ['filter[settings.a\\b]=a', 'is not allowed in the path'],
    ['filter[settings.0]=a', 'List indices are not supported'],
    [`filter[settings.${'a.'.repeat(40)}a]=a`, 'at most'],
    ['filter[bio.a]=a', 'no field'],
    ['filter[settings.a$search]=a', 'no operator "$search"'],
    ['filter[settings.a$has]=a', 'no operator "$has"'],
    ['filter[settings.a][b]=a', 'neither a field nor an operator'],
    ['filter[settings.a$isNull]=maybe', 'must be true or false', 422],
    ['filter[settings.a$between]=1,a', 'must not mix numbers and strings', 422],
    ['filter[settings.a$between]=1', '2 values'],
    ['filter[settings.a$not$contains]=a', 'cannot be negated'],
    ["filter=not(contains(settings.a,'b'))", 'cannot be negated'],
    ['filter=has(settings.a)', 'not a relationship'],
    ['filter=isEmpty(settings.a)', 'no operator'],
    ["filter=greaterThan(count(settings.a),'0')", 'not a relationship'],
    ...(db.provider === 'sqlite' ? ([['filter[settings.a$gt]=1', '']] satisfies [string, string][]) : []),
  ])('%s: rejects the filter', async (query, detail, status = 400) => {
    const response = await rest.get(`/profile?${query.replaceAll('"', '%22').replaceAll('\\', '%5C')}`)
    expect([response.status, response.errors[0]?.detail]).toEqual([status, expect.stringContaining(detail)])
  })
})
