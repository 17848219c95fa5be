import createClient from 'openapi-fetch'

import type { paths } from '../.generated/openapi-typescript/rest.js'
import type { Seen } from './observations.js'

/** Reads the blog with a client by openapi-typescript and openapi-fetch. */
export async function seenBy(baseUrl: string): Promise<Seen> {
  const blog = createClient<paths>({ baseUrl })

  // A list with included resources, which are narrowed by `type`.
  const { data: list } = await blog.GET('/post', {
    params: { query: { filter: { status: 'PUBLISHED' }, include: ['author'], sort: ['-viewCount'], 'page[limit]': 3 } },
  })
  const names = new Map<string, string | null | undefined>()
  for (const r of list?.included ?? []) if (r.type === 'user') names.set(r.id, r.attributes?.name)
  const posts = (list?.data ?? []).map(({ attributes, relationships }) => {
    return `${attributes?.title} by ${names.get(relationships?.author?.data?.id ?? '')}`
  })

  // A violated rule. The error contains the rule and its location.
  const { error, response } = await blog.POST('/user', {
    body: { data: { type: 'user', attributes: { email: 'nonsense', password: 'short' } } },
  })
  const pointers = (error?.errors ?? []).map(({ source }) => source?.pointer)

  // An update of a relationship.
  const { data: tags } = await blog.POST('/post/{id}/relationships/tags', {
    params: { path: { id: '2' } },
    body: { data: [{ type: 'tag', id: 'bread' }] },
  })

  // All pages, by the `next` link of each page.
  let walked = 0
  let total: number | undefined
  const offsets = [0]
  for (const offset of offsets) {
    const { data: page } = await blog.GET('/tag', { params: { query: { 'page[limit]': 2, 'page[offset]': offset } } })
    walked += page?.data.length ?? 0
    total ??= page?.meta?.total
    if (page?.links.next) offsets.push(Number(new URL(page.links.next).searchParams.get('page[offset]')))
  }

  return {
    posts,
    rejected: { status: response.status, pointers },
    tags: (tags?.data ?? []).map(({ id }) => id),
    walked,
    total,
  }
}

/** Calls that do not compile and never run. */
export async function mistakes(baseUrl: string): Promise<void> {
  const blog = createClient<paths>({ baseUrl })
  // @ts-expect-error: users do not have this field
  await blog.GET('/post', { params: { query: { 'fields[user]': ['nam'] } } })
  // @ts-expect-error: posts do not have this field
  await blog.GET('/post', { params: { query: { filter: { headline: 'a' } } } })
  // @ts-expect-error: a limit is a number
  await blog.GET('/post', { params: { query: { 'page[limit]': 'three' } } })
  // @ts-expect-error: a title is a string
  await blog.POST('/post', { body: { data: { type: 'post', attributes: { slug: 'a', title: 1 } } } })
  const { data } = await blog.GET('/post/{id}', { params: { path: { id: '1' } } })
  // @ts-expect-error: posts do not have a name
  void data?.data.attributes?.name
  // @ts-expect-error: only users have a name, and an included resource may have another type
  void data?.included?.[0]?.attributes?.name
}
