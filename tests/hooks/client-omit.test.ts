import { afterAll, beforeAll, expect, it } from 'vitest'

import { Prisma, PrismaClient } from '../../fixtures/workspace/client/client.js'
import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/workspace/expected/index.js'
import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import type { OpenDatabase } from '../support/engines/engine.js'
import { sqlite } from '../support/engines/sqlite.js'
import { fillWorkspace } from './support/workspace.js'

let database: OpenDatabase
beforeAll(async () => {
  database = await sqlite.open(preparedFixture('workspace', 'sqlite').tables)
  await fillWorkspace({ orm: database.client(PrismaClient, {}) as never })
})
afterAll(() => database.close())

const hooks = defineHooks({ Document: { update: { before: ({ data }) => data } }, Comment: { create: { after() {} } } })

it.each([
  ['hooks', { hooks }, false],
  ['a rule with a condition', {}, true],
  ['both', { hooks }, true],
] as const)(
  "%s: returns computed fields that need a field of the client's omit after writes",
  async (_what, options, hasRule) => {
    const computing = database
      .client(PrismaClient, { omit: { document: { title: true }, person: { email: true } } })
      .$extends({
        result: {
          document: { headline: { needs: { title: true }, compute: ({ title }) => title.toUpperCase() } },
          person: { loud: { needs: { email: true }, compute: ({ email }) => email.toUpperCase() } },
        },
      })
    const { can, build } = abilityBuilder()
    can('manage', hasRule ? ['Comment', 'Person', 'Team'] : 'all')
    if (hasRule) can('manage', 'Document', { teamId: 1 })
    const orm = hasRule ? computing.$extends(withPolicies(build())) : computing
    const handlerOptions = { computed: { Document: ['headline'], Person: ['loud'] }, ...options }
    const rpc = fixtureRpc({ orm, client: { Prisma }, routes: { RPCApiHandler } }, handlerOptions as object)
    const update = { where: { id: 1 }, data: { state: 'open' } }
    const written = await rpc.result('document', 'update', { ...update, include: { owner: true } })
    expect(written).toMatchObject({ headline: 'ONE', owner: { loud: 'ANN@RED' } })
    expect(JSON.stringify(written)).not.toMatch(/"(title|email)":/)
    expect(await rpc.result('document', 'update', { ...update, omit: { headline: true } })).not.toHaveProperty(
      'headline',
    )
    const omitted = await rpc.result('document', 'update', { ...update, omit: { title: true } })
    expect(omitted).toMatchObject({ headline: 'ONE' })
    expect(omitted).not.toHaveProperty('title')
    const create = {
      data: { text: 'x', documentId: 1, authorId: 1 },
      include: { document: { include: { owner: true } } },
    }
    expect(await rpc.result('comment', 'create', create)).toMatchObject({
      document: { headline: 'ONE', owner: { loud: 'ANN@RED' } },
    })

    const rest = fixtureClient({ orm, routes: { RestApiHandler } }, handlerOptions as object)
    const { one } = await rest.patch('/document/1', {
      data: { type: 'document', id: '1', attributes: { state: 'open' } },
    })
    expect(one.attributes).toMatchObject({ headline: 'ONE' })
    expect(one.attributes).not.toHaveProperty('title')
  },
)
