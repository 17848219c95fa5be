import fc from 'fast-check'

type Call = readonly [delegate: string, operation: string, args: unknown]

const page = { take: 10, orderBy: { id: 'desc' } }

/** The queries of a blog's pages: lists, details and aggregates. */
export const everydayReads: readonly Call[] = [
  [
    'post',
    'findMany',
    { ...page, where: { status: 'PUBLISHED' }, include: { author: true, _count: { select: { comments: true } } } },
  ],
  ['post', 'findMany', { ...page, where: { status: 'DRAFT' } }],
  ['post', 'findMany', { take: 5, orderBy: { viewCount: 'desc' }, select: { id: true, title: true, viewCount: true } }],
  [
    'post',
    'findMany',
    { where: { tags: { some: { name: 'prisma' } } }, select: { id: true, title: true }, orderBy: { id: 'asc' } },
  ],
  ['post', 'findMany', { where: { authorId: 2 }, orderBy: { id: 'asc' }, include: { category: true } }],
  ...[1, 2, 3].map((id): Call => [
    'post',
    'findUnique',
    {
      where: { id },
      include: {
        author: true,
        category: true,
        tags: true,
        comments: { orderBy: { seq: 'asc' }, include: { author: { select: { id: true, name: true } } } },
      },
    },
  ]),
  ['post', 'count', {}],
  ['post', 'count', { where: { status: 'PUBLISHED' } }],
  ['post', 'exists', { where: { status: 'ARCHIVED' } }],
  ['user', 'exists', { where: { posts: { none: {} } } }],
  ['post', 'groupBy', { by: ['status'], _count: true, orderBy: { status: 'asc' } }],
  ['user', 'findMany', { orderBy: { id: 'asc' }, select: { id: true, name: true, email: true } }],
  [
    'user',
    'findUnique',
    {
      where: { id: 1 },
      include: { profile: true, posts: { orderBy: { id: 'asc' }, select: { id: true, title: true, status: true } } },
    },
  ],
  ['user', 'findUnique', { where: { id: 2 }, include: { _count: true } }],
  [
    'comment',
    'findMany',
    { take: 5, orderBy: { createdAt: 'desc' }, include: { post: { select: { id: true, title: true } } } },
  ],
  ['comment', 'findMany', { where: { postId: 1 }, orderBy: { seq: 'asc' } }],
  ['comment', 'count', { where: { authorId: 1 } }],
  [
    'category',
    'findMany',
    {
      where: { parentId: null },
      orderBy: { name: 'asc' },
      include: { children: { orderBy: { name: 'asc' } }, _count: { select: { posts: true } } },
    },
  ],
  ['tag', 'findMany', { orderBy: { name: 'asc' }, include: { _count: true } }],
]

const id = fc.integer({ min: 1, max: 6 })
const text = fc.string({ minLength: 1, maxLength: 12 })
const slug = fc.stringMatching(/^[a-z]{6,12}$/)
const status = fc.constantFrom('DRAFT', 'PUBLISHED', 'ARCHIVED')

function calls(delegate: string, operation: string, args: fc.Arbitrary<unknown>): fc.Arbitrary<Call> {
  return args.map((input) => [delegate, operation, input])
}

/** The mutations of a blog's users. */
export const everydayWrites: fc.Arbitrary<Call> = fc.oneof(
  calls('post', 'update', fc.record({ where: fc.record({ id }), data: fc.record({ title: text, content: text }) })),
  calls('post', 'update', fc.record({ where: fc.record({ id }), data: fc.record({ status }) })),
  calls('post', 'update', fc.record({ where: fc.record({ id }), data: fc.record({ viewCount: fc.nat(5000) }) })),
  calls(
    'post',
    'update',
    fc
      .tuple(id, fc.integer({ min: 1, max: 3 }))
      .map(([id, author]) => ({ where: { id }, data: { author: { connect: { id: author } } } })),
  ),
  calls(
    'post',
    'update',
    id.map((id) => ({ where: { id }, data: { tags: { set: [{ name: 'prisma' }] } } })),
  ),
  calls(
    'post',
    'create',
    fc
      .tuple(slug, text, status, fc.integer({ min: 1, max: 3 }))
      .map(([slug, title, status, authorId]) => ({ data: { slug, title, status, authorId } })),
  ),
  calls('post', 'delete', fc.record({ where: fc.record({ id }) })),
  calls(
    'comment',
    'create',
    fc.tuple(id, text).map(([postId, body]) => ({ data: { postId, seq: 99, body, authorId: 1 } })),
  ),
  calls(
    'post',
    'update',
    fc.tuple(id, text).map(([id, body]) => ({ where: { id }, data: { comments: { create: { seq: 98, body } } } })),
  ),
  calls(
    'comment',
    'update',
    fc.tuple(id, text).map(([postId, body]) => ({ where: { postId_seq: { postId, seq: 1 } }, data: { body } })),
  ),
  calls(
    'comment',
    'delete',
    id.map((postId) => ({ where: { postId_seq: { postId, seq: 1 } } })),
  ),
  calls(
    'user',
    'update',
    fc.record({ where: fc.record({ id: fc.integer({ min: 1, max: 3 }) }), data: fc.record({ name: text }) }),
  ),
  calls(
    'user',
    'update',
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), text)
      .map(([id, bio]) => ({ where: { id }, data: { profile: { update: { bio } } } })),
  ),
  calls(
    'category',
    'update',
    fc.record({ where: fc.record({ id: fc.integer({ min: 1, max: 3 }) }), data: fc.record({ name: slug }) }),
  ),
  calls('tag', 'create', fc.record({ data: fc.record({ name: slug }) })),
)
