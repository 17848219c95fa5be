import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type RestClient, restClient } from './support/client.js'

describeDatabases('REST: filter', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it.each([
    // Equality, with values of each type
    ['post', 'filter[title]=One', ['1']],
    ['post', 'filter[viewCount]=20', ['3', '4']],
    ['post', 'filter[status]=PUBLISHED', ['1', '4']],
    ['post', 'filter[publishedAt]=2024-02-01T00:00:00.000Z', ['1']],
    ['post', 'filter[publishedAt]=2024-02-01T02:00:00%2B02:00', ['1']],
    ['category', 'filter[readers]=9007199254740993', ['1']],
    ['category', 'filter[adPrice]=12.5', ['1']],
    ['profile', 'filter[avatar]=AP8H', ['1']],
    ['post', 'filter[title]=', []],
    // The id
    ['post', 'filter[id]=2', ['2']],
    ['post', 'filter[id]=2,4', ['2', '4']],
    ['post', 'filter[id$gt]=3', ['4', '5']],
    ['comment', 'filter[id]=1_2,4_1', ['1_2', '4_1']],
    ['tag', 'filter[id]=news', ['news']],
    // Lists of values
    ['post', 'filter[title]=One,Two', ['1', '2']],
    ['post', 'filter[title]=Three\\, or more', ['3']],
    ['post', 'filter[title]=Three%5C,+or+more,One', ['1', '3']],
    ['post', 'filter[id][]=1&filter[id][]=3', ['1', '3']],
    ['post', 'filter[status]=DRAFT,ARCHIVED', ['2', '3', '5']],
    // By the id of a related resource, to-one and to-many
    ['post', 'filter[author]=2', ['4']],
    ['post', 'filter[author]=1,2', ['1', '2', '3', '4']],
    ['post', 'filter[tags]=news', ['1', '2']],
    ['post', 'filter[tags]=a/b %25_%C3%BC,tips', ['1']],
    ['post', 'filter[comments]=1_2', ['1']],
    ['user', 'filter[profile]=1', ['1']],
    // Through relations
    ['post', 'filter[author][name]=Ann', ['1', '2', '3']],
    ['post', 'filter[author][id]=2', ['4']],
    ['post', 'filter[comments][body]=First!', ['1']],
    ['post', 'filter[comments][author][name]=Ann', ['4']],
    ['post', 'filter[category][parent][name]=Science', ['2', '4']],
    ['user', 'filter[posts][tags]=news', ['1']],
    ['user', 'filter[posts][comments][body$startsWith]=First', ['1']],
    ['post', 'filter[category][parent]=1', ['2', '4']],
    // Several filters
    ['post', 'filter[author]=1&filter[viewCount]=20', ['3']],
    ['post', 'filter[tags]=news&filter[tags]=a/b %25_%C3%BC', ['1']],
    ['post', 'filter[viewCount$gte]=10&filter[viewCount$lt]=30', ['1', '3', '4']],
    // Operators
    ['post', 'filter[viewCount$lt]=10', ['5']],
    ['post', 'filter[viewCount$lte]=10', ['1', '5']],
    ['post', 'filter[viewCount$gt]=20', ['2']],
    ['post', 'filter[viewCount$gte]=20', ['2', '3', '4']],
    ['post', 'filter[publishedAt$gt]=2024-02-02', ['4']],
    ['category', 'filter[readers$gt]=9007199254740992', ['1']],
    ['category', 'filter[adPrice$lt]=12.51', ['1']],
    ['post', 'filter[title$lt]=One', ['4', '5']],
    ['post', 'filter[title$contains]=wo', ['2']],
    ['post', 'filter[title$icontains]=ONE', ['1']],
    ['post', 'filter[title$contains]=wo,our', ['2', '4']],
    ['post', 'filter[title$startsWith]=F', ['4', '5']],
    ['post', 'filter[title$endsWith]=more', ['3']],
    ['post', 'filter[author][email$contains]=ben', ['4']],
    // Whether there is a value
    ['post', 'filter[publishedAt$isNull]=true', ['2', '3', '5']],
    ['post', 'filter[publishedAt$isNull]=false', ['1', '4']],
    ['post', 'filter[publishedAt][isNull]=true', ['2', '3', '5']],
    ['post', 'filter[publishedAt$isNull]=true,false', ['1', '2', '3', '4', '5']],
    ['post', 'filter[author$isNull]=true', ['5']],
    ['post', 'filter[author$isNull]=false', ['1', '2', '3', '4']],
    ['post', 'filter[author][isNull]=true', ['5']],
    ['post', 'filter[author$isNull]=true,false', ['1', '2', '3', '4', '5']],
    ['post', 'filter[author][name$isNull]=false', ['1', '2', '3', '4']],
    ['post', 'filter[category][parent$isNull]=true', ['1']],
    ['post', 'filter[comments][author$isNull]=true', ['1']],
    ['user', 'filter[profile$isNull]=true', ['2', '3']],
    ['user', 'filter[profile$isNull]=false', ['1']],
    ['profile', 'filter[settings$isNull]=true', []],
    ['profile', 'filter[settings$isNull]=false', ['1']],
    ['profile', 'filter[avatar$isNull]=false', ['1']],
    // Inequality, which also matches missing values
    ['post', 'filter[title$ne]=One', ['2', '3', '4', '5']],
    ['post', 'filter[title$ne]=One,Two', ['3', '4', '5']],
    ['post', 'filter[publishedAt$ne]=2024-02-01', ['2', '3', '4', '5']],
    ['post', 'filter[status][ne]=DRAFT', ['1', '3', '4']],
    ['post', 'filter[id$ne]=1,5', ['2', '3', '4']],
    ['post', 'filter[id$notIn]=1,5', ['2', '3', '4']],
    ['comment', 'filter[id$ne]=1_2,4_1', ['1_1', '1_3']],
    ['comment', 'filter[id$in]=1_2,4_1', ['1_2', '4_1']],
    ['post', 'filter[title$in]=One,Two', ['1', '2']],
    ['post', 'filter[title$notIn]=One,Two', ['3', '4', '5']],
    ['post', 'filter[viewCount$in][]=10&filter[viewCount$in][]=30', ['1', '2']],
    ['post', 'filter[author$ne]=1', ['4', '5']],
    ['post', 'filter[author$notIn]=1,2', ['5']],
    ['post', 'filter[author][name$ne]=Ann', ['4', '5']],
    ['post', 'filter[tags$ne]=news', ['3', '4', '5']],
    ['category', 'filter[adPrice$ne]=12.5', ['2', '3']],
    ['profile', 'filter[avatar$ne]=AP8H', []],
    ['profile', 'filter[settings]={"theme":"dark"}', ['1']],
    ['profile', 'filter[settings$ne]={"theme":"light"}', ['1']],
    ['profile', 'filter[settings$ne]=null', ['1']],
    // Other operators and their negations
    ['post', 'filter[viewCount$between]=10,20', ['1', '3', '4']],
    ['post', 'filter[publishedAt$between]=2024-02-01,2024-02-03', ['1']],
    ['post', 'filter[title$not$contains]=wo', ['1', '3', '4', '5']],
    ['post', 'filter[title][not][contains]=wo,our', ['1', '3', '5']],
    ['post', 'filter[content$not$startsWith]=Nobody', ['1', '2', '3', '4']],
    ['post', 'filter[viewCount$not$between]=10,20', ['2', '5']],
    ['post', 'filter[title$istartsWith]=t', ['2', '3']],
    ['post', 'filter[title$iendsWith]=MORE', ['3']],
    ['post', 'filter[title$not$icontains]=O', ['5']],
    // Quantifiers and counts of members
    ['post', 'filter[comments$some][body]=First!', ['1']],
    ['post', 'filter[comments][some][body]=First!', ['1']],
    ['post', 'filter[comments$none][body]=First!', ['2', '3', '4', '5']],
    ['post', 'filter[comments$every][author]=1', ['2', '3', '4', '5']],
    ['post', 'filter[comments][every][author][name$ne]=Cat', ['1', '2', '3', '4', '5']],
    ['post', 'filter[comments$every][seq$lte]=3', ['1', '2', '3', '4', '5']],
    ['post', 'filter[tags$none]=a/b %25_%C3%BC', ['2', '3', '4', '5']],
    ['post', 'filter[tags$every]=news', ['2', '3', '4', '5']],
    ['user', 'filter[posts$some][comments$none][seq]=1', ['1']],
    ['post', 'filter[comments$isEmpty]=true', ['2', '3', '5']],
    ['post', 'filter[comments][isEmpty]=false', ['1', '4']],
    ['post', 'filter[comments$count]=0', ['2', '3', '5']],
    ['post', 'filter[comments$count$gt]=0', ['1', '4']],
    ['post', 'filter[comments][count][gte]=1', ['1', '4']],
    ['post', 'filter[comments$count$ne]=0', ['1', '4']],
    ['post', 'filter[comments$count$lt]=1', ['2', '3', '5']],
    // Names that JSON:API allows, without `$`
    ['post', 'filter[viewCount][gte]=20', ['2', '3', '4']],
    ['post', 'filter[author][email][contains]=ben', ['4']],
    // Percent-encoded, as in links
    ['post', 'filter%5Bauthor%5D%5Bname%5D=Ann', ['1', '2', '3']],
  ])('/%s?%s: returns the matching rows', async (type, query, ids) => {
    const response = await rest.get(`/${type}?${query}`)
    expect([response.status, response.status === 200 ? response.ids : response.text]).toEqual([200, ids])
    expect(response.body.meta?.total).toBe(ids.length)
  })

  it.each([
    ['unknown field', 'post', 'filter[nope]=1', 'unknown-field'],
    ['unknown field of a relation', 'post', 'filter[author][nope]=1', 'unknown-field'],
    ['write-only field', 'user', 'filter[password]=x', 'unknown-field'],
    ['operator on a write-only field', 'user', 'filter[password$startsWith]=s', 'unknown-field'],
    ['write-only field of a relation', 'post', 'filter[author][password$startsWith]=s', 'unknown-field'],
    ['prototype', 'post', 'filter[__proto__][x]=1', 'unknown-field'],
    ['method of Object', 'post', 'filter[constructor]=1', 'unknown-field'],
    ['unknown operator', 'post', 'filter[title$like]=x', 'unsupported-operator'],
    ['Prisma operator', 'post', 'filter[title$not]=x', 'unsupported-operator'],
    ['method of Object as operator', 'post', 'filter[title$constructor]=x', 'unsupported-operator'],
    ['empty operator', 'post', 'filter[title$]=x', 'unsupported-operator'],
    ['operator of another type', 'post', 'filter[viewCount$contains]=1', 'unsupported-operator'],
    ['order of an enum', 'post', 'filter[status$gt]=DRAFT', 'unsupported-operator'],
    ['list operator on a scalar', 'post', 'filter[title$has]=x', 'unsupported-operator'],
    ['operator on a relation', 'post', 'filter[author$gt]=1', 'unsupported-operator'],
    ['operator on a compound id', 'comment', 'filter[id$gt]=1_1', 'unsupported-operator'],
    ['null check of a required field', 'post', 'filter[title$isNull]=true', 'unsupported-operator'],
    ['null check of an id', 'post', 'filter[id$isNull]=true', 'unsupported-operator'],
    ['null check of a to-many relation', 'post', 'filter[tags$isNull]=true', 'unsupported-operator'],
    ['null check of a required relation', 'comment', 'filter[post$isNull]=true', 'unsupported-operator'],
    ['null check of a write-only field', 'user', 'filter[password$isNull]=true', 'unknown-field'],
    ['list of Json values', 'profile', 'filter[settings$in]=1', 'unsupported-operator'],
    ['negation without an operator', 'post', 'filter[title$not]=x', 'unsupported-operator'],
    ['negation of an unknown operator', 'post', 'filter[title$not$nope]=x', 'unsupported-operator'],
    ['negation of two operators', 'post', 'filter[title$not$contains$gt]=x', 'malformed-parameter'],
    ['range with one end', 'post', 'filter[viewCount$between]=1', 'malformed-parameter'],
    ['range with three ends', 'post', 'filter[viewCount$between]=1,2,3', 'malformed-parameter'],
    ['quantifier of a to-one relation', 'post', 'filter[author$none][name]=x', 'unsupported-operator'],
    ['quantifier of a field', 'post', 'filter[title$none]=x', 'unsupported-operator'],
    ['two quantifiers', 'post', 'filter[comments$none$some][body]=x', 'malformed-parameter'],
    ['count of more than zero', 'post', 'filter[comments$count$gte]=3', 'unsupported-operator'],
    ['list of counts', 'post', 'filter[comments$count]=0,1', 'malformed-parameter'],
    ['count of a to-one relation', 'post', 'filter[author$count]=1', 'unsupported-operator'],
    ['text operator on a count', 'post', 'filter[comments$count$contains]=1', 'malformed-parameter'],
    ['empty check of a to-one relation', 'post', 'filter[author$isEmpty]=true', 'unsupported-operator'],
    ['operator after a relation', 'post', 'filter[author][gt]=1', 'unsupported-operator'],
    ['unclosed bracket', 'post', 'filter[title=One', 'unsupported-parameter'],
    ['filter without a field', 'post', 'filter=One', 'malformed-parameter'],
    ['empty field name', 'post', 'filter[]=One', 'malformed-parameter'],
    ['empty field name in a path', 'post', 'filter[author][][name]=One', 'malformed-parameter'],
    ['path through a field', 'post', 'filter[title][name]=One', 'malformed-parameter'],
    ['two operators', 'post', 'filter[title][contains$gt]=One', 'malformed-parameter'],
    ['misspelled parameter', 'post', 'fliter[title]=One', 'unsupported-parameter'],
    ['parameter in another case', 'post', 'Filter[title]=One', 'unsupported-parameter'],
    ['unknown parameter', 'post', 'foo=1', 'unsupported-parameter'],
    ['incomplete percent-encoding', 'post', 'filter[title]=%E0%A4%A', 'malformed-parameter'],
  ])('%s: rejects /%s?%s with 400', async (_what, type, query, code) => {
    const response = await rest.get(`/${type}?${query}`)
    expect([response.status, response.errors[0]?.code]).toEqual([400, code])
    if (!query.includes('%')) expect(response.errors[0]?.source?.parameter).toBe(query.slice(0, query.indexOf('=')))
  })

  it('rejects a write-only field exactly like an unknown field', async () => {
    const hidden = await rest.get('/user?filter[password]=x')
    const unknown = await rest.get('/user?filter[passwort]=x')
    expect(hidden.text.replaceAll('password', '…')).toBe(unknown.text.replaceAll('passwort', '…'))
  })

  it.each([
    ['post', 'filter[viewCount]=abc'],
    ['post', 'filter[viewCount]=1abc'],
    ['post', 'filter[viewCount]='],
    ['post', 'filter[viewCount]=1.5'],
    ['post', 'filter[viewCount]=99999999999'],
    ['post', 'filter[viewCount$gt]=x'],
    ['post', 'filter[viewCount]=1,x'],
    ['post', 'filter[status]=draft'],
    ['post', 'filter[publishedAt]=yesterday'],
    ['post', 'filter[publishedAt]=2024-02-30'],
    ['post', 'filter[id]=1abc'],
    ['post', 'filter[author]=x'],
    ['comment', 'filter[id]=1'],
    ['comment', 'filter[id]=1_2_3'],
    ['category', 'filter[readers]=1e3'],
    ['category', 'filter[adPrice]=NaN'],
    ['profile', 'filter[avatar]=!'],
    ['post', 'filter[title]=a%00b'],
    ['post', 'filter[publishedAt$isNull]=yes'],
    ['post', 'filter[author$isNull]=1'],
    ['post', 'filter[author$isNull]='],
  ])('/%s?%s: rejects a value of the wrong type with 422', async (type, query) => {
    const response = await rest.get(`/${type}?${query}`)
    expect(response.status).toBe(422)
    expect(response.errors).toMatchObject([
      { code: 'invalid-value', source: { parameter: query.slice(0, query.indexOf('=')) } },
    ])
  })

  it('treats operator objects as text', async () => {
    expect((await rest.get('/user?filter[email]={"contains":""}')).ids).toEqual([])
  })

  it('filters related resources and linkage, but not single resources', async () => {
    expect((await rest.get('/user/1/posts?filter[title]=Two')).ids).toEqual(['2'])
    expect((await rest.get('/post/1/relationships/comments?filter[author][name]=Ben')).ids).toEqual(['1_1'])
    expect((await rest.get('/post/1?filter[title]=One')).status).toBe(400)
    expect((await rest.get('/post/1/author?filter[name]=Ann')).status).toBe(400)
  })

  it('filters by a foreign key without a join', async () => {
    const queries = await db.queriesOf(() => rest.get('/post?filter[author]=1,2'))
    expect(queries).toHaveLength(1)
    for (const query of queries) expect(query).not.toMatch(/User|JOIN/)
    for (const query of await db.queriesOf(() => rest.get('/post?filter[author$isNull]=true'))) {
      expect(query).not.toMatch(/User|JOIN/)
    }
  })

  describe('on PostgreSQL and MySQL', () => {
    it.runIf(db.provider !== 'sqlite')('matches % and _ literally', async () => {
      expect((await rest.get('/tag?filter[name$contains]=%25_')).ids).toEqual(['a/b %_ü'])
      expect((await rest.get('/tag?filter[name$contains]=n%25s')).ids).toEqual([])
      expect((await rest.get('/tag?filter[name$icontains]=N_WS')).ids).toEqual([])
    })
  })

  it.runIf(db.provider === 'postgresql')('names the preview feature that full-text search requires', async () => {
    const response = await rest.get('/post?filter[title$search]=One')
    expect(response.errors).toMatchObject([
      { status: 400, detail: expect.stringContaining('"fullTextSearchPostgres"') },
    ])
  })

  it('lists the operators of a field in the error', async () => {
    const status = await rest.get('/post?filter[status$like]=DRAFT')
    expect(status.errors).toMatchObject([
      {
        code: 'unsupported-operator',
        detail:
          '"status" has no operator "$like". Its operators: $ne, $in, $notIn. Without an operator, it matches any of the given values: "a,b".',
      },
    ])
    const count = await rest.get('/post?filter[viewCount$like]=1')
    expect(count.errors[0]?.detail).toMatch(
      /^"viewCount" has no operator "\$like"\. Its operators: \$ne, \$in, \$notIn, \$lt, \$lte, \$gt, \$gte, \$between\. Without/,
    )
  })

  it.each(['comments', 'tags'])('%s: rejects sorting by a to-many relation without suggestions', async (name) => {
    const [error] = (await rest.get(`/post?sort=${name}`)).errors
    expect([error?.status, error?.detail]).toEqual([
      400,
      `Resources cannot be sorted by the to-many relationship "${name}".`,
    ])
  })

  it.runIf(db.provider === 'sqlite')('rejects $search with 400 on SQLite', async () => {
    const response = await rest.get('/post?filter[title$search]=One')
    expect([response.status, response.errors[0]?.code]).toEqual([400, 'unsupported-operator'])
  })
})
