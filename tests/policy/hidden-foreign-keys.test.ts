import { beforeEach, expect, it } from 'vitest'

import { documentResource } from '../../fixtures/tenants/expected/document/resource.js'
import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { secretResource } from '../../fixtures/tenants/expected/secret/resource.js'
import { createPolicies } from '../../runtime/policy/index.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: writes with an unreadable foreign key',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    const policed = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
      const builder = abilityBuilder()
      builder.can('manage', 'all')
      define(builder)
      return db.orm.$extends(withPolicies(builder.build()))
    }
    const two = [{ id: 3 }, { id: 4 }]

    it('rejects a connect equally for connected and other members', async () => {
      const orm = policed(({ cannot }) => {
        cannot(['read', 'update'], 'Document', ['authorId'], { views: { lt: 10 } })
      })
      for (const authorId of [3, 1]) {
        await db.orm.document.update({ where: { id: 4 }, data: { authorId } })
        const write = orm.member.update({ where: { id: 3 }, data: { documents: { connect: two } } })
        await expect(write).rejects.toMatchObject({ code: 'P2004' })
      }
    })

    it('rejects a connect in a join table equally for connected and other members', async () => {
      for (const hidden of ['Document', 'Label'] as const) {
        const orm = policed(({ cannot }) => {
          if (hidden === 'Label') cannot('read', 'Label', ['documents'], { id: 3 })
          else cannot('read', 'Document', ['labels'], { views: { lt: 10 } })
          cannot('update', 'Document', ['labels'], { views: { lt: 10 } })
        })
        for (const set of [two, []]) {
          await db.orm.label.update({ where: { id: 3 }, data: { documents: { set } } })
          const write = orm.label.update({ where: { id: 3 }, data: { documents: { connect: two } } })
          await expect(write).rejects.toMatchObject({ code: 'P2004' })
        }
      }
    })

    it('rejects a nested update if the foreign key was unreadable before the write', async () => {
      const orm = policed(({ cannot }) => {
        cannot('read', 'Document', ['author'], { visibility: 'PRIVATE' })
      })
      const author = { update: { name: 'found' } }
      const write = (visibility: 'PUBLIC' | 'SHARED') =>
        orm.document.update({ where: { id: 3 }, data: { visibility, author } })
      await db.orm.document.update({ where: { id: 3 }, data: { visibility: 'PRIVATE' } })
      await expect(write('PUBLIC')).rejects.toMatchObject({ code: 'P2025' })
      await db.orm.document.update({ where: { id: 3 }, data: { visibility: 'PUBLIC' } })
      await write('SHARED')
      expect(await db.orm.member.findUnique({ where: { id: 3 } })).toMatchObject({ name: 'found' })
    })

    it('applies a post-update rule on either name of the foreign key', async () => {
      for (const name of ['author', 'authorId'] as const) {
        const orm = policed(({ cannot }) => {
          cannot('post-update', 'Document', [name], { authorId: 4 })
        })
        const denied = { code: 'P2004' }
        const where = { id: 3 }
        await expect(orm.document.update({ where, data: { authorId: 4 } })).rejects.toMatchObject(denied)
        const author = { connect: { id: 4 } }
        await expect(orm.document.update({ where, data: { author } })).rejects.toMatchObject(denied)
        const documents = { connect: two }
        await expect(orm.member.update({ where: { id: 4 }, data: { documents } })).rejects.toMatchObject(denied)
        expect(await orm.document.update({ where, data: { authorId: 3 } })).toMatchObject({ authorId: 3 })
      }
    })

    it('reports a hidden row like a missing one if the key is hidden', async () => {
      const { documentId, ...fields } = secretResource.fields
      const hidden = {
        ...secretResource,
        uniques: {},
        fields: { ...fields, documentId: { ...documentId, hidden: true } },
      } as const
      const ability = abilityBuilder()
      ability.can('manage', 'all')
      ability.cannot('read', 'Document', { id: 3 })
      const orm = db.orm.$extends(createPolicies([documentResource, hidden])(ability.build()))
      for (const id of [3, 99]) {
        const data = { documentId: id }
        const absent = { code: 'P2003' }
        await expect(orm.secret.create({ data: { ...data, value: 'new' } })).rejects.toMatchObject(absent)
        await expect(orm.secret.update({ where: { id: 1 }, data })).rejects.toMatchObject(absent)
      }
      // If the connected row is readable, the conflict is reported.
      await expect(orm.secret.create({ data: { value: 'new', documentId: 1 } })).rejects.toMatchObject({
        code: 'P2002',
      })
    })
  },
  { fixture: 'tenants' },
)
