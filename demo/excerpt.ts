import type { PrismaClient } from '../fixtures/blog/client/client.js'

/** Adds a computed field to the blog's client: an excerpt for lists of posts. */
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
