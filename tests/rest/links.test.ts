import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type Answer, type RestClient, restClient } from './support/client.js'
import type { ResourceObject } from './support/documents.js'

describeDatabases('REST: links', (db) => {
  beforeAll(async () => {
    await db.fill(fillBlog)
  })

  /** Follows every link that can be reached from the collections, once; gives how many there were. */
  async function crawl(rest: RestClient, collections: readonly string[]): Promise<number> {
    const seen = new Set<string>()
    const queue: { link: string; check: (answer: Answer) => void }[] = []
    const add = (link: string | null | undefined, check: (answer: Answer) => void = () => {}) => {
      if (!link || seen.has(link)) return
      seen.add(link)
      queue.push({ link, check })
    }
    const addResource = ({ type, id, links, relationships }: ResourceObject) => {
      add(links?.self, (answer) => expect(answer.one).toMatchObject({ type, id }))
      for (const { data, links: own } of Object.values(relationships ?? {})) {
        add(own?.related, (answer) => {
          if (data === null) expect(answer.body.data).toBeNull()
          else if (data && !('length' in data)) expect(answer.one).toMatchObject(data)
        })
        add(own?.self, (answer) => {
          if (data !== undefined) expect(answer.body.data).toEqual(data)
        })
      }
    }
    const addAll = ({ body }: Answer) => {
      for (const link of Object.values(body.links ?? {})) add(link)
      for (const resource of [body.data ?? [], body.included ?? []].flat()) addResource(resource)
    }
    for (const path of collections) addAll(await rest.get(path))
    for (let next = queue.shift(); next; next = queue.shift()) {
      const answer = await rest.follow(next.link)
      expect([next.link, answer.status]).toEqual([next.link, 200])
      next.check(answer)
      addAll(answer)
    }
    return seen.size
  }

  it('all lead to what they name, from every collection on', async () => {
    const rest = restClient(db, { pageSize: 2 })
    const collections = ['/user', '/profile', '/post', '/comment', '/category', '/tag']
    expect(await crawl(rest, collections)).toBeGreaterThan(100)
  })

  it('all lead to what they name, with names and ids of our choice', async () => {
    const rest = restClient(db, {
      modelNameMapping: { User: 'users', Post: 'posts', Category: 'shelves', Comment: 'comments', Tag: 'tags' },
      externalIdMapping: { User: 'email', Post: 'slug', Category: 'name' },
    })
    expect(await crawl(rest, ['/users', '/posts?include=category,comments,tags'])).toBeGreaterThan(50)
  })
})
