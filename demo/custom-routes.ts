import { implementRoutes } from '../fixtures/blog/expected/custom-routes.js'
import { declarations } from './declarations.js'

/** The custom routes of the demo. */
export const routes = implementRoutes(
  declarations,
  {
    post: {
      async publish({ orm, where, fail }) {
        const { id, status } = await orm.post.findUniqueOrThrow({ where })
        if (status === 'PUBLISHED') throw fail('already-published', 'The post is already published.')
        return orm.post.update({ where: { id, status }, data: { status: 'PUBLISHED', publishedAt: new Date() } })
      },
    },
  },
  {
    rest(app, api) {
      // This response is not JSON, so the route is written by hand.
      app.get('/sitemap.txt', async (c) => {
        const orm = await api.orm(c)
        const posts = await orm.post.findMany({ where: { status: 'PUBLISHED' }, orderBy: { id: 'asc' }, take: 50_000 })
        return c.text(posts.map(({ slug }) => `https://blog.example.com/posts/${slug}\n`).join(''))
      })
    },
  },
)
