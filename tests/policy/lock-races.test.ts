import { beforeAll, expect, it } from 'vitest'

import { fillWorkspace, type Workspace } from '../hooks/support/workspace.js'
import { policed } from '../hooks/support/rule-modes.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { type Form, FORMS, hooksOf, rulesOf } from './support/lock-rules.js'
import { type LockedWrite, type Scene, WRITES } from './support/lock-writes.js'
import { runWhileLocked } from './support/concurrent-request.js'

let last = 1000

/** Creates two documents that match every form. */
async function sceneOf(db: Workspace, form: Form, { isMember = true }: LockedWrite): Promise<Scene> {
  const { orm } = db
  last += 2
  const ids = [last, last + 1] as const
  const [id] = ids
  const all = ids.map((one) => ({ id: one }))
  await orm.person.createMany({ data: ids.map((one) => ({ id: one, email: `${one}`, teamId: 1 })) })
  await orm.folder.create({ data: { id, name: 'plans', teamId: 1 } })
  const folderId = isMember ? id : null
  await orm.document.createMany({
    data: ids.map((one) => ({ id: one, title: 'theirs', slug: `${one}`, teamId: 1, ownerId: one, folderId })),
  })
  await orm.comment.createMany({ data: ids.map((documentId) => ({ text: 'keep', documentId })) })
  await orm.attachment.create({ data: { id, name: 'x', documentId: id } })
  await orm.label.create({ data: { id, name: 'mine', teamId: 1, ...(isMember && { documents: { connect: all } }) } })
  await orm.label.update({ where: { id: 1 }, data: { documents: { connect: all } } })
  const define = rulesOf(form)
  const client = define ? policed(orm, define) : orm
  const options = hooksOf(form)
  return {
    rest: fixtureClient({ orm: client, routes: db.routes }, { ...options, atomicOperations: true }),
    rpc: fixtureRpc(db, options, client),
    folder: id,
    label: id,
    attachment: id,
    ids,
    where: form.where ?? {},
  }
}

function stored({ document }: Pick<Workspace['orm'], 'document'>, id: number) {
  return document.findUnique({ where: { id }, include: { labels: { select: { id: true }, orderBy: { id: 'asc' } } } })
}

/** Sends a write while another transaction holds the first document, which leaves the form. Returns all errors. */
async function race(db: Workspace, form: Form, write: LockedWrite): Promise<string[]> {
  const scene = await sceneOf(db, form, write)
  const [first, second] = scene.ids
  const before = await stored(db.orm, second)
  const { transactionResult, response, isWaiting } = await runWhileLocked(
    db,
    async (inside) => {
      await form.leave(inside, first)
      return stored(inside, first)
    },
    () => write.send(scene),
  )
  const isFirstUnchanged = JSON.stringify(await stored(db.orm, first)) === JSON.stringify(transactionResult)
  const isSecondUnchanged = JSON.stringify(await stored(db.orm, second)) === JSON.stringify(before)
  const { status, body } = response
  const isCreated = write.mayCreate && (await db.orm.document.deleteMany({ where: { title: 'new' } })).count > 0
  const isDone = status < 300 && !isCreated
  const wrong = [
    !isWaiting && 'does not wait',
    !isFirstUnchanged && 'changes the row that has left',
    !isDone && !isCreated && ![403, 404, 409].includes(status) && 'fails',
    isDone === (write.about === 'one') && write.about !== 'named' && (isDone ? 'succeeds' : 'is rejected'),
    isDone === isSecondUnchanged && (isDone ? 'leaves the other row alone' : 'changes the other row'),
    write.returns &&
      JSON.stringify(body.data) !== JSON.stringify([await db.orm.document.findUnique({ where: { id: second } })]) &&
      'returns other rows',
    write.about === 'set' &&
      body.data &&
      'count' in Object(body.data) &&
      Reflect.get(Object(body.data), 'count') !== 1 &&
      'counts other rows',
  ].filter((one) => typeof one === 'string')
  return wrong.map((what) => `${write.name} ${what}: ${status}`)
}

describeDatabases(
  'policy: rows locked by another transaction',
  (db) => {
    beforeAll(() => db.fill(fillWorkspace))

    const writes = WRITES.filter(({ returns }) => !returns || db.name === 'PostgreSQL')
    for (const form of FORMS) {
      it(`${form.name}: writes only rows that still meet the condition`, async () => {
        const wrong: string[] = []
        for (const write of writes) {
          if (form.where === undefined || write.usesWhere) wrong.push(...(await race(db, form, write)))
        }
        expect(wrong).toEqual([])
      }, 300_000)
    }

    it('rejects a REST upsert with 403 if the row no longer meets the condition', async () => {
      for (const [id, where] of [
        { teamId: 1 },
        { team: { name: 'red' } },
        { NOT: { team: { name: 'blue' } } },
      ].entries()) {
        const email = `upsert${id}`
        await db.orm.person.create({ data: { email, teamId: 1 } })
        const orm = policed(db.orm, ({ can }) => {
          can('manage', ['Team', 'Document'])
          can(['read', 'create', 'post-update'], 'Person')
          can('update', 'Person', where)
        })
        const attributes = { email, password: 'mine' }
        const { response, isWaiting } = await runWhileLocked(
          db,
          (inside) => inside.person.update({ where: { email }, data: { teamId: 2 } }),
          () =>
            fixtureClient({ orm, routes: db.routes }).post('/person', {
              data: { type: 'person', attributes, relationships: { team: { data: { type: 'team', id: '1' } } } },
              meta: { operation: 'upsert', matchFields: ['email'] },
            }),
        )
        expect([isWaiting, response.status]).toEqual([true, 403])
        expect(await db.orm.person.findUnique({ where: { email } })).toMatchObject({ teamId: 2, password: '' })
      }
    })
  },
  { fixture: 'workspace', concurrent: true },
)
