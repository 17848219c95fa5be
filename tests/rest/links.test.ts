import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type TestResponse, type RestClient, restClient } from './support/client.js'
import type { ResourceObject } from './support/documents.js'

describeDatabases('REST: links', (db) => {
  beforeAll(async () => {
    await db.fill(fillBlog)
  })

  /** Follows every link that is reachable from the collections, once. Returns the number of links. */
  async function crawl(rest: RestClient, collections: readonly string[]): Promise<number> {
    const seen = new Set<string>()
    const queue: { link: string; check: (response: TestResponse) => void }[] = []
    const add = (link: string | null | undefined, check: (response: TestResponse) => void = () => {}) => {
      if (!link || seen.has(link)) return
      seen.add(link)
      queue.push({ link, check })
    }
    const addResource = ({ type, id, links, relationships }: ResourceObject) => {
      add(links?.self, (response) => expect(response.one).toMatchObject({ type, id }))
      for (const { data, links: relationshipLinks } of Object.values(relationships ?? {})) {
        add(relationshipLinks?.related, (response) => {
          if (data === null) expect(response.body.data).toBeNull()
          else if (data && !('length' in data)) expect(response.one).toMatchObject(data)
        })
        add(relationshipLinks?.self, (response) => {
          if (data !== undefined) expect(response.body.data).toEqual(data)
        })
      }
    }
    const addAll = ({ body }: TestResponse) => {
      for (const link of Object.values(body.links ?? {})) add(link)
      for (const resource of [body.data ?? [], body.included ?? []].flat()) addResource(resource)
    }
    for (const path of collections) addAll(await rest.get(path))
    for (let next = queue.shift(); next; next = queue.shift()) {
      const response = await rest.follow(next.link)
      expect([next.link, response.status]).toEqual([next.link, 200])
      next.check(response)
      addAll(response)
    }
    return seen.size
  }

  it('resolves every link that a client can reach from the collections', async () => {
    const rest = restClient(db, { pageSize: 2 })
    const collections = ['/user', '/profile', '/post', '/comment', '/category', '/tag']
    expect(await crawl(rest, collections)).toBeGreaterThan(100)
  })

  it('resolves every link with mapped names and ids', async () => {
    const rest = restClient(db, {
      modelNameMapping: { User: 'users', Post: 'posts', Category: 'shelves', Comment: 'comments', Tag: 'tags' },
      externalIdMapping: { User: 'email', Post: 'slug', Category: 'name' },
    })
    expect(await crawl(rest, ['/users', '/posts?include=category,comments,tags'])).toBeGreaterThan(50)
  })
})
