import { expect } from 'vitest'

import { describeContract } from './describe-contract.js'
import { toQuery } from './filter-query.js'

describeContract('rejected filters', ({ rule, rest }) => {
  let last = ''
  /** Adds a rule, or requests to the last one, for filters that are rejected with an error code and their own parameter. */
  const rejects = (what: string, type: string, code: string, filters: readonly string[], status = 400) => {
    const name = `${what}: rejects a filter of ${type} with ${status}`
    if (name !== last) rule('4.2, 7.1', name)
    last = name
    for (const filter of filters) {
      const query = toQuery(filter)
      rest(`/${type}?${query}`, status, [`${code} ${query.slice(0, query.indexOf('='))}`])
    }
  }
  const rejectsName = (what: string, type: string, ...names: readonly string[]) =>
    rejects(what, type, 'unknown-field', names)
  const rejectsOperator = (what: string, type: string, ...filters: readonly string[]) =>
    rejects(what, type, 'unsupported-operator', filters)
  const rejectsForm = (what: string, ...filters: readonly string[]) =>
    rejects(what, 'post', 'malformed-parameter', filters)

  rejectsName('unknown field', 'post', 'nope=1', 'author.nope=1', "equals(nope,'1')", 'has(nope)')
  rejectsName('write-only field', 'user', 'password=x', 'password$startsWith=s', 'password$isNull=true')
  rejectsName('write-only field', 'user', "startsWith(password,'s')", 'equals(password,email)')
  rejectsName('write-only field', 'post', 'author.password$startsWith=s', "not(startsWith(author.password,'s'))")
  rejectsName('write-only field', 'post', "has(comments,equals(author.password,'s'))")
  rejectsName('prototype', 'post', '__proto__.x=1', "equals(__proto__.x,'1')")
  rejectsName('method of Object', 'post', 'constructor=1', "equals(constructor,'1')")

  rejectsOperator('unknown operator', 'post', 'title$like=x', 'title$constructor=x', 'title$=x', 'title$not$nope=x')
  rejectsOperator('negation without an operator', 'post', 'title$not=x')
  rejectsOperator('operator of another type', 'post', 'viewCount$contains=1', "contains(viewCount,'1')")
  rejectsOperator('order of an enum', 'post', 'status$gt=DRAFT', "greaterThan(status,'DRAFT')")
  rejectsOperator('list operator on a scalar', 'post', 'title$has=x', "has(title,'a')")
  rejectsOperator('operator on a relation', 'post', 'author$gt=1', 'author.gt=1', "lessThan(comments,'1')")
  rejectsOperator('order of a compound id', 'comment', 'id$gt=1_1', "lessThan(id,'1_1')")
  rejectsOperator('null of a required value', 'post', 'title$isNull=true', 'equals(title,null)', 'id$isNull=true')
  rejectsOperator('null of a required value', 'post', 'equals(id,null)', 'tags$isNull=true', 'equals(comments,null)')
  rejectsOperator('null of a required relation', 'comment', 'post$isNull=true')
  rejectsOperator('list of Json values', 'profile', 'settings$in=1', "any(settings,'1','2')")
  rejectsOperator('quantifier of one value', 'post', 'author$none.name=x', 'title$none=x')
  rejectsOperator('count beyond zero', 'post', 'comments$count$gte=3', "greaterThan(count(comments),'3')")
  rejectsOperator('count of a to-one relation', 'post', 'author$count=1', 'author$isEmpty=true')

  rejectsForm('two operators', 'title$not$contains$gt=x', 'title.contains$gt=One', 'comments$none$some.body=x')
  rejectsForm('range without two ends', 'viewCount$between=1', 'viewCount$between=1,2,3')
  rejectsForm('count', 'comments$count=0,1', 'comments$count$contains=1', "equals(count(title),'3')")
  rejectsForm('count compared with a field', 'equals(count(comments),viewCount)')
  rejectsForm('no field', 'filter=One', 'filter[]=One', 'author..name=One')
  rejectsForm('path through a field', 'title.name=One', "equals(title.name,'1')")
  rejectsForm('path through a to-many relation', "equals(comments.seq,'1')")
  rejectsForm('members of one value', 'has(author)', 'has(title)')
  rejectsForm('fields that cannot be compared', 'equals(title,viewCount)', 'equals(title,author.name)')
  rejectsForm('fields that cannot be compared', 'equals(author.name,title)', 'equals(status,status)')
  rejectsForm('unknown second field', 'equals(title,constructor)')
  rejectsForm('value without quotes', 'equals(status,DRAFT)')
  rejects('write-only second field', 'user', 'malformed-parameter', ['equals(email,password)'])
  rejects('fields that cannot be compared', 'comment', 'malformed-parameter', ['equals(id,seq)'])
  rejects('Json path compared with a field', 'profile', 'malformed-parameter', ['equals(settings.theme,bio)'])

  rule('4.2, 7.1', 'rejects an unknown parameter with 400')
  for (const name of ['filter[title', 'fliter[title]', 'Filter[title]', 'foo'])
    rest(`/post?${name}=One`, 400, `unsupported-parameter ${name}`)
  rest('/post?filter[title]=%E0%A4%A', 400, { errors: [{ code: 'malformed-parameter' }] })
  rest('/post?=1', 400, 'malformed-parameter')
  rest('/post/1?filter[title]=One', 400)
  rest('/post/1/author?filter[name]=Ann', 400)

  const rejectsValue = (what: string, type: string, ...filters: readonly string[]) =>
    rejects(what, type, 'invalid-value', filters, 422)
  rejectsValue('integer', 'post', 'viewCount=abc', 'viewCount=1abc', 'viewCount=', 'viewCount=1.5', 'viewCount=1,x')
  rejectsValue('integer', 'post', 'viewCount=99999999999', 'viewCount$gt=x')
  rejectsValue('enum', 'post', 'status=draft')
  rejectsValue('date', 'post', 'publishedAt=yesterday', 'publishedAt=2024-02-30')
  rejectsValue('id', 'post', 'id=1abc', 'author=x')
  rejectsValue('compound id', 'comment', 'id=1', 'id=1_2_3')
  rejectsValue('BigInt and Decimal', 'category', 'readers=1e3', 'adPrice=NaN')
  rejectsValue('Bytes', 'profile', 'avatar=!')
  rejectsValue('NUL in a text', 'post', 'title=a%00b')
  rejectsValue('whether a value is null', 'post', 'publishedAt$isNull=yes', 'author$isNull=1', 'author$isNull=')

  for (const [type, filter, detail] of [
    ['post', "equals(viewCount,'abc')", '"viewCount" at character 18 of filter must be an integer.'],
    ['post', "not(equals(author.id,'x'))", '"author.id" at character 22 of filter is not a valid id of this type.'],
    ['post', "equals(count(comments),'x')", '"comments" at character 24 of filter must be an integer.'],
    ['post', "equals(status,'draft')", '"status" at character 15 of filter must be one of DRAFT, PUBLISHED, ARCHIVED.'],
    ['profile', "equals(settings,'{')", '"settings" at character 17 of filter must be JSON.'],
  ] as const) {
    rule('4.2, 7.2', `${filter}: rejects a value of the wrong type with 422`)
    rest(`/${type}?${toQuery(filter)}`, 422, { errors: [{ detail: `The value of ${detail}` }] })
  }

  const describes = (filter: string, detail: unknown) => {
    rule('7.2', `${filter}: describes the mistake`)
    rest(`/post?${toQuery(filter)}`, 400, { errors: [{ detail }] })
  }
  const part = (text: string): unknown => expect.stringContaining(text)
  const neither = 'is neither a field nor an operator here.'
  describes('title.$no=x', part(`"$no" ${neither}`))
  describes('title.$ne=x', part(`"$ne" ${neither} In separate brackets, omit the "$": [ne].`))
  describes('title$contains.$ne=x', part(`"$ne" ${neither}`))
  describes('$no=x', part('"post" has no field "$no".'))
  describes('author.$no=x', part('"user" has no field "$no".'))
  describes('title$no=x', part('"title" has no operator "$no".'))
  const COMPARISONS = '$ne, $in, $notIn, $lt, $lte, $gt, $gte, $between'
  describes('viewCount$like=1', part(`"viewCount" has no operator "$like". Its operators: ${COMPARISONS}. Without`))
  describes(
    'status$like=DRAFT',
    '"status" has no operator "$like". Its operators: $ne, $in, $notIn. Without an operator, it matches any of the given values: "a,b".',
  )
  describes(
    "contains(viewCount,'1')",
    'At character 10, after "contains(": "viewCount" cannot be filtered with contains(…) and this value. ' +
      'Available: equals, lessThan, lessOrEqual, greaterThan, greaterOrEqual, any, between.',
  )
  describes(
    'equals(status,DRAFT)',
    'At character 15, after "equals(status,": "status" can be compared with another field of the same resource that has the same type. ' +
      "Values must be quoted: 'DRAFT'.",
  )
  describes(
    'filter=has(tags)&filter=has(comments)',
    'Only one expression is allowed. Combine conditions with and(…) or or(…).',
  )

  for (const [open, close, depth] of [
    ['[', ']', 13],
    ['{"a":', '}', 12],
    ['{"a":[', ']}', 12],
  ] as const) {
    rule('4.2, 8', `${open}: rejects Json that is nested too deeply with 400`)
    const json = (levels: number) => encodeURIComponent(open.repeat(levels) + '1' + close.repeat(levels))
    rest(`/profile?filter[settings]=${json(depth)}`, 200)
    rest(`/profile?filter[settings]=${json(depth + 1)}`, 400, 'limit-exceeded filter[settings]')
    rest(`/profile?filter[settings$ne]=${json(5000)}`, 400, 'limit-exceeded filter[settings$ne]')
    rest(`/profile?filter=equals(settings,'${json(5000)}')`, 400)
  }
  rule('4.2, 8', 'accepts any number of brackets in strings')
  rest(`/post?filter[title]=${'['.repeat(50)}`, 200)
  rest(`/profile?filter[settings]=${encodeURIComponent(`"${'['.repeat(50)}"`)}`, 200)

  rule('4.2', 'rejects a list index in a Json path with 400')
  for (const path of ['0', '-1', '%2B0', '%200', 'a.-2']) rest(`/profile?filter[settings.${path}]=a`, 400)

  rule('8', 'counts the relations of all filters of a request')
  const many = encodeURIComponent(`and(${Array.from({ length: 20 }, () => "equals(author.name,'a')").join(',')})`)
  rest(`/post?filter=${many}`, 200)
  rest(`/post?filter=${many}&filter[author][name]=a`, 400, /limits\.filterRelations/)

  rule('8', 'applies limits.filterCost equally with and without a total', { options: { limits: { filterCost: 12 } } })
  for (const path of ['/post?', '/post?page[total]=none&', '/post?page[after]=&', '/user/1/posts?page[total]=none&'])
    rest(`${path}filter[title$contains]=e&sort=title`, 200)
  rest('/post?include=comments&includeFilter[comments][body$contains]=e', 200)

  const iequals = {
    'title$iequals=x': 'The database does not support the operator "$iequals".',
    'author.name$iequals=x': 'The database does not support the operator "$iequals".',
    "not(iequals(title,'x'))":
      '"title" at character 19 of filter: the database does not support the operator "$iequals".',
  }
  const onSqlite = { on: ({ provider }: { provider: string }) => provider === 'sqlite' }
  rule('4.2', 'rejects $iequals with 400 on SQLite, which has no case-insensitive equality', onSqlite)
  for (const [filter, detail] of Object.entries(iequals))
    rest(`/post?${toQuery(filter)}`, 400, { errors: [{ detail }] })
  rule('4.2', 'supports $iequals on servers', { on: ({ provider }) => provider !== 'sqlite' })
  for (const filter of Object.keys(iequals)) rest(`/post?${toQuery(filter)}`, 200)
  rule('4.2', 'rejects $search with 400 on SQLite', onSqlite)
  rest('/post?filter[title$search]=One', 400, 'unsupported-operator filter[title$search]')
  rule('4.2', 'names the preview feature that full-text search requires', {
    on: ({ provider }) => provider === 'postgresql',
  })
  rest('/post?filter[title$search]=One', 400, /"fullTextSearchPostgres"/)

  rule('4.2', 'rejects sorting by a to-many relation without suggestions')
  for (const name of ['comments', 'tags'])
    rest(`/post?sort=${name}`, 400, RegExp(`^Resources cannot be sorted by the to-many relationship "${name}"\\.$`))
})
