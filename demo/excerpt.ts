import type { PrismaClient } from '../fixtures/blog/client/client.js'

/** The blog's client with a computed field: what a list shows of a post. */
export function withExcerpt(prisma: PrismaClient) {
  return prisma.$extends({
    result: {
      post: {
        excerpt: {
          needs: { content: true },
          compute: ({ content }) => content?.slice(0, 40),
        },
      },
    },
  })
}
