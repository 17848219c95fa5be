import { AbilityBuilder, type Ability } from '@casl/ability'
import { createPrismaAbility } from '@casl/prisma/runtime'
import { beforeAll, expect, it } from 'vitest'

import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { profileResource } from '../../fixtures/blog/expected/profile/resource.js'
import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import { createPolicies } from '../../runtime/policy/index.js'
import { describeDatabases } from '../support/databases.js'

const VISIBLE = { settings: { equals: { visible: true } } }

describeDatabases('policy: rule on a nullable Json field', (db) => {
  beforeAll(async () => {
    await db.reset()
    const profiles = [
      { settings: { visible: true }, bio: 'x' },
      { settings: { visible: false }, bio: 'x' },
      { bio: 'x' },
      undefined,
    ]
    for (const [index, profile] of profiles.entries()) {
      const create = profile && { create: profile }
      const posts = { create: { slug: `p${index}`, title: 't' } }
      await db.orm.user.create({
        data: { email: `${index}`, password: 'p', posts, ...(create && { profile: create }) },
      })
    }
  })
  const users = async (where: object) => {
    const { can, build } = new AbilityBuilder<Ability<[string, string], object>>(createPrismaAbility)
    can('read', ['User', 'Post'])
    can('read', 'Profile', VISIBLE)
    const orm = db.orm.$extends(createPolicies([userResource, profileResource, postResource])(build()))
    return (await orm.user.findMany({ where, orderBy: { id: 'asc' } })).map(({ id }) => id)
  }

  it.each([
    [{ profile: { bio: 'x' } }, [1]],
    [{ profile: { isNot: null } }, [1]],
    [{ NOT: { profile: { isNot: { bio: 'x' } } } }, [1]],
    [{ NOT: { NOT: { profile: { is: { bio: 'x' } } } } }, [1]],
    [{ NOT: { profile: null } }, [1]],
    [{ posts: { some: { author: { profile: { bio: 'x' } } } } }, [1]],
    // A condition that is unknown inside a subquery does not match, so these have no readable match.
    [{ posts: { none: { author: { profile: { bio: 'x' } } } } }, [2, 3, 4]],
    [{ posts: { every: { NOT: { author: { profile: { bio: 'x' } } } } } }, [2, 3, 4]],
    [{ NOT: { posts: { some: { author: { profile: { bio: 'x' } } } } } }, [2, 3, 4]],
  ])('%j: finds only readable rows', async (where, found) => {
    expect(await users(where)).toEqual(found)
  })

  it.each([
    { NOT: { profile: { bio: 'x' } } },
    { NOT: { profile: { isNot: null } } },
    { profile: { isNot: { bio: 'x' } } },
    { profile: null },
    { posts: { every: { author: { profile: { bio: 'x' } } } } },
    { posts: { some: { NOT: { author: { profile: { bio: 'x' } } } } } },
    // Under `isNot`, a join preserves "unknown", and a subquery does not.
    { posts: { some: { author: { isNot: { profile: { bio: 'x' } } } } } },
    { posts: { some: { author: { isNot: { NOT: { profile: { bio: 'x' } } } } } } },
  ])('%j: throws on a negated filter through the relation', async (where) => {
    await expect(users(where)).rejects.toThrow('"profile" cannot be used in a negated filter')
  })
})
