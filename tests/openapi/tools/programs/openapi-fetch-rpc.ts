import createClient from 'openapi-fetch'

import type { paths } from '../.generated/openapi-typescript/rpc.js'

/** The results of a client of the RPC style. */
export interface SeenOfRpc {
  readonly posts: readonly string[]
  readonly created: string | undefined
  readonly rejected: { readonly status: number; readonly paths: readonly string[] }
  readonly count: number
  readonly average: number | null | undefined
}

/** Reads the blog in the RPC style, with a client by openapi-typescript and openapi-fetch. */
export async function seenBy(baseUrl: string): Promise<SeenOfRpc> {
  const blog = createClient<paths>({ baseUrl })

  // The body contains arguments of the Prisma client. As a query, `q` would be one JSON string.
  const { data: found } = await blog.POST('/post/findMany', {
    body: { where: { status: 'PUBLISHED' }, include: { author: true }, orderBy: { viewCount: 'desc' }, take: 3 },
  })
  const posts = (found?.data ?? []).map(({ title, author }) => `${title} by ${author?.name}`)

  const { data: created } = await blog.POST('/tag/create', { body: { data: { name: 'openapi' } } })

  const { error, response } = await blog.POST('/user/create', {
    body: { data: { email: 'nonsense', password: 'short' } },
  })

  const q = JSON.stringify({ where: { name: 'openapi' } })
  const { data: counted } = await blog.GET('/tag/count', { params: { query: { q } } })

  const { data: aggregates } = await blog.POST('/post/aggregate', { body: { _avg: { viewCount: true } } })

  return {
    posts,
    created: created?.data.name,
    rejected: { status: response.status, paths: (error?.issues ?? []).map(({ path }) => path.join('.')) },
    count: Number(counted?.data),
    average: aggregates?.data._avg?.viewCount,
  }
}

/** Calls that do not compile and never run. */
export async function mistakes(baseUrl: string): Promise<void> {
  const blog = createClient<paths>({ baseUrl })
  // @ts-expect-error: `take` is a number
  await blog.POST('/post/findMany', { body: { take: 'three' } })
  // @ts-expect-error: a tag needs a name
  await blog.POST('/tag/create', { body: { data: {} } })
  // @ts-expect-error: aggregates are selected with `true`
  await blog.POST('/post/aggregate', { body: { _avg: { viewCount: 1 } } })
  // @ts-expect-error: a required field has no null
  await blog.POST('/post/findMany', { body: { where: { title: { equals: null } } } })
  const { data } = await blog.POST('/post/findFirst', { body: {} })
  // @ts-expect-error: posts do not have this field
  void data?.data?.headline
}
