import { Prisma } from '../../../fixtures/blog/client/client.js'
import type { Database } from '../../support/databases.js'

/** Exposed computed fields of the blog, of each kind of value. */
export const EXPOSED_FIELDS = {
  post: {
    excerpt: { needs: { title: true }, compute: ({ title }: { title: string }) => title.slice(0, 2) },
    subtitle: {
      needs: { content: true },
      compute: ({ content }: { content: string | null }) => (content === null ? undefined : content.slice(0, 6)),
    },
    day: {
      needs: { updatedAt: true },
      compute: ({ updatedAt }: { updatedAt: Date }) => new Date(updatedAt.toISOString().slice(0, 10)),
    },
    size: { needs: { title: true }, compute: ({ title }: { title: string }) => BigInt(title.length) },
    fee: { needs: { viewCount: true }, compute: ({ viewCount }: { viewCount: number }) => tenth(viewCount) },
    digest: { needs: { title: true }, compute: ({ title }: { title: string }) => Buffer.from(title) },
    home: { needs: { slug: true }, compute: ({ slug }: { slug: string }) => new URL(slug, 'https://example.org') },
    details: {
      needs: { title: true, viewCount: true, publishedAt: true },
      compute: ({ title, viewCount, publishedAt }: Fact) => ({
        title,
        since: publishedAt,
        fees: [tenth(viewCount)],
        pair: [BigInt(viewCount), title] as const,
        none: undefined,
        describe: () => title,
      }),
    },
  },
  user: {
    loud: { needs: { name: true }, compute: ({ name }: { name: string | null }) => name?.toUpperCase() ?? null },
  },
} as const

interface Fact {
  title: string
  viewCount: number
  publishedAt: Date | null
}

function tenth(count: number): Prisma.Decimal {
  return new Prisma.Decimal(count).dividedBy(10)
}

/** Creates a client with these computed fields and some that are not exposed. */
export function computing({ orm }: Pick<Database, 'orm'>) {
  return orm.$extends({ result: EXPOSED_FIELDS }).$extends({
    result: {
      user: { hint: { needs: { password: true }, compute: ({ password }) => password.slice(0, 2) } },
      post: { quiet: { needs: { title: true }, compute: () => 'This is never shown.' } },
    },
  })
}

/** Exposes the public computed fields. */
export function exposeComputed(db: Pick<Database, 'orm' | 'routes'>) {
  return db.routes.exposeComputed(computing(db), {
    Post: ['excerpt', 'subtitle', 'day', 'size', 'fee', 'digest', 'home', 'details'],
    User: ['loud'],
  })
}

/** The type as an app exports it: `typeof computed`. */
export type Computed = ReturnType<typeof exposeComputed>
