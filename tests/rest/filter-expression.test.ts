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

  const getFiltered = (type: string, filter: string, more: Record<string, string> = {}) =>
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
  ])('/%s?filter=%s: returns the matching rows', async (type, filter, ids) => {
    const response = await getFiltered(type, filter)
    expect([response.status, response.status === 200 ? response.ids : response.text]).toEqual([200, ids])
    expect(response.body.meta?.total).toBe(ids.length)
  })

  it('combines the expression with filter parameters', async () => {
    expect((await getFiltered('post', 'has(tags)', { 'filter[title]': 'Two,Four' })).ids).toEqual(['2'])
    expect(
      (await getFiltered('user/1/posts', "not(equals(title,'One'))", { 'filter[viewCount$gt]': '20' })).ids,
    ).toEqual(['2'])
    expect((await getFiltered('post/1/relationships/comments', 'equals(author,null)')).ids).toEqual(['1_3'])
  })

  it('keeps the expression in pagination links', async () => {
    const first = await getFiltered('post', "not(equals(title,'One'))", { 'page[limit]': '2' })
    expect(first.ids).toEqual(['2', '3'])
    expect((await rest.follow(first.body.links?.['next'])).ids).toEqual(['4', '5'])
  })

  it.each([
    ['unknown field', 'post', "equals(nope,'1')", 'unknown-field'],
    ['write-only field', 'user', "startsWith(password,'s')", 'unknown-field'],
    ['write-only field of a relation', 'post', "not(startsWith(author.password,'s'))", 'unknown-field'],
    ['write-only field of members', 'post', "has(comments,equals(author.password,'s'))", 'unknown-field'],
    ['prototype', 'post', "equals(__proto__.x,'1')", 'unknown-field'],
    ['method of Object', 'post', "equals(constructor,'1')", 'unknown-field'],
    ['unknown relationship', 'post', 'has(nope)', 'unknown-field'],
    ['path through a field', 'post', "equals(title.name,'1')", 'malformed-parameter'],
    ['path through a to-many relation', 'post', "equals(comments.seq,'1')", 'malformed-parameter'],
    ['members of a to-one relation', 'post', 'has(author)', 'malformed-parameter'],
    ['members of a field', 'post', 'has(title)', 'malformed-parameter'],
    ['list function on a scalar', 'post', "has(title,'a')", 'unsupported-operator'],
    ['order of a to-many relation', 'post', "lessThan(comments,'1')", 'unsupported-operator'],
    ['order of an enum', 'post', "greaterThan(status,'DRAFT')", 'unsupported-operator'],
    ['text function on a number', 'post', "contains(viewCount,'1')", 'unsupported-operator'],
    ['order of a compound id', 'comment', "lessThan(id,'1_1')", 'unsupported-operator'],
    ['null for a required field', 'post', 'equals(title,null)', 'unsupported-operator'],
    ['null for a to-many relation', 'post', 'equals(comments,null)', 'unsupported-operator'],
    ['null for an id', 'post', 'equals(id,null)', 'unsupported-operator'],
    ['count of more than zero', 'post', "greaterThan(count(comments),'3')", 'unsupported-operator'],
    ['count of a field', 'post', "equals(count(title),'3')", 'malformed-parameter'],
    ['fields of two types', 'post', 'equals(title,viewCount)', 'malformed-parameter'],
    ['fields of two resources', 'post', 'equals(title,author.name)', 'malformed-parameter'],
    ['fields of two resources, reversed', 'post', 'equals(author.name,title)', 'malformed-parameter'],
    ['value without quotes', 'post', 'equals(status,DRAFT)', 'malformed-parameter'],
    ['two enum fields', 'post', 'equals(status,status)', 'malformed-parameter'],
    ['field compared with a write-only field', 'user', 'equals(email,password)', 'malformed-parameter'],
    ['write-only field compared with a field', 'user', 'equals(password,email)', 'unknown-field'],
    ['compound id', 'comment', 'equals(id,seq)', 'malformed-parameter'],
    ['count compared with a field', 'post', 'equals(count(comments),viewCount)', 'malformed-parameter'],
    ['Json path compared with a field', 'profile', 'equals(settings.theme,bio)', 'malformed-parameter'],
    ['prototype as the second field', 'post', 'equals(title,constructor)', 'malformed-parameter'],
    ['list of Json values', 'profile', "any(settings,'1','2')", 'unsupported-operator'],
  ])('%s: rejects /%s?filter=%s with 400', async (_what, type, filter, code) => {
    const response = await getFiltered(type, filter)
    expect([response.status, response.errors[0]?.code, response.errors[0]?.source]).toEqual([
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
      'The value of "author.id" at character 22 of filter is not a valid id of this type.',
    ],
    ['post', "equals(count(comments),'x')", 'The value of "comments" at character 24 of filter must be an integer.'],
    [
      'post',
      "equals(status,'draft')",
      'The value of "status" at character 15 of filter must be one of DRAFT, PUBLISHED, ARCHIVED.',
    ],
    ['profile', "equals(settings,'{')", 'The value of "settings" at character 17 of filter must be JSON.'],
  ])('/%s?filter=%s: rejects a value of the wrong type with 422', async (type, filter, detail) => {
    const response = await getFiltered(type, filter)
    expect([response.status, response.errors[0]?.detail]).toEqual([422, detail])
  })

  it('lists the functions of a field in the error', async () => {
    const [error] = (await getFiltered('post', "contains(viewCount,'1')")).errors
    expect(error?.detail).toBe(
      'At character 10, after "contains(": "viewCount" cannot be filtered with contains(…) and this value. ' +
        'Available: equals, lessThan, lessOrEqual, greaterThan, greaterOrEqual, any, between.',
    )
  })

  it('describes the valid operands of a field in the error', async () => {
    const [error] = (await getFiltered('post', 'equals(status,DRAFT)')).errors
    expect(error?.detail).toBe(
      'At character 15, after "equals(status,": "status" can be compared with another field of the same resource that has the same type. ' +
        "Values must be quoted: 'DRAFT'.",
    )
  })

  it('rejects a write-only field exactly like an unknown field', async () => {
    const hidden = await getFiltered('user', "equals(password,'x')")
    const unknown = await getFiltered('user', "equals(passwort,'x')")
    expect(hidden.text.replaceAll('password', '…')).toBe(unknown.text.replaceAll('passwort', '…'))
    const hiddenOperand = await getFiltered('user', 'equals(email,password)')
    const unknownOperand = await getFiltered('user', 'equals(email,passwort)')
    expect(hiddenOperand.text.replaceAll('password', '…')).toBe(unknownOperand.text.replaceAll('passwort', '…'))
  })

  it('rejects a second filter expression with 400', async () => {
    const response = await rest.get('/post?filter=has(tags)&filter=has(comments)')
    expect([response.status, response.errors[0]?.detail]).toEqual([
      400,
      'Only one expression is allowed. Combine conditions with and(…) or or(…).',
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
  ])('%s (case %#): rejects an expression beyond the limit before any query', async (limit, filter) => {
    let response: Awaited<ReturnType<typeof getFiltered>> | undefined
    expect(
      await db.queriesOf(async () => {
        response = await getFiltered('post', filter)
      }),
    ).toEqual([])
    expect([response?.status, response?.errors[0]?.detail]).toEqual([400, expect.stringContaining(`limits.${limit}`)])
  })

  it('counts the relations of all filters of a request', async () => {
    const many = `and(${Array.from({ length: 20 }, () => "equals(author.name,'a')").join(',')})`
    expect((await getFiltered('post', many)).status).toBe(200)
    expect((await getFiltered('post', many, { 'filter[author][name]': 'a' })).errors[0]?.detail).toContain(
      'limits.filterRelations',
    )
  })

  describe('text values', () => {
    it('accepts any character, with quotes doubled', async () => {
      for (const title of ["Brian O'Connor", "''", '(a,b)', 'a.b\\', '%_', 'ü 💡']) {
        const created = await rest.post('/category', { data: { type: 'category', attributes: { name: title } } })
        expect(created.status).toBe(201)
        const response = await getFiltered('category', `equals(name,'${title.replaceAll("'", "''")}')`)
        expect(response.ids).toEqual([created.one.id])
      }
    })
  })
})
