import { describe, expectTypeOf, it } from 'vitest'

import {
  createRestClient,
  type Links,
  type RestClient,
  type RestCollection,
  type RestCreateData,
  type RestFilter,
  type RestList,
  type RestResource,
} from '../../../client/index.js'
import { annotationsClient, type Blog, blogClient, kitchenSinkClient, URL } from './apis.js'

const rest = blogClient()
const sink = kitchenSinkClient()
const annotated = annotationsClient()

/** Returns the type of a call's result. The call never runs. */
const expectResult = <T>(_call: () => Promise<T>) => expectTypeOf<T>()
/** Returns the element type of a call's list. The call never runs. */
const each = <T>(_call: () => Promise<readonly T[]>) => expectTypeOf<T>()

type Status = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
type Role = 'READER' | 'AUTHOR' | 'EDITOR'

describe('REST client: resource types', () => {
  const post = each(() => rest.post.list())
  const full = each(() => rest.post.list({ include: ['author', 'comments.author', 'tags', 'category.parent'] }))
  const sparse = each(() =>
    rest.post.list({ include: ['author'], fields: { post: ['title', 'author'], user: ['name'] } }),
  )

  it('types attributes as the Prisma client does', () => {
    post.toHaveProperty('id').toEqualTypeOf<string>()
    post.toHaveProperty('title').toEqualTypeOf<string>()
    post.toHaveProperty('content').toEqualTypeOf<string | null>()
    post.toHaveProperty('status').toEqualTypeOf<Status>()
    post.toHaveProperty('viewCount').toEqualTypeOf<number>()
    post.toHaveProperty('publishedAt').toEqualTypeOf<Date | null>()
    post.toHaveProperty('updatedAt').toEqualTypeOf<Date>()
    post.toHaveProperty('authorId').toEqualTypeOf<number | null>()
    const category = expectResult(() => rest.category.get(1))
    category.toHaveProperty('readers').toEqualTypeOf<bigint>()
    category.toHaveProperty('adPrice').toEqualTypeOf<string | null>()
    expectResult(() => rest.profile.get(1))
      .toHaveProperty('avatar')
      .toEqualTypeOf<Uint8Array<ArrayBuffer> | null>()
    const scalars = expectResult(() => sink.scalars.get(1n))
    scalars.toHaveProperty('bigs').toEqualTypeOf<bigint[]>()
    scalars.toHaveProperty('ats').toEqualTypeOf<Date[]>()
    scalars.toHaveProperty('decimals').toEqualTypeOf<string[]>()
    scalars.toHaveProperty('colors').toEqualTypeOf<('RED' | 'GREEN' | 'BLUE')[]>()
    scalars.toHaveProperty('flagOpt').toEqualTypeOf<boolean | null>()
    scalars.toHaveProperty('floats').toEqualTypeOf<number[]>()
  })

  it('types Decimals as the return type of the decimal option', () => {
    const client = createRestClient<Blog, number>({ url: URL, decimal: Number })
    expectResult(() => client.category.get(1))
      .toHaveProperty('adPrice')
      .toEqualTypeOf<number | null>()
  })

  it('types $type, including mapped names, and $links of a resource', () => {
    post.toHaveProperty('$type').toEqualTypeOf<'post'>()
    post.toHaveProperty('$links').toEqualTypeOf<Links>()
    expectResult(() => rest.user.get(1))
      .toHaveProperty('$type')
      .toEqualTypeOf<'user'>()
    expectResult(() => sink.compoundKey.get('a'))
      .toHaveProperty('$type')
      .toEqualTypeOf<'compoundkey'>()
    const mapped = createRestClient<Blog, string, { Post: 'posts'; User: 'people' }>({
      url: URL,
      modelNameMapping: { Post: 'posts', User: 'people' },
    })
    expectTypeOf<keyof typeof mapped & string>().toEqualTypeOf<'post' | 'user' | '$operations'>()
    expectResult(() => mapped.post.get(1))
      .toHaveProperty('$type')
      .toEqualTypeOf<'posts'>()
    expectResult(() => mapped.post.get(1, { include: ['author'] }))
      .toHaveProperty('author')
      .exclude<null>()
      .toHaveProperty('$type')
      .toEqualTypeOf<'people'>()
  })

  it('omits hidden and write-only fields, and server-set fields from inputs', () => {
    expectTypeOf<keyof typeof annotated & string>().toEqualTypeOf<
      | 'account'
      | 'bed'
      | 'desk'
      | 'feedback'
      | 'invoice'
      | 'secret'
      | 'ticket'
      | 'upload'
      | 'visit'
      | 'ward'
      | '$operations'
    >()
    const account = expectResult(() => annotated.account.get('a'))
    account.not.toHaveProperty('password')
    account.not.toHaveProperty('notes')
    account.not.toHaveProperty('sessions')
    account.toHaveProperty('email').toEqualTypeOf<string>()
    expectResult(() => rest.user.get(1)).not.toHaveProperty('password')
    expectResult(() => annotated.secret.get('k')).not.toHaveProperty('accountId')
    expectResult(() => annotated.visit.create({ reason: 'a' }))
      .toHaveProperty('clinicId')
      .toEqualTypeOf<number>()
    // @ts-expect-error The server sets it.
    void (() => annotated.visit.create({ reason: 'a', clinicId: 1 }))
  })

  it('types a to-one relation without include as an identifier and omits to-many', () => {
    post.toHaveProperty('author').toEqualTypeOf<{ readonly id: string; readonly $type: 'user' } | null>()
    expectResult(() => rest.comment.get('1_1'))
      .toHaveProperty('post')
      .toEqualTypeOf<{
        readonly id: string
        readonly $type: 'post'
      }>()
    post.not.toHaveProperty('comments')
    post.not.toHaveProperty('tags')
  })

  it('types an included relation as a resource, an array or null', () => {
    full.toHaveProperty('author').extract<null>().toEqualTypeOf<null>()
    full.toHaveProperty('author').exclude<null>().toHaveProperty('name').toEqualTypeOf<string | null>()
    full.toHaveProperty('author').exclude<null>().toHaveProperty('role').toEqualTypeOf<Role>()
    full.toHaveProperty('tags').items.toHaveProperty('name').toEqualTypeOf<string>()
    full.toHaveProperty('comments').items.toHaveProperty('body').toEqualTypeOf<string>()
    full
      .toHaveProperty('comments')
      .items.toHaveProperty('author')
      .exclude<null>()
      .toHaveProperty('email')
      .toEqualTypeOf<string>()
    full
      .toHaveProperty('category')
      .exclude<null>()
      .toHaveProperty('parent')
      .exclude<null>()
      .toHaveProperty('readers')
      .toEqualTypeOf<bigint>()
    // The `post` of a comment is not included.
    full.toHaveProperty('comments').items.toHaveProperty('post').not.toHaveProperty('title')
    const required = expectResult(() => rest.comment.get('1_1', { include: ['post'] }))
    required.toHaveProperty('post').extract<null>().toEqualTypeOf<never>()
    required.toHaveProperty('post').toHaveProperty('title').toEqualTypeOf<string>()
    const selves = expectResult(() => rest.category.get(1, { include: ['parent.parent.parent.parent.children'] }))
    selves
      .toHaveProperty('parent')
      .exclude<null>()
      .toHaveProperty('parent')
      .exclude<null>()
      .toHaveProperty('name')
      .toEqualTypeOf<string>()
  })

  it('types cyclic include paths', () => {
    const circle = expectResult(() => rest.user.get(1, { include: ['posts.author.posts'] }))
    circle
      .toHaveProperty('posts')
      .items.toHaveProperty('author')
      .exclude<null>()
      .toHaveProperty('posts')
      .items.toHaveProperty('title')
      .toEqualTypeOf<string>()
  })

  it('omits fields outside the fieldset, also in included resources', () => {
    sparse.toHaveProperty('title').toEqualTypeOf<string>()
    sparse.toHaveProperty('id').toEqualTypeOf<string>()
    sparse.not.toHaveProperty('content')
    sparse.not.toHaveProperty('category')
    sparse.toHaveProperty('author').exclude<null>().toHaveProperty('name').toEqualTypeOf<string | null>()
    sparse.toHaveProperty('author').exclude<null>().not.toHaveProperty('email')
    const none = each(() => rest.post.list({ fields: { post: [] } }))
    none.not.toHaveProperty('title')
    none.toHaveProperty('$type').toEqualTypeOf<'post'>()
    // The relation is included, but the fieldset omits it.
    each(() => rest.post.list({ include: ['author'], fields: { post: ['title'] } })).not.toHaveProperty('author')
    each(() => rest.post.list({ fields: { user: ['name'] } }))
      .toHaveProperty('content')
      .toEqualTypeOf<string | null>()
  })

  it('types the results of related, relationship, page and write methods', () => {
    each(() => rest.post.related(1, 'comments'))
      .toHaveProperty('body')
      .toEqualTypeOf<string>()
    each(() => rest.post.related(1, 'comments', { include: ['author'], fields: { user: ['role'] } }))
      .toHaveProperty('author')
      .exclude<null>()
      .toHaveProperty('role')
      .toEqualTypeOf<Role>()
    expectResult(() => rest.post.related(1, 'author'))
      .exclude<null>()
      .toHaveProperty('email')
      .toEqualTypeOf<string>()
    expectResult(() => rest.comment.related('1_1', 'post'))
      .toHaveProperty('title')
      .toEqualTypeOf<string>()
    each(() => rest.post.relationship(1, 'tags').get()).toEqualTypeOf<{ readonly id: string; readonly $type: 'tag' }>()
    expectResult(() => rest.post.relationship(1, 'author').get()).toEqualTypeOf<{
      readonly id: string
      readonly $type: 'user'
    } | null>()
    each(() => rest.post.relationship(1, 'comments').get({ include: ['comments.author'], fields: { user: ['role'] } }))
      .toHaveProperty('author')
      .exclude<null>()
      .toHaveProperty('role')
      .toEqualTypeOf<Role>()
    expectResult(() => rest.post.relationship(1, 'author').get({ include: ['author'] }))
      .exclude<null>()
      .toHaveProperty('email')
      .toEqualTypeOf<string>()
    expectTypeOf(rest.post.each({ include: ['author'] }))
      .toHaveProperty('next')
      .returns.resolves.toHaveProperty('value')
    expectResult(() => rest.post.list())
      .toHaveProperty('total')
      .toEqualTypeOf<number | undefined>()
    expectResult(async () => (await rest.post.list({ include: ['tags'] })).next())
      .exclude<null>()
      .toExtend<RestList<{ readonly tags: readonly { readonly name: string }[] }>>()
    expectResult(() => rest.post.create({ slug: 'a', title: 'A' }, { include: ['tags'] }))
      .toHaveProperty('tags')
      .items.toHaveProperty('name')
      .toEqualTypeOf<string>()
    expectResult(() => rest.post.update(1, { title: 'A' }, { fields: { post: ['title'] } })).not.toHaveProperty('slug')
    expectResult(() => rest.post.upsert({ slug: 'a', title: 'A' }, { match: 'slug' }))
      .toHaveProperty('$created')
      .toEqualTypeOf<boolean>()
    expectResult(() => rest.post.delete(1)).toEqualTypeOf<void>()
  })

  it('exports named types that match results and inputs', () => {
    const included = expectResult(() => rest.post.get(1, { include: ['author', 'comments.author'] }))
    included.toExtend<RestResource<Blog, 'Post', 'author' | 'comments.author'>>()
    each(() => rest.post.list({ fields: { post: ['title'] } })).toExtend<
      RestResource<Blog, 'Post', never, { post: ['title'] }>
    >()
    expectTypeOf(rest).toExtend<RestClient<Blog>>()
    expectTypeOf(rest.post).toExtend<RestCollection<Blog, 'Post'>>()
    expectTypeOf<{ slug: string; title: string; tags: string[] }>().toExtend<RestCreateData<Blog, 'Post'>>()
    expectTypeOf<{ title: string }>().not.toExtend<RestCreateData<Blog, 'Post'>>()
    expectTypeOf<{ status: 'DRAFT' }>().toExtend<RestFilter<Blog, 'Post'>>()
  })

  it('offers only the methods that the schema allows', () => {
    expectTypeOf<keyof typeof sink.personStats>().toEqualTypeOf<
      'list' | 'pages' | 'each' | 'get' | 'related' | 'relationship'
    >()
    expectTypeOf<keyof typeof annotated.feedback>().toEqualTypeOf<'create'>()
    expectTypeOf(annotated.account).not.toHaveProperty('create')
    expectTypeOf(annotated.account).not.toHaveProperty('upsert')
    expectTypeOf(annotated.account).toHaveProperty('update')
    expectTypeOf(annotated.account).not.toHaveProperty('delete')
    expectTypeOf(rest.post.relationship(1, 'tags')).toHaveProperty('remove')
    // A comment must have a post.
    expectTypeOf(rest.post.relationship(1, 'comments')).not.toHaveProperty('remove')
    expectTypeOf(rest.post.relationship(1, 'comments')).toHaveProperty('add')
    expectTypeOf(rest.post.relationship(1, 'author')).not.toHaveProperty('add')
    expectTypeOf(annotated.account.relationship('a', 'invoices')).not.toHaveProperty('replace')
  })
})
