import { createPrismaAbility, type PrismaQueryOf } from '@casl/prisma/runtime'

import type { Prisma } from '../../fixtures/bench/client/client.js'
import { commentResource } from '../../fixtures/bench/expected/comment/resource.js'
import { postResource } from '../../fixtures/bench/expected/post/resource.js'
import { readingResource } from '../../fixtures/bench/expected/reading/resource.js'
import { stockResource } from '../../fixtures/bench/expected/stock/resource.js'
import { userResource } from '../../fixtures/bench/expected/user/resource.js'
import { createPolicies } from '../../runtime/policy/index.js'
import type { Orm } from './contender.js'

const enforce = createPolicies([commentResource, postResource, readingResource, stockResource, userResource])

/** Access rules for the benchmark's schema. */
export type Rules = Parameters<typeof createPrismaAbility<[string, string], PrismaQueryOf<Prisma.TypeMap>>>[0]

/** Creates an ability from rules, which can be used for many requests. */
export function createAbility(rules: Rules) {
  return createPrismaAbility<[string, string], PrismaQueryOf<Prisma.TypeMap>>(rules)
}

/** Returns a client that enforces an ability. */
export function withAbility(orm: Orm, ability: ReturnType<typeof createAbility>): Orm {
  return orm.$extends(enforce(ability)) as unknown as Orm
}
