import type { PrismaClient } from '../fixtures/blog/client/client.js'

/** An example request. */
export interface Example {
  readonly title: string
  /** A command for a POSIX shell. */
  readonly curl: string
  /** The expected status on the freshly seeded blog. */
  readonly status: number
}

/** Returns example requests for both styles. They work on the freshly seeded blog in this order. */
export async function examplesFor(url: string, orm: PrismaClient): Promise<Example[]> {
  const { postId, seq } = await orm.comment.findFirstOrThrow({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] })
  const { userId } = await orm.profile.findFirstOrThrow({ orderBy: { id: 'asc' } })
  const rest = `${url}/api/rest`
  const rpc = `${url}/api/rpc`
  return [
    {
      title: 'REST: the most read posts, with their authors and tags',
      curl: `curl -g '${rest}/post?filter[status]=PUBLISHED&include=author,tags&sort=-viewCount&page[limit]=3'`,
      status: 200,
    },
    {
      title: 'REST: posts about the web with a word in their title, two fields only',
      curl: `curl -g '${rest}/post?filter[category][name]=Web&filter[title$icontains]=query&fields[post]=title,slug'`,
      status: 200,
    },
    { title: 'REST: one user, with profile', curl: `curl '${rest}/user/${userId}?include=profile'`, status: 200 },
    { title: 'REST: a compound id', curl: `curl '${rest}/comment/${postId}_${seq}'`, status: 200 },
    {
      title: 'REST: the posts of a user',
      curl: `curl -g '${rest}/user/4/posts?sort=-publishedAt&page[limit]=5'`,
      status: 200,
    },
    {
      title: 'REST: create a post, with author and tags',
      curl: post(
        `${rest}/post`,
        data({
          type: 'post',
          attributes: { slug: 'from-the-shell', title: 'From the shell', content: 'Written with curl.' },
          relationships: {
            author: { data: { type: 'user', id: '2' } },
            tags: { data: [{ type: 'tag', id: 'tools' }] },
          },
        }),
      ),
      status: 201,
    },
    {
      title: 'REST: change a post',
      curl: patch(`${rest}/post/2`, data({ type: 'post', id: '2', attributes: { status: 'ARCHIVED' } })),
      status: 200,
    },
    {
      title: 'REST: add a tag to a post',
      curl: post(`${rest}/post/2/relationships/tags`, data([{ type: 'tag', id: 'bread' }])),
      status: 200,
    },
    {
      title: 'REST: give a post another author',
      curl: patch(`${rest}/post/2/relationships/author`, data({ type: 'user', id: '3' })),
      status: 200,
    },
    {
      title: "REST: what the schema's rules forbid",
      curl: post(`${rest}/user`, data({ type: 'user', attributes: { email: 'nonsense', password: 'short' } })),
      status: 422,
    },
    {
      title: 'RPC: findMany',
      curl: query(`${rpc}/post/findMany`, {
        where: { status: 'PUBLISHED', tags: { some: { name: 'bread' } } },
        include: { author: true },
        orderBy: { viewCount: 'desc' },
        take: 3,
      }),
      status: 200,
    },
    {
      title: 'RPC: groupBy',
      curl: query(`${rpc}/post/groupBy`, { by: ['status'], _count: true, _sum: { viewCount: true } }),
      status: 200,
    },
    {
      title: 'RPC: a BigInt and a Decimal, with what tells them from strings',
      curl: query(`${rpc}/category/findUnique`, { where: { name: 'Databases' } }),
      status: 200,
    },
    {
      title: 'RPC: create',
      curl: post(`${rpc}/user/create`, {
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
      curl: patch(`${rpc}/post/update`, { where: { slug: 'hello-world' }, data: { title: 'Hello, you' } }),
      status: 200,
    },
    {
      title: 'RPC: delete',
      curl: `curl -X DELETE ${query(`${rpc}/comment/delete`, { where: { postId_seq: { postId, seq } } }).slice('curl '.length)}`,
      status: 200,
    },
  ]
}

/** Prints the URLs of the blog and the examples. */
export function printExamples(url: string, examples: readonly Example[]): void {
  const lines = examples.map(({ title, curl }) => `# ${title}\n${curl}\n`)
  process.stdout.write(
    [
      `REST (JSON:API)  ${url}/api/rest   for example ${url}/api/rest/post`,
      `RPC              ${url}/api/rpc    for example ${url}/api/rpc/tag/findMany`,
      '',
      ...lines,
      'Ctrl-C stops the server and removes the database.\n',
    ].join('\n'),
  )
}

function data(value: unknown): unknown {
  return { data: value }
}

function post(url: string, body: unknown): string {
  return `curl -X POST '${url}' -H 'Content-Type: application/json' -d ${quoted(body)}`
}

function patch(url: string, body: unknown): string {
  return `curl -X PATCH '${url}' -H 'Content-Type: application/json' -d ${quoted(body)}`
}

function query(url: string, args: unknown): string {
  return `curl -G '${url}' --data-urlencode ${quoted(args, 'q=')}`
}

function quoted(value: unknown, prefix = ''): string {
  return `'${prefix}${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`
}
