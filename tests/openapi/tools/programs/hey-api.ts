import { client } from '../.generated/hey-api/client.gen.js'
import { addToPostTags, createPost, createUser, getPost, listPosts, listTags } from '../.generated/hey-api/sdk.gen.js'
import type { Seen } from './observations.js'

/** What a client by @hey-api/openapi-ts sees of the blog. */
export async function seenBy(baseUrl: string): Promise<Seen> {
  client.setConfig({ baseUrl })

  // A list with what is included, told apart by `type`.
  const { data: list } = await listPosts({
    query: { 'filter[status]': 'PUBLISHED', include: ['author'], sort: ['-viewCount'], 'page[limit]': 3 },
  })
  const names = new Map<string, string | null | undefined>()
  for (const r of list?.included ?? []) if (r.type === 'user') names.set(r.id, r.attributes?.name)
  const posts = (list?.data ?? []).map(({ attributes, relationships }) => {
    return `${attributes?.title} by ${names.get(relationships?.author?.data?.id ?? '')}`
  })

  // A broken rule: the error says which, and where.
  const { error, response } = await createUser({
    body: { data: { type: 'user', attributes: { email: 'nonsense', password: 'short' } } },
  })
  const pointers = (error?.errors ?? []).map(({ source }) => source?.pointer)

  // A change of a relationship.
  const { data: tags } = await addToPostTags({ path: { id: '2' }, body: { data: [{ type: 'tag', id: 'bread' }] } })

  // All pages, each from where the link of the one before leads to.
  let walked = 0
  let total: number | undefined
  const offsets = [0]
  for (const offset of offsets) {
    const { data: page } = await listTags({ query: { 'page[limit]': 2, 'page[offset]': offset } })
    walked += page?.data.length ?? 0
    total ??= page?.meta?.total
    if (page?.links.next) offsets.push(Number(new URL(page.links.next).searchParams.get('page[offset]')))
  }

  return {
    posts,
    rejected: { status: response?.status ?? 0, pointers },
    tags: (tags?.data ?? []).map(({ id }) => id),
    walked,
    total,
  }
}

/** What does not compile. It is never called. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error: users have no such field
  await listPosts({ query: { 'fields[user]': ['nam'] } })
  // @ts-expect-error: a limit is a number
  await listPosts({ query: { 'page[limit]': 'three' } })
  // @ts-expect-error: a title is a text
  await createPost({ body: { data: { type: 'post', attributes: { slug: 'a', title: 1 } } } })
  const { data } = await getPost({ path: { id: '1' } })
  // @ts-expect-error: posts have no name
  void data?.data.attributes?.name
  // @ts-expect-error: only users have a name, and what is included may be something else
  void data?.included?.[0]?.attributes?.name
}
