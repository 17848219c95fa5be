import { beforeEach, expect, it } from 'vitest'

import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillWorkspace, recorder } from './support/workspace.js'

describeDatabases(
  'hooks: writes',
  (db) => {
    const recorded = recorder()
    const rpc = () => fixtureRpc(db, { hooks: recorded.hooks })
    const rest = () => fixtureClient(db, { hooks: recorded.hooks })
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      recorded.clear()
    })

    it('create: calls before, after and afterCommit', async () => {
      const data = { title: 'New', teamId: 1 }
      const created = await rpc().call('document', 'create', { data })
      expect(created).toMatchObject({ status: 201 })
      expect(recorded.names()).toEqual([
        'Document.create.before',
        'Document.create.after',
        'Document.create.afterCommit',
      ])
      expect(recorded.calls[0]?.event).toMatchObject({ data, path: [], operation: 'create', style: 'rpc' })
      expect(recorded.calls[1]?.event['row']).toMatchObject({ ...data, state: 'open' })
    })

    it('nested writes: calls the before hook of each row', async () => {
      const response = await rpc().call('document', 'update', {
        where: { id: 1 },
        data: {
          title: 'Changed',
          comments: {
            create: [{ text: 'a' }, { text: 'b' }],
            delete: { id: 1 },
            updateMany: { where: { id: 2 }, data: { text: 'c' } },
          },
          folder: { disconnect: true },
          labels: { connect: { id: 2 } },
          attachments: { deleteMany: {} },
        },
      })
      expect(response).toMatchObject({ status: 200 })
      expect(recorded.names().filter((name) => name.endsWith('before'))).toEqual([
        'Document.update.before',
        'Comment.create.before',
        'Comment.create.before',
        'Comment.delete.before',
        'Comment.update.before',
        'Attachment.delete.before',
      ])
      expect(recorded.calls[0]?.event['data']).toEqual({ title: 'Changed', folderId: null })
    })

    it('delete: calls the hooks of cascaded rows', async () => {
      expect(await rest().delete('/document/1')).toMatchObject({ status: 204 })
      expect(recorded.names().filter((name) => name.endsWith('before'))).toEqual([
        'Document.delete.before',
        'Attachment.delete.before',
        'Comment.delete.before',
        'Comment.delete.before',
        'Review.delete.before',
      ])
    })

    it('relationship route: calls the hooks of the rows with the foreign key', async () => {
      const members = { data: [{ type: 'comment', id: '3' }] }
      expect(await rest().post('/document/1/relationships/comments', members)).toMatchObject({ status: 200 })
      expect(recorded.names()).toEqual(['Comment.update.before', 'Comment.update.after', 'Comment.update.afterCommit'])
    })
  },
  { fixture: 'workspace' },
)
