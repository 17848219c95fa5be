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
    const dark = (settings: unknown) => equals(at(settings, path), 'dark')
    expect(await found(expression(`equals(${chain},'dark')`))).toEqual(matchingIndexes(dark))
    expect(await found(expression(`not(equals(${chain},'dark'))`))).toEqual(
      matchingIndexes((settings) => !dark(settings)),
    )
    expect(await found(expression(`or(any(${chain},'12','true'),equals(${chain},null))`))).toEqual(
      matchingIndexes((settings) => {
        const value = at(settings, path)
        return value === undefined || equals(value, '12') || equals(value, 'true')
      }),
    )
    expect(await found(expression(`not(and(not(equals(${chain},null)),not(equals(${chain},'dark'))))`))).toEqual(
      matchingIndexes((settings) => at(settings, path) === undefined || dark(settings)),
    )
  })

  it('applies text operators only to strings', async () => {
    const text = (test: (value: string) => boolean) =>
      matchingIndexes((settings) => {
        const value = at(settings, 'a')
        return typeof value === 'string' && test(value)
      })
    expect(await found(url('a', 'ark', '$contains'))).toEqual(text((value) => value.includes('ark')))
    expect(await found(url('a', 'ark,2', '$contains'))).toEqual(text((value) => /ark|2/.test(value)))
    expect(await found(url('a', 'er', '$endsWith'))).toEqual(text((value) => value.endsWith('er')))
    expect(await found(url('a', 'DARK', '$istartsWith'))).toEqual(text((value) => /^dark/i.test(value)))
    expect(await found(url('a', 'ARKE', '$icontains'))).toEqual(text((value) => /arke/i.test(value)))
    expect(await found(expression("startsWith(settings.a,'t')"))).toEqual(text((value) => value.startsWith('t')))
    if (db.provider !== 'sqlite') expect(await found(url('a', '%', '$contains'))).toEqual([])
  })

  it.runIf(db.provider !== 'sqlite')('compares numbers with numbers and texts with texts', async () => {
    const numbers = (test: (value: number) => boolean) =>
      matchingIndexes((settings) => {
        const value = at(settings, 'a')
        return typeof value === 'number' && test(value)
      })
    expect(await found(url('a', '12', '$gt'))).toEqual(numbers((value) => value > 12))
    expect(await found(url('a', '12', '$gte'))).toEqual(numbers((value) => value >= 12))
    expect(await found(url('a', '-3,12', '$between'))).toEqual(numbers((value) => value >= -3 && value <= 12))
    expect(await found(expression("lessThan(settings.a,'12')"))).toEqual(numbers((value) => value < 12))
    expect(await found(url('a', 'd', '$gt'))).toEqual([0, 7])
  })

  it('filters through relationships', async () => {
    const users = await rest.get('/user?filter[profile][settings.a]=dark')
    expect(users.many.map(({ attributes }) => attributes?.['email'])).toEqual(['0@example.com'])
    expect((await rest.get(`/user?filter=not(equals(profile.settings.a,'dark'))`)).many).toHaveLength(
      SETTINGS.length - 1,
    )
  })

  it.each([
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
    ['filter[settings.a$isNull]=maybe', 'must be true or false'],
    ['filter[settings.a$between]=1,a', 'must not mix numbers and strings'],
    ['filter[settings.a$between]=1', '2 values'],
    ['filter[settings.a$not$contains]=a', 'cannot be negated'],
    ["filter=not(contains(settings.a,'b'))", 'cannot be negated'],
    ['filter=has(settings.a)', 'not a relationship'],
    ['filter=isEmpty(settings.a)', 'no operator'],
    ["filter=greaterThan(count(settings.a),'0')", 'not a relationship'],
  ])('%s: rejects the filter with 400 or 422', async (query, detail) => {
    const { status, errors } = await rest.get(`/profile?${query.replaceAll('"', '%22').replaceAll('\\', '%5C')}`)
    expect([status < 500, errors[0]?.detail]).toEqual([true, expect.stringContaining(detail)])
    expect([400, 422]).toContain(status)
  })

  it.runIf(db.provider === 'sqlite')('rejects order operators with 400 on SQLite', async () => {
    expect((await rest.get('/profile?filter[settings.a$gt]=1')).errors).toMatchObject([{ status: 400 }])
  })
})
