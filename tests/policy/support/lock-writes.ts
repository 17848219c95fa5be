import type { RestClient } from '../../rest/support/client.js'
import type { RpcClient } from '../../rpc/client.js'

/** The rows of a write: two documents in a folder with a label, or without both. */
export interface Scene {
  readonly rest: RestClient
  readonly rpc: RpcClient
  readonly folder: number
  readonly label: number
  /** References the first document. */
  readonly attachment: number
  /** Another transaction holds a lock on the first. */
  readonly ids: readonly [number, number]
  /** Additional conditions for the caller's `where`. */
  readonly where: object
}

/** A write, and how many of its rows it may skip. */
export interface LockedWrite {
  readonly name: string
  /** The documents that it writes. `one`: the locked one. `named`: both, by their ids. `set`: those that a filter finds. */
  readonly about: 'one' | 'named' | 'set'
  /** Whether the documents are members of the folder and have the label before the write. Default: true. */
  readonly isMember?: boolean
  /** How many rows a bulk write may change. Default: 2. */
  readonly limit?: number
  /** Whether the write contains the caller's `where`. */
  readonly usesWhere?: boolean
  /** Whether it creates another row if the caller can no longer read the locked one. */
  readonly mayCreate?: boolean
  /** Whether the response contains the rows. */
  readonly returns?: boolean
  send(scene: Scene): Promise<{ readonly status: number; readonly body: { readonly data?: unknown } }>
}

const EXT = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const data = { title: 'mine', state: 'busy' }
const members = ({ ids }: Scene) => ({ data: ids.map((id) => ({ type: 'document', id: String(id) })) })
const patch = (id: number) => ({ type: 'document', id: String(id), attributes: data })
const atomic = ({ rest }: Scene, operation: object) =>
  rest.fetch('/operations', {
    method: 'POST',
    headers: { 'Content-Type': EXT, Accept: EXT },
    body: JSON.stringify({ 'atomic:operations': [operation] }),
  })

const REST: readonly LockedWrite[] = [
  { name: 'PATCH', about: 'one', send: ({ rest, ids }) => rest.patch(`/document/${ids[0]}`, { data: patch(ids[0]) }) },
  { name: 'DELETE', about: 'one', send: ({ rest, ids }) => rest.delete(`/document/${ids[0]}`) },
  {
    name: 'PATCH of a to-one relationship',
    about: 'one',
    send: ({ rest, ids }) => rest.patch(`/document/${ids[0]}/relationships/folder`, { data: null }),
  },
  { name: 'atomic update', about: 'one', send: (scene) => atomic(scene, { op: 'update', data: patch(scene.ids[0]) }) },
  {
    name: 'atomic remove',
    about: 'one',
    send: (scene) => atomic(scene, { op: 'remove', ref: { type: 'document', id: String(scene.ids[0]) } }),
  },
  ...(['folder', 'label'] as const).flatMap((parent): LockedWrite[] => {
    const path = (scene: Scene) => `/${parent}/${scene[parent]}/relationships/documents`
    return [
      {
        name: `POST to ${parent} relationship`,
        about: 'named',
        isMember: false,
        send: (scene) => scene.rest.post(path(scene), members(scene)),
      },
      {
        name: `DELETE from ${parent} relationship`,
        about: 'named',
        send: (scene) => scene.rest.delete(path(scene), members(scene)),
      },
      {
        name: `PATCH of ${parent} relationship, to none`,
        about: 'named',
        send: (scene) => scene.rest.patch(path(scene), { data: [] }),
      },
      {
        name: `PATCH of ${parent} relationship, to both`,
        about: 'named',
        isMember: false,
        send: (scene) => scene.rest.patch(path(scene), members(scene)),
      },
    ]
  }),
]

const byIds = ({ ids, where }: Scene) => ({ id: { in: [...ids] }, ...where })
const limits = [undefined, 1, 2] as const

const SETS: readonly LockedWrite[] = limits.flatMap((limit): LockedWrite[] => {
  const more = limit === undefined ? {} : { limit }
  const named = (name: string) => (limit === undefined ? name : `${name}, limit ${limit}`)
  return [
    {
      name: named('updateMany'),
      about: 'set',
      usesWhere: true,
      ...more,
      send: (scene) => scene.rpc.call('document', 'updateMany', { where: byIds(scene), data, ...more }),
    },
    {
      name: named('updateManyAndReturn'),
      about: 'set',
      usesWhere: true,
      returns: true,
      ...more,
      send: (scene) => scene.rpc.call('document', 'updateManyAndReturn', { where: byIds(scene), data, ...more }),
    },
    {
      name: named('deleteMany'),
      about: 'set',
      usesWhere: true,
      ...more,
      send: (scene) => scene.rpc.call('document', 'deleteMany', { where: byIds(scene), ...more }),
    },
  ]
})

const RPC: readonly LockedWrite[] = [
  {
    name: 'update',
    about: 'one',
    usesWhere: true,
    send: ({ rpc, ids, where }) => rpc.call('document', 'update', { where: { id: ids[0], ...where }, data }),
  },
  {
    name: 'delete',
    about: 'one',
    usesWhere: true,
    send: ({ rpc, ids, where }) => rpc.call('document', 'delete', { where: { id: ids[0], ...where } }),
  },
  {
    name: 'upsert',
    about: 'one',
    mayCreate: true,
    usesWhere: true,
    send: ({ rpc, ids, where }) =>
      rpc.call('document', 'upsert', {
        where: { id: ids[0], ...where },
        update: data,
        create: { title: 'new', team: { connect: { id: 1 } } },
      }),
  },
  ...SETS,
  ...(['folder', 'label'] as const).flatMap((parent) => {
    const nested = (
      operation: string,
      about: LockedWrite['about'],
      value: (scene: Scene) => unknown,
      isMember = true,
    ) => ({
      name: `${operation} in ${parent}`,
      about,
      isMember,
      usesWhere: about !== 'named',
      send: (scene: Scene) =>
        scene.rpc.call(parent, 'update', {
          where: { id: scene[parent] },
          data: { documents: { [operation]: value(scene) } },
        }),
    })
    const both = ({ ids }: Scene) => ids.map((id) => ({ id }))
    return [
      nested('update', 'one', ({ ids, where }) => ({ where: { id: ids[0], ...where }, data })),
      nested('updateMany', 'set', ({ where }) => ({ where, data })),
      nested('upsert', 'one', ({ ids, where }) => ({
        where: { id: ids[0], ...where },
        update: data,
        create: { title: 'new', team: { connect: { id: 1 } } },
      })),
      nested('delete', 'one', ({ ids, where }) => ({ id: ids[0], ...where })),
      nested('deleteMany', 'set', ({ where }) => where),
      nested('connect', 'named', both, false),
      nested('disconnect', 'named', both),
      nested('set', 'named', () => []),
    ]
  }),
  ...Object.entries({
    connect: { id: 1 },
    create: { name: 'new', team: { connect: { id: 1 } } },
    connectOrCreate: { where: { id: 0 }, create: { name: 'new', team: { connect: { id: 1 } } } },
    update: { name: 'renamed' },
    upsert: { create: { name: 'new', team: { connect: { id: 1 } } }, update: { name: 'renamed' } },
    delete: true,
    disconnect: true,
  }).map(([operation, value]): LockedWrite => ({
    name: `${operation} of the folder`,
    about: 'one',
    usesWhere: true,
    send: ({ rpc, ids, where }) =>
      rpc.call('document', 'update', { where: { id: ids[0], ...where }, data: { folder: { [operation]: value } } }),
  })),
  {
    name: 'update through the foreign key of another row',
    about: 'one',
    usesWhere: true,
    send: ({ rpc, attachment, where }) =>
      rpc.call('attachment', 'update', { where: { id: attachment }, data: { document: { update: { where, data } } } }),
  },
]

export const WRITES: readonly LockedWrite[] = [...REST, ...RPC]
