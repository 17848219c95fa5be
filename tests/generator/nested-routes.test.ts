import { expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const HEAD = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  nestedRoutes = "true"')

/** The methods of each path of relations, as the list of routes at the top of a file has them. */
async function routesOf(schema: string, file = 'user/rest.ts'): Promise<Record<string, string>> {
  const { byPath } = await generateFrom(schema)
  const rows = [...(byPath.get(file) ?? '').matchAll(/^\/\/ {3}([A-Z, ]+?) {2,}(\/:id\/\S+)$/gm)]
  return Object.fromEntries(rows.map(([, methods = '', path = '']) => [path, methods]))
}

const schema = (posts: string, author: string, model = '') => `${HEAD}
model User {
  id Int @id
  ${posts}
}
${model}
model Post {
  id Int @id
  ${author}
  authorId Int
}
`
const POSTS = 'posts Post[]'
const AUTHOR = 'author User @relation(fields: [authorId], references: [id])'

it('nested routes are written where both ends and the operations allow them', async () => {
  expect(await routesOf(schema(POSTS, AUTHOR))).toMatchObject({
    '/:id/posts': 'GET, POST',
    '/:id/posts/:relatedId': 'GET, PATCH, PUT, DELETE',
  })
  expect(await routesOf(schema(POSTS, AUTHOR), 'post/rest.ts')).toMatchObject({ '/:id/author': 'GET, PATCH, PUT' })
})

it.each([
  ['owner is read-only', POSTS, `/// @api.readOnly\n  ${AUTHOR}`],
  ['owner is hidden', POSTS, `/// @api.hidden\n  ${AUTHOR}`],
])('nobody is made a member by a URL where the %s', async (_what, posts, author) => {
  expect(await routesOf(schema(posts, author))).toMatchObject({
    '/:id/posts': 'GET',
    '/:id/posts/:relatedId': 'GET, PATCH, PUT, DELETE',
  })
})

it('a hidden relation has none', async () => {
  expect(await routesOf(schema(`/// @api.hidden\n  ${POSTS}`, AUTHOR))).toEqual({})
})

it('a model has what its operations offer', async () => {
  const limited = '/// @api.operations(list, get, create)'
  expect(await routesOf(schema(POSTS, AUTHOR, limited))).toMatchObject({
    '/:id/posts': 'GET, POST',
    '/:id/posts/:relatedId': 'GET',
  })
})

it('a relation that is called as the path of linkage has none', async () => {
  const routes = await routesOf(schema('relationships Post[]', AUTHOR))
  expect(Object.keys(routes)).toEqual(['/:id/relationships', '/:id/relationships/relationships'])
  expect(routes['/:id/relationships']).toBe('GET')
})
