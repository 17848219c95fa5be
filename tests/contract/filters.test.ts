import { expect } from 'vitest'

import { describeContract } from './describe-contract.js'
import { toQuery } from './filter-query.js'

describeContract('filters', ({ rule, rest }) => {
  let last = ''
  /** Adds a rule, or requests to the last one, for filters and the ids of the rows that they match. */
  const matches = (what: string, type: string, filters: Readonly<Record<string, string>>) => {
    if (last !== what + type) rule('4.2', `${what}: matches rows of ${type}`)
    last = what + type
    for (const [filter, text] of Object.entries(filters)) {
      const ids = text.split(' ').filter((id) => id !== '')
      rest(`/${type}?${toQuery(filter)}`, 200, (response) =>
        expect([filter, response.ids, response.body.meta?.total]).toEqual([filter, ids, ids.length]),
      )
    }
  }
  const EVERY = '1 2 3 4 5'

  matches('text', 'post', { 'title=One': '1', 'title=': '', 'title=One,Two': '1 2', 'title=Three\\, or more': '3' })
  matches('escaped comma', 'post', { 'title=Three%5C,+or+more,One': '1 3' })
  matches('quote', 'tag', { "equals(name,'it''s')": '' })
  matches('operator object as text', 'user', { 'email={"contains":""}': '' })
  matches('number', 'post', { 'viewCount=20': '3 4' })
  matches('enum', 'post', { 'status=PUBLISHED': '1 4', 'status=DRAFT,ARCHIVED': '2 3 5' })
  matches('enum', 'post', { "equals(status,'PUBLISHED')": '1 4' })
  matches('date', 'post', { 'publishedAt=2024-02-01T00:00:00.000Z': '1' })
  matches('date', 'post', { 'publishedAt=2024-02-01T02:00:00%2B02:00': '1', 'publishedAt$gt=2024-02-02': '4' })
  matches('date', 'post', { "greaterOrEqual(publishedAt,'2024-02-02')": '4' })
  matches('date', 'post', { 'publishedAt$between=2024-02-01,2024-02-03': '1' })
  matches('BigInt', 'category', { 'readers=9007199254740993': '1', "equals(readers,'9007199254740993')": '1' })
  matches('BigInt', 'category', { 'readers$gt=9007199254740992': '1' })
  matches('Decimal', 'category', { 'adPrice=12.5': '1', 'adPrice$lt=12.51': '1', "greaterThan(adPrice,'12.49')": '1' })
  matches('Bytes', 'profile', { 'avatar=AP8H': '1', 'avatar$ne=AP8H': '' })
  matches('Json', 'profile', { 'settings={"theme":"dark"}': '1', 'settings$ne={"theme":"light"}': '1' })
  matches('Json', 'profile', { 'settings$ne=null': '1', 'equals(settings,\'{"theme":"dark"}\')': '1' })
  matches('Json', 'profile', { "not(equals(settings,'{}'))": '1', 'equals(settings,null)': '' })

  matches('id', 'post', { 'id=2': '2', 'id=2,4': '2 4', 'id$gt=3': '4 5', 'id$ne=1,5': '2 3 4' })
  matches('id', 'post', { 'id$notIn=1,5': '2 3 4' })
  matches('id', 'post', { "any(id,'1','5')": '1 5', "lessThan(id,'3')": '1 2', 'filter[id][]=1&filter[id][]=3': '1 3' })
  matches('id', 'tag', { 'id=news': 'news' })
  matches('compound id', 'comment', { 'id=1_2,4_1': '1_2 4_1', 'id$ne=1_2,4_1': '1_1 1_3', 'id$in=1_2,4_1': '1_2 4_1' })
  matches('compound id', 'comment', { "any(id,'1_2','4_1')": '1_2 4_1', "not(equals(id,'1_2'))": '1_1 1_3 4_1' })

  matches('related id', 'post', { 'author=2': '4', 'author=1,2': '1 2 3 4', "equals(author,'1')": '1 2 3' })
  matches('related id', 'post', { 'category.parent=1': '2 4', "equals(category.parent,'1')": '2 4' })
  matches('related id', 'post', { 'comments=1_2': '1' })
  matches('id in a path', 'post', { 'author.id=2': '4', "equals(author.id,'2')": '4' })
  matches('related id, to-many', 'post', { 'tags=news': '1 2', 'tags=a/b %25_%C3%BC,tips': '1' })
  matches('related id, to-many', 'post', { 'tags=news&tags=a/b %25_%C3%BC': '1', "any(tags,'news','tips')": '1 2' })
  matches('related id', 'user', { 'profile=1': '1', 'posts.tags=news': '1' })
  matches('path', 'post', { 'author.name=Ann': '1 2 3', 'filter%5Bauthor%5D%5Bname%5D=Ann': '1 2 3' })
  matches('path', 'post', { 'author.email$contains=ben': '4', 'author.email.contains=ben': '4' })
  matches('path', 'post', { 'comments.body=First!': '1' })
  matches('path', 'post', { 'comments.author.name=Ann': '4', 'category.parent.name=Science': '2 4' })
  matches('path', 'post', { "equals(category.parent.name,'Science')": '2 4' })
  matches('path', 'user', { 'posts.comments.body$startsWith=First': '1' })
  matches('several filters', 'post', { 'author=1&viewCount=20': '3', 'viewCount$gte=10&viewCount$lt=30': '1 3 4' })

  matches('order', 'post', { 'viewCount$lt=10': '5', 'viewCount$lte=10': '1 5', "lessOrEqual(viewCount,'10')": '1 5' })
  matches('order', 'post', { 'viewCount$gt=20': '2', 'viewCount$gte=20': '2 3 4', 'viewCount.gte=20': '2 3 4' })
  matches('order', 'post', { 'title$lt=One': '4 5', 'viewCount$between=10,20': '1 3 4' })
  matches('order', 'post', { "between(viewCount,'10','20')": '1 3 4', 'viewCount$not$between=10,20': '2 5' })
  matches('part of a text', 'post', { 'title$contains=wo': '2', 'title$contains=wo,our': '2 4' })
  matches('part of a text', 'post', { "contains(title,', or')": '3', 'title$not$contains=wo': '1 3 4 5' })
  matches('part of a text', 'post', { 'title.not.contains=wo,our': '1 3 5', 'title$icontains=ONE': '1' })
  matches('part of a text', 'post', { "icontains(title,'TWO')": '2', 'title$not$icontains=O': '5' })
  matches('start of a text', 'post', { 'title$startsWith=F': '4 5', "startsWith(title,'F')": '4 5' })
  matches('start of a text', 'post', { 'content$not$startsWith=Nobody': '1 2 3 4', 'title$istartsWith=t': '2 3' })
  matches('end of a text', 'post', { 'title$endsWith=more': '3', "endsWith(title,'more')": '3' })
  matches('end of a text', 'post', { 'title$iendsWith=MORE': '3' })

  matches('null', 'post', { 'publishedAt$isNull=true': '2 3 5', 'publishedAt$isNull=false': '1 4' })
  matches('null', 'post', { 'publishedAt.isNull=true': '2 3 5', 'publishedAt$isNull=true,false': EVERY })
  matches('null', 'post', { 'equals(publishedAt,null)': '2 3 5', 'not(equals(publishedAt,null))': '1 4' })
  matches('null in to-one relations', 'post', { 'author$isNull=true': '5', 'author$isNull=false': '1 2 3 4' })
  matches('null in to-one relations', 'post', { 'author.isNull=true': '5', 'author$isNull=true,false': EVERY })
  matches('null in to-one relations', 'post', { 'equals(author,null)': '5', 'author.name$isNull=false': '1 2 3 4' })
  matches('null in to-one relations', 'post', { 'category.parent$isNull=true': '1' })
  matches('null in to-one relations', 'post', { 'comments.author$isNull=true': '1' })
  matches('null in to-one relations', 'user', { 'profile$isNull=true': '2 3', 'profile$isNull=false': '1' })
  matches('null', 'profile', { 'settings$isNull=true': '', 'settings$isNull=false': '1', 'avatar$isNull=false': '1' })

  matches('negation', 'post', { 'title$ne=One': '2 3 4 5', 'title$ne=One,Two': '3 4 5' })
  matches('negation', 'post', { 'publishedAt$ne=2024-02-01': '2 3 4 5' })
  matches('negation', 'post', { 'status.ne=DRAFT': '1 3 4', 'title$in=One,Two': '1 2' })
  matches('negation', 'post', { 'title$notIn=One,Two': '3 4 5' })
  matches('negation', 'post', { 'filter[viewCount$in][]=10&filter[viewCount$in][]=30': '1 2' })
  matches('negation', 'post', { 'author$ne=1': '4 5', "not(equals(author,'1'))": '4 5' })
  matches('negation', 'post', { 'author$notIn=1,2': '5', 'author.name$ne=Ann': '4 5' })
  matches('negation', 'post', { 'tags$ne=news': '3 4 5' })
  matches('negation', 'category', { 'adPrice$ne=12.5': '2 3' })

  matches('quantifier', 'post', { 'comments$some.body=First!': '1', 'comments.some.body=First!': '1' })
  matches('quantifier', 'post', { 'comments$none.body=First!': '2 3 4 5', 'comments$every.author=1': '2 3 4 5' })
  matches('quantifier', 'post', { "every(comments,equals(author.name,'Ann'))": '2 3 4 5' })
  matches('quantifier', 'post', { 'comments.every.author.name$ne=Cat': EVERY, 'comments$every.seq$lte=3': EVERY })
  matches('quantifier', 'post', { 'tags$none=a/b %25_%C3%BC': '2 3 4 5', 'tags$every=news': '2 3 4 5' })
  matches('quantifier', 'user', { 'posts$some.comments$none.seq=1': '1' })
  matches('quantifier', 'user', { "has(posts,has(tags,equals(name,'news')))": '1', 'has(posts,not(has(tags)))': '1 2' })
  matches('whether there are members', 'post', { 'comments$isEmpty=true': '2 3 5', 'comments.isEmpty=false': '1 4' })
  matches('whether there are members', 'post', { 'isEmpty(comments)': '2 3 5', 'has(comments)': '1 4' })
  matches('number of members', 'post', { 'comments$count=0': '2 3 5', "equals(count(comments),'0')": '2 3 5' })
  matches('number of members', 'post', { 'comments$count$gt=0': '1 4', "greaterThan(count(comments),'0')": '1 4' })
  matches('number of members', 'post', { 'comments.count.gte=1': '1 4', 'comments$count$ne=0': '1 4' })
  matches('number of members', 'post', { 'comments$count$lt=1': '2 3 5' })
  matches('number of members', 'profile', { "greaterOrEqual(count(user.posts),'1')": '1' })

  matches('and, or, not', 'post', {
    "or(and(equals(status,'PUBLISHED'),greaterThan(viewCount,'10')),not(any(author.name,'Ann','Ben')),has(comments,equals(seq,'3')))":
      '1 4 5',
  })
  matches('and, or, not', 'post', { "and( equals(title, 'One') , has(tags) )": '1' })
  matches('and, or, not', 'post', { 'filter=has(tags)&title=Two,Four': '2' })
  matches('fields compared', 'post', { 'greaterThan(updatedAt,publishedAt)': '1 4' })
  matches('fields compared', 'post', { 'not(greaterThan(updatedAt,publishedAt))': '2 3 5', 'equals(id,authorId)': '1' })
  matches('fields compared', 'post', { 'not(equals(authorId,id))': '2 3 4 5', 'lessThan(title,title)': '' })
  matches('fields compared', 'post', { 'and(equals(slug,slug),not(equals(author.email,author.name)))': EVERY })
  matches('fields compared', 'user', { 'has(posts,equals(authorId,id))': '1' })
  matches('list of related resources', 'user/1/posts', { 'title=Two': '2' })
  matches('list of related resources', 'user/1/posts', { "filter=not(equals(title,'One'))&viewCount$gt=20": '2' })
  matches('linkage', 'post/1/relationships/comments', { 'author.name=Ben': '1_1', 'equals(author,null)': '1_3' })

  rule('4.2', 'matches % and _ literally', { on: ({ provider }) => provider !== 'sqlite' })
  rest('/tag?filter[name$contains]=%25_', 200, ['a/b %_ü'])
  rest('/tag?filter[name$contains]=n%25s', 200, [])
  rest('/tag?filter[name$icontains]=N_WS', 200, [])

  rule('4.2', 'accepts any character in an expression, with quotes doubled')
  for (const [index, name] of ["Brian O'Connor", "''", '(a,b)', 'a.b\\', '%_', 'ü 💡'].entries()) {
    rest('POST /category', { data: { type: 'category', attributes: { name } } }, 201)
    rest(`/category?${toQuery(`equals(name,'${name.replaceAll("'", "''")}')`)}`, 200, [String(index + 4)])
  }
})
