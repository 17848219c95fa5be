import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillWorkspace } from './support/workspace.js'

/** A mask, a condition on all reads, and hooks around writes. */
const HOOKS: AppHooks = {
  Person: { mask: { email: ({ value }) => value.replace(/^.*@/, 'x@') } },
  Document: {
    where: () => ({ deletedAt: null }),
    create: { before: ({ data }) => ({ ...data, slug: data.title?.toLowerCase() }) },
    update: { before: ({ data }) => data },
    delete: { replaceWith: () => ({ deletedAt: new Date(0) }) },
  },
}

describeDatabases(
  'hooks: computed fields of client extensions',
  (db) => {
    beforeEach(async () => void (await db.fill(fillWorkspace)))

    const computing = () =>
      db.orm.$extends({
        result: {
          person: { loud: { needs: { email: true }, compute: ({ email }) => email.toUpperCase() } },
          document: {
            headline: { needs: { title: true, state: true }, compute: ({ title, state }) => `${title} (${state})` },
            unnamed: { needs: { slug: true }, compute: ({ slug }) => slug },
          },
        },
      })
    const policed = () => {
      const { can, cannot, build } = abilityBuilder()
      can('manage', 'all')
      cannot('read', 'Document', ['state'], { id: 2 })
      return computing().$extends(withPolicies(build()))
    }
    const options = { computed: { Person: ['loud'], Document: ['headline'] }, hooks: defineHooks(HOOKS) }

    it.each(['without policies', 'with policies'])(
      'RPC %s: returns computed fields of written and masked rows',
      async (what) => {
        const { result } = fixtureRpc(db, options as object, what === 'with policies' ? policed() : computing())
        const headline = { select: { headline: true } }
        const create = { data: { title: 'New', teamId: 1 }, ...headline }
        expect(await result('document', 'create', create)).toEqual({ headline: 'New (open)' })
        const update = { where: { id: 1 }, data: { title: 'I' } }
        expect(await result('document', 'update', { ...update, ...headline })).toEqual({ headline: 'I (open)' })
        expect(await result('document', 'update', update)).toMatchObject({ title: 'I', headline: 'I (open)' })
        expect(await result('document', 'update', update)).not.toHaveProperty('unnamed')
        const remove = { where: { id: 1 }, ...headline }
        expect(await result('document', 'delete', remove)).toEqual({ headline: 'I (open)' })
        const all = await result('document', 'findMany', { ...headline, orderBy: { id: 'asc' } })
        const second = what === 'with policies' ? {} : { headline: 'Two (open)' }
        expect(all).toEqual([second, { headline: 'Three (open)' }, { headline: 'New (open)' }])
        const owner = { select: { owner: { select: { loud: true } } } }
        expect(await result('document', 'findUnique', { where: { id: 2 }, ...owner })).toEqual({
          owner: { loud: 'X@RED' },
        })
      },
    )

    it.each(['without policies', 'with policies'])(
      'REST %s: returns computed fields of written and masked rows',
      async (what) => {
        const orm = what === 'with policies' ? policed() : computing()
        const rest = fixtureClient({ orm, routes: db.routes }, options)
        const { many } = await rest.get('/document?fields[document]=headline&sort=id')
        const second = what === 'with policies' ? undefined : { headline: 'Two (open)' }
        expect(many.map(({ attributes }) => attributes)).toEqual([
          { headline: 'One (open)' },
          second ?? expect.not.objectContaining({ headline: expect.anything() }),
          { headline: 'Three (open)' },
        ])
        const { one } = await rest.patch('/document/1', {
          data: { type: 'document', id: '1', attributes: { title: 'I' } },
        })
        expect(one.attributes).toMatchObject({ title: 'I', headline: 'I (open)' })
        expect((await rest.get('/person/1')).one.attributes).toMatchObject({ email: 'x@red', loud: 'X@RED' })
        expect((await rest.get('/document/1?include=owner&fields[person]=loud')).body.included).toMatchObject([
          { attributes: { loud: 'X@RED' } },
        ])
      },
    )
  },
  { fixture: 'workspace' },
)
