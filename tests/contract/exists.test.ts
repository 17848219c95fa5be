import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

/** Returns a filter that passes through a to-many relation `depth` times. */
function throughComments(depth: number): object {
  return { comments: { some: depth > 1 ? { post: throughComments(depth - 1) } : {} } }
}

describeContract('exists', ({ rule, rpc }) => {
  for (const [model, args, expected] of [
    ['user', {}, true],
    ['user', { where: { name: 'Ann' } }, true],
    ['user', { where: { name: 'Nobody' } }, false],
    ['post', { where: { comments: { some: { author: { name: 'Ben' } } } } }, true],
    ['post', { where: { comments: { every: { seq: { gt: 9 } } }, NOT: { tags: { none: {} } } } }, true],
    ['comment', { where: { postId: 1, seq: 3 } }, true],
    ['category', { where: { adPrice: { gt: 10 } } }, true],
  ] as const) {
    rule('4.3', `exists ${model} ${JSON.stringify(args)}: returns whether a row matches`)
    for (const method of ['GET', 'POST']) rpc(`${method} ${model}.exists`, args, 200, expected)
  }
  rule('4.3', 'exists: returns whether there is a row without arguments')
  for (const method of ['GET', 'POST']) rpc(`${method} user.exists`, 200, true)
  rule('4.3', 'exists: runs one query that selects only the id', { queries: [/^(?!.*(content|slug)).*LIMIT/s] })
  rpc('post.exists', { where: { title: 'One' } }, 200, true)
  rule('4.3, 7.3', 'exists: rejects invalid arguments with 400')
  rpc('post.exists', { take: 1 }, 400, /take/)
  rpc('post.exists', { select: { id: true } }, 400, /select/)
  rpc('post.exists', { where: { titel: 'One' } }, 400, /titel/)
  rpc('post.exists', { where: { author: { password: 'secret-ann' } } }, 400, /password/)
  rpc('post.exists', { where: throughComments(4) }, 400, /many/)
})

describeContract(
  'exists under policies',
  ({ rule, rpc }) => {
    const where = { project: { organisation: { slug: 'alpha' } } }
    rule('4.3', 'exists: considers all rows without policies')
    rpc('document.exists', { where }, 200, true)
    rule('4.3', 'exists: considers only readable rows', {
      orm: ({ orm }: Database<'tenants'>) => orm.$extends(withPolicies(betaAbility())),
    })
    rpc('document.exists', { where }, 200, false)
    rpc('document.exists', {}, 200, true)
  },
  { fixture: 'tenants', fill: fillTenants },
)
