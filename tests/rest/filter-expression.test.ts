import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type RestClient, restClient } from './support/client.js'

describeDatabases('REST: filter expressions', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  const ask = (type: string, filter: string, more: Record<string, string> = {}) =>
    rest.get(`/${type}?${new URLSearchParams({ filter, ...more })}`)

  it.each([
    ['post', "equals(status,'PUBLISHED')", ['1', '4']],
    [
      'post',
      "or(and(equals(status,'PUBLISHED'),greaterThan(viewCount,'10')),not(any(author.name,'Ann','Ben')),has(comments,equals(seq,'3')))",
      ['1', '4', '5'],
    ],
    ['post', 'equals(publishedAt,null)', ['2', '3', '5']],
    ['post', 'not(equals(publishedAt,null))', ['1', '4']],
    ['post', 'equals(author,null)', ['5']],
    ['post', "equals(author,'1')", ['1', '2', '3']],
    ['post', "not(equals(author,'1'))", ['4', '5']],
    ['post', "any(tags,'news','tips')", ['1', '2']],
    ['post', "equals(author.id,'2')", ['4']],
    ['post', "equals(category.parent.name,'Science')", ['2', '4']],
    ['post', "equals(category.parent,'1')", ['2', '4']],
    ['post', "any(id,'1','5')", ['1', '5']],
    ['post', "lessThan(id,'3')", ['1', '2']],
    ['comment', "any(id,'1_2','4_1')", ['1_2', '4_1']],
    ['comment', "not(equals(id,'1_2'))", ['1_1', '1_3', '4_1']],
    ['post', "lessOrEqual(viewCount,'10')", ['1', '5']],
    ['post', "greaterOrEqual(publishedAt,'2024-02-02')", ['4']],
    ['post', "between(viewCount,'10','20')", ['1', '3', '4']],
    ['post', "startsWith(title,'F')", ['4', '5']],
    ['post', "endsWith(title,'more')", ['3']],
    ['post', "contains(title,', or')", ['3']],
    ['post', "icontains(title,'TWO')", ['2']],
    ['post', 'has(comments)', ['1', '4']],
    ['post', 'isEmpty(comments)', ['2', '3', '5']],
    ['post', "equals(count(comments),'0')", ['2', '3', '5']],
    ['post', "greaterThan(count(comments),'0')", ['1', '4']],
    ['profile', "greaterOrEqual(count(user.posts),'1')", ['1']],
    ['post', "every(comments,equals(author.name,'Ann'))", ['2', '3', '4', '5']],
    ['user', "has(posts,has(tags,equals(name,'news')))", ['1']],
    ['user', 'has(posts,not(has(tags)))', ['1', '2']],
    ['tag', "equals(name,'it''s')", []],
    ['category', "equals(readers,'9007199254740993')", ['1']],
    ['category', "greaterThan(adPrice,'12.49')", ['1']],
    ['profile', 'equals(settings,\'{"theme":"dark"}\')', ['1']],
    ['profile', "not(equals(settings,'{}'))", ['1']],
    ['profile', 'equals(settings,null)', []],
    ['post', "and( equals(title, 'One') , has(tags) )", ['1']],
    ['post', 'greaterThan(updatedAt,publishedAt)', ['1', '4']],
    ['post', 'not(greaterThan(updatedAt,publishedAt))', ['2', '3', '5']],
    ['post', 'equals(id,authorId)', ['1']],
    ['post', 'not(equals(authorId,id))', ['2', '3', '4', '5']],
    ['post', 'lessThan(title,title)', []],
    ['post', 'and(equals(slug,slug),not(equals(author.email,author.name)))', ['1', '2', '3', '4', '5']],
    ['user', 'has(posts,equals(authorId,id))', ['1']],
  ])('/%s?filter=%s', async (type, filter, ids) => {
    const answer = await ask(type, filter)
    expect([answer.status, answer.status === 200 ? answer.ids : answer.text]).toEqual([200, ids])
    expect(answer.body.meta?.total).toBe(ids.length)
  })

  it('matches as well as all filters beside it, of collections and of what is related', async () => {
    expect((await ask('post', 'has(tags)', { 'filter[title]': 'Two,Four' })).ids).toEqual(['2'])
    expect((await ask('user/1/posts', "not(equals(title,'One'))", { 'filter[viewCount$gt]': '20' })).ids).toEqual(['2'])
    expect((await ask('post/1/relationships/comments', 'equals(author,null)')).ids).toEqual(['1_3'])
  })

  it('stays in the links of pages', async () => {
    const first = await ask('post', "not(equals(title,'One'))", { 'page[limit]': '2' })
    expect(first.ids).toEqual(['2', '3'])
    expect((await rest.follow(first.body.links?.['next'])).ids).toEqual(['4', '5'])
  })

  it.each([
    ['a field that is not there', 'post', "equals(nope,'1')", 'unknown-field'],
    ['a field that is written only', 'user', "startsWith(password,'s')", 'unknown-field'],
    ['such a field of a relation', 'post', "not(startsWith(author.password,'s'))", 'unknown-field'],
    ['such a field of members', 'post', "has(comments,equals(author.password,'s'))", 'unknown-field'],
    ['a prototype', 'post', "equals(__proto__.x,'1')", 'unknown-field'],
    ['a method of all objects', 'post', "equals(constructor,'1')", 'unknown-field'],
    ['a relationship that is not there', 'post', 'has(nope)', 'unknown-field'],
    ['a chain through a field', 'post', "equals(title.name,'1')", 'malformed-parameter'],
    ['a chain through many', 'post', "equals(comments.seq,'1')", 'malformed-parameter'],
    ['members of one', 'post', 'has(author)', 'malformed-parameter'],
    ['members of a field', 'post', 'has(title)', 'malformed-parameter'],
    ['a list function of no list', 'post', "has(title,'a')", 'unsupported-operator'],
    ['an order of many', 'post', "lessThan(comments,'1')", 'unsupported-operator'],
    ['an order among enums', 'post', "greaterThan(status,'DRAFT')", 'unsupported-operator'],
    ['a text in a number', 'post', "contains(viewCount,'1')", 'unsupported-operator'],
    ['an order of an id of several parts', 'comment', "lessThan(id,'1_1')", 'unsupported-operator'],
    ['null, which never is', 'post', 'equals(title,null)', 'unsupported-operator'],
    ['null members', 'post', 'equals(comments,null)', 'unsupported-operator'],
    ['an id that is null', 'post', 'equals(id,null)', 'unsupported-operator'],
    ['a number of members', 'post', "greaterThan(count(comments),'3')", 'unsupported-operator'],
    ['a count of a field', 'post', "equals(count(title),'3')", 'malformed-parameter'],
    ['fields of two types', 'post', 'equals(title,viewCount)', 'malformed-parameter'],
    ['fields of two resources', 'post', 'equals(title,author.name)', 'malformed-parameter'],
    ['fields of two resources, turned', 'post', 'equals(author.name,title)', 'malformed-parameter'],
    ['a value without quotes', 'post', 'equals(status,DRAFT)', 'malformed-parameter'],
    ['enums', 'post', 'equals(status,status)', 'malformed-parameter'],
    ['a field with one that is written only', 'user', 'equals(email,password)', 'malformed-parameter'],
    ['a field that is written only with another', 'user', 'equals(password,email)', 'unknown-field'],
    ['an id of several parts', 'comment', 'equals(id,seq)', 'malformed-parameter'],
    ['a count with a field', 'post', 'equals(count(comments),viewCount)', 'malformed-parameter'],
    ['a place in Json with a field', 'profile', 'equals(settings.theme,bio)', 'malformed-parameter'],
    ['a prototype as another field', 'post', 'equals(title,constructor)', 'malformed-parameter'],
    ['any of several Json values', 'profile', "any(settings,'1','2')", 'unsupported-operator'],
  ])('refuses %s with 400: /%s?filter=%s', async (_what, type, filter, code) => {
    const answer = await ask(type, filter)
    expect([answer.status, answer.errors[0]?.code, answer.errors[0]?.source]).toEqual([
      400,
      code,
      { parameter: 'filter' },
    ])
  })

  it.each([
    ['post', "equals(viewCount,'abc')", 'The value of "viewCount" at character 18 of filter must be an integer.'],
    [
      'post',
      "not(equals(author.id,'x'))",
      'The value of "author.id" at character 22 of filter is not an id of this type.',
    ],
    ['post', "equals(count(comments),'x')", 'The value of "comments" at character 24 of filter must be an integer.'],
    [
      'post',
      "equals(status,'draft')",
      'The value of "status" at character 15 of filter must be one of DRAFT, PUBLISHED, ARCHIVED.',
    ],
    ['profile', "equals(settings,'{')", 'The value of "settings" at character 17 of filter must be JSON.'],
  ])('refuses a value of the wrong type with 422: /%s?filter=%s', async (type, filter, detail) => {
    const answer = await ask(type, filter)
    expect([answer.status, answer.errors[0]?.detail]).toEqual([422, detail])
  })

  it('says which functions there are for a field', async () => {
    const [error] = (await ask('post', "contains(viewCount,'1')")).errors
    expect(error?.detail).toBe(
      'At character 10, behind "contains(": "viewCount" cannot be filtered with contains(…) and this value. ' +
        'It takes: equals, lessThan, lessOrEqual, greaterThan, greaterOrEqual, any, between.',
    )
  })

  it('says what a field can be compared with', async () => {
    const [error] = (await ask('post', 'equals(status,DRAFT)')).errors
    expect(error?.detail).toBe(
      'At character 15, behind "equals(status,": "status" can be compared with another field of the same resource and of its own type. ' +
        "A value stands between quotes: 'DRAFT'.",
    )
  })

  it('answers a field that may not be read exactly as one that does not exist', async () => {
    const hidden = await ask('user', "equals(password,'x')")
    const unknown = await ask('user', "equals(passwort,'x')")
    expect(hidden.text.replaceAll('password', '…')).toBe(unknown.text.replaceAll('passwort', '…'))
    const beside = await ask('user', 'equals(email,password)')
    const nothing = await ask('user', 'equals(email,passwort)')
    expect(beside.text.replaceAll('password', '…')).toBe(nothing.text.replaceAll('passwort', '…'))
  })

  it('takes one expression', async () => {
    const answer = await rest.get('/post?filter=has(tags)&filter=has(comments)')
    expect([answer.status, answer.errors[0]?.detail]).toEqual([
      400,
      'There is one expression: and(…) and or(…) join several.',
    ])
  })

  it.each([
    ['toManyDepth', 'has(comments,has(author.posts,has(tags,has(posts))))'],
    ['filterRelations', `or(${Array.from({ length: 21 }, () => "equals(author.name,'a')").join(',')})`],
    ['filterCost', `or(${Array.from({ length: 15 }, () => "contains(title,'a')").join(',')})`],
    ['filterCost', "has(author.posts,has(author.posts,equals(author.profile.bio,'a')))"],
    ['filterCost', `or(${Array.from({ length: 146 }, () => 'equals(slug,title)').join(',')})`],
    ['depth', `equals(${'category.parent.'.repeat(8)}name,'a')`],
    ['depth', `${'not('.repeat(12)}has(tags)${')'.repeat(12)}`],
    ['listLength', `any(title${",'a'".repeat(1001)})`],
  ])('bounds %s before the database is asked', async (limit, filter) => {
    let answer: Awaited<ReturnType<typeof ask>> | undefined
    expect(
      await db.queriesOf(async () => {
        answer = await ask('post', filter)
      }),
    ).toEqual([])
    expect([answer?.status, answer?.errors[0]?.detail]).toEqual([400, expect.stringContaining(`limits.${limit}`)])
  })

  it('counts all filters of a request together', async () => {
    const many = `and(${Array.from({ length: 20 }, () => "equals(author.name,'a')").join(',')})`
    expect((await ask('post', many)).status).toBe(200)
    expect((await ask('post', many, { 'filter[author][name]': 'a' })).errors[0]?.detail).toContain(
      'limits.filterRelations',
    )
  })

  describe('of texts', () => {
    it('hold any character, with quotes written twice', async () => {
      for (const title of ["Brian O'Connor", "''", '(a,b)', 'a.b\\', '%_', 'ü 💡']) {
        const created = await rest.post('/category', { data: { type: 'category', attributes: { name: title } } })
        expect(created.status).toBe(201)
        const answer = await ask('category', `equals(name,'${title.replaceAll("'", "''")}')`)
        expect(answer.ids).toEqual([created.one.id])
      }
    })
  })
})
