import type { PrismaClient } from '../fixtures/blog/client/client.js'

/** An example request. */
export interface Example {
  readonly title: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  /** JSON. */
  readonly body?: string
  /** The same request as a command for a POSIX shell. */
  readonly curl: string
  /** The expected status on the freshly seeded blog. */
  readonly status: number
}

type Request = Omit<Example, 'title' | 'status'>

/** Returns example requests for both styles. They work on the freshly seeded blog in this order. */
export async function examplesFor(baseUrl: string, orm: PrismaClient): Promise<Example[]> {
  const { postId, seq } = await orm.comment.findFirstOrThrow({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] })
  const { userId } = await orm.profile.findFirstOrThrow({ orderBy: { id: 'asc' } })
  const rest = `${baseUrl}/api/rest`
  const rpc = `${baseUrl}/api/rpc`
  return [
    {
      title: 'REST: the most read posts, with their authors and tags',
      ...get(`${rest}/post?filter[status]=PUBLISHED&include=author,tags&sort=-viewCount&page[limit]=3`),
      status: 200,
    },
    {
      title: 'REST: posts about the web with a word in their title, two fields only',
      ...get(`${rest}/post?filter[category][name]=Web&filter[title$icontains]=query&fields[post]=title,slug`),
      status: 200,
    },
    { title: 'REST: one user, with profile', ...get(`${rest}/user/${userId}?include=profile`), status: 200 },
    { title: 'REST: a compound id', ...get(`${rest}/comment/${postId}_${seq}`), status: 200 },
    {
      title: 'REST: the posts of a user',
      ...get(`${rest}/user/4/posts?sort=-publishedAt&page[limit]=5`),
      status: 200,
    },
    {
      title: 'REST: create a post, with author and tags',
      ...send('POST', `${rest}/post`, {
        data: {
          type: 'post',
          attributes: { slug: 'from-the-shell', title: 'From the shell', content: 'Written with curl.' },
          relationships: {
            author: { data: { type: 'user', id: '2' } },
            tags: { data: [{ type: 'tag', id: 'tools' }] },
          },
        },
      }),
      status: 201,
    },
    {
      title: 'REST: change a post',
      ...send('PATCH', `${rest}/post/2`, { data: { type: 'post', id: '2', attributes: { status: 'ARCHIVED' } } }),
      status: 200,
    },
    {
      title: 'REST: add a tag to a post',
      ...send('POST', `${rest}/post/2/relationships/tags`, { data: [{ type: 'tag', id: 'bread' }] }),
      status: 200,
    },
    {
      title: 'REST: change the author of a post',
      ...send('PATCH', `${rest}/post/2/relationships/author`, { data: { type: 'user', id: '3' } }),
      status: 200,
    },
    {
      title: 'REST: publish a post, with a custom route',
      ...post(`${rest}/post/2/publish?include=author`),
      status: 200,
    },
    {
      title: 'REST: values that break the validation rules',
      ...send('POST', `${rest}/user`, {
        data: { type: 'user', attributes: { email: 'nonsense', password: 'short' } },
      }),
      status: 422,
    },
    {
      title: 'RPC: findMany',
      ...query('GET', `${rpc}/post/findMany`, {
        where: { status: 'PUBLISHED', tags: { some: { name: 'bread' } } },
        include: { author: true },
        orderBy: { viewCount: 'desc' },
        take: 3,
      }),
      status: 200,
    },
    {
      title: 'RPC: groupBy',
      ...query('GET', `${rpc}/post/groupBy`, { by: ['status'], _count: true, _sum: { viewCount: true } }),
      status: 200,
    },
    {
      title: 'RPC: a BigInt and a Decimal, with their types in the metadata',
      ...query('GET', `${rpc}/category/findUnique`, { where: { name: 'Databases' } }),
      status: 200,
    },
    {
      title: 'RPC: create',
      ...send('POST', `${rpc}/user/create`, {
        data: {
          email: 'ada@example.com',
          name: 'Ada',
          password: 'correct horse',
          profile: { create: { bio: 'Hello.' } },
        },
        include: { profile: true },
      }),
      status: 201,
    },
    {
      title: 'RPC: update',
      ...send('PATCH', `${rpc}/post/update`, { where: { slug: 'hello-world' }, data: { title: 'Hello, you' } }),
      status: 200,
    },
    {
      title: 'RPC: the custom route again, which rejects a published post',
      ...send('POST', `${rpc}/post/publish`, { id: 2 }),
      status: 409,
    },
    {
      title: 'RPC: delete',
      ...query('DELETE', `${rpc}/comment/delete`, { where: { postId_seq: { postId, seq } } }),
      status: 200,
    },
  ]
}

/** Prints the URLs of the blog and the examples. */
export function printExamples(url: string, examples: readonly Example[]): void {
  const lines = examples.map(({ title, curl }) => `# ${title}\n${curl}\n`)
  process.stdout.write(
    [
      `Start page       ${url}`,
      `REST (JSON:API)  ${url}/api/rest   for example ${url}/api/rest/post`,
      `RPC              ${url}/api/rpc    for example ${url}/api/rpc/tag/findMany`,
      '',
      ...lines,
      'Ctrl-C stops the server and removes the database.\n',
    ].join('\n'),
  )
}

function get(url: string): Request {
  return { method: 'GET', url, curl: `curl ${url.includes('[') ? '-g ' : ''}'${url}'` }
}

function post(url: string): Request {
  return { method: 'POST', url, curl: `curl -X POST '${url}'` }
}

function send(method: 'POST' | 'PATCH', url: string, value: unknown): Request {
  const body = JSON.stringify(value)
  return { method, url, body, curl: `curl -X ${method} '${url}' -H 'Content-Type: application/json' -d ${quote(body)}` }
}

function query(method: 'GET' | 'DELETE', url: string, args: unknown): Request {
  const q = JSON.stringify(args)
  const flag = method === 'GET' ? '' : `-X ${method} `
  return {
    method,
    url: `${url}?${new URLSearchParams({ q })}`,
    curl: `curl ${flag}-G '${url}' --data-urlencode ${quote(`q=${q}`)}`,
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
