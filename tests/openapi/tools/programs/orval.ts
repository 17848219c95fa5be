import { addToPostTags, createPost, createUser, getPost, listPosts, listTags } from '../.generated/orval/blog.js'
import type { Seen } from './observations.js'

/** Reads the blog with a client by orval, which was generated for the server URL in the document. */
export async function seenBy(): Promise<Seen> {
  // A list with included resources, which `type` distinguishes.
  const list = await listPosts({
    'filter[status]': 'PUBLISHED',
    include: ['author'],
    sort: ['-viewCount'],
    'page[limit]': 3,
  })
  if (list.status !== 200) throw new Error(list.data.errors[0]?.detail)
  const names = new Map<string, string | null | undefined>()
  for (const r of list.data.included ?? []) if (r.type === 'user') names.set(r.id, r.attributes?.name)
  const posts = list.data.data.map(({ attributes, relationships }) => {
    return `${attributes?.title} by ${names.get(relationships?.author?.data?.id ?? '')}`
  })

  // A violated rule. The error contains the rule and its location.
  const rejected = await createUser({
    data: { type: 'user', attributes: { email: 'nonsense', password: 'short' } },
  })
  const pointers = rejected.status === 422 ? rejected.data.errors.map(({ source }) => source?.pointer) : []

  // An update of a relationship.
  const tags = await addToPostTags('2', { data: [{ type: 'tag', id: 'bread' }] })

  // All pages, by the `next` link of each page.
  let walked = 0
  let total: number | undefined
  const offsets = [0]
  for (const offset of offsets) {
    const page = await listTags({ 'page[limit]': 2, 'page[offset]': offset })
    if (page.status !== 200) throw new Error(page.data.errors[0]?.detail)
    walked += page.data.data.length
    total ??= page.data.meta?.total
    const { next } = page.data.links
    if (next) offsets.push(Number(new URL(next).searchParams.get('page[offset]')))
  }

  return {
    posts,
    rejected: { status: rejected.status, pointers },
    tags: tags.status === 200 ? tags.data.data.map(({ id }) => id) : [],
    walked,
    total,
  }
}

/** Calls that do not compile and never run. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error: users do not have this field
  await listPosts({ 'fields[user]': ['nam'] })
  // @ts-expect-error: a limit is a number
  await listPosts({ 'page[limit]': 'three' })
  // @ts-expect-error: a title is a string
  await createPost({ data: { type: 'post', attributes: { slug: 'a', title: 1 } } })
  const { data } = await getPost('1')
  // @ts-expect-error: the response may be an error
  void data.data
}
