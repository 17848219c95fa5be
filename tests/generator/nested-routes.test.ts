import { expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const HEAD = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  rest = ["nestedRoutes"]')

/** Returns the methods of each relationship path, from the route table at the top of a file. */
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

it('nested routes: emits routes if both ends and the operations allow them', async () => {
  expect(await routesOf(schema(POSTS, AUTHOR))).toMatchObject({
    '/:id/posts': 'GET, POST',
    '/:id/posts/:relatedId': 'GET, PATCH, PUT, DELETE',
  })
  expect(await routesOf(schema(POSTS, AUTHOR), 'post/rest.ts')).toMatchObject({ '/:id/author': 'GET, PATCH, PUT' })
})

it.each([
  ['read-only owner', POSTS, `/// @api.readOnly\n  ${AUTHOR}`],
  ['hidden owner', POSTS, `/// @api.hidden\n  ${AUTHOR}`],
])('nested routes, %s: emits no POST for members', async (_what, posts, author) => {
  expect(await routesOf(schema(posts, author))).toMatchObject({
    '/:id/posts': 'GET',
    '/:id/posts/:relatedId': 'GET, PATCH, PUT, DELETE',
  })
})

it('nested routes: omits routes of a hidden relation', async () => {
  expect(await routesOf(schema(`/// @api.hidden\n  ${POSTS}`, AUTHOR))).toEqual({})
})

it('nested routes: emits only the methods that the operations allow', async () => {
  const limited = '/// @api.operations(list, get, create)'
  expect(await routesOf(schema(POSTS, AUTHOR, limited))).toMatchObject({
    '/:id/posts': 'GET, POST',
    '/:id/posts/:relatedId': 'GET',
  })
})

it('nested routes: omits routes of a relation named relationships', async () => {
  const routes = await routesOf(schema('relationships Post[]', AUTHOR))
  expect(Object.keys(routes)).toEqual(['/:id/relationships', '/:id/relationships/relationships'])
  expect(routes['/:id/relationships']).toBe('GET')
})
