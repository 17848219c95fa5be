import { isObject } from '../../values/is-object.js'
import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/client-port.js'
import { rowKey } from '../read/redaction.js'
import { createReadContext } from '../read/context.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import { deny, definedMembers, toArray, type Args, asArgs } from '../args.js'
import { flattenUniqueWhere, readableWhere } from '../read/where.js'
import type { NestedWrite } from './split-data.js'
import { bulkUpdate, bulkDelete } from './bulk.js'
import { bulkCreate } from './bulk-create.js'
import { toOneUpdateData } from './owned-foreign-keys.js'
import { findRows, findRowsOrThrow } from './row-batches.js'
import { type RelationLinks, createRelationLinks } from './relation-links.js'
import {
  nestedContext,
  findReadableRow,
  findReadableRowOrThrow,
  writeSelect,
  type WriteContext,
} from './write-context.js'

/**
 * Runs the nested writes in relations whose foreign key is on other rows or in a join table. Must run after the row itself is written.
 * @param row the keys of the row
 * @param isNew whether the row was just created, so that no row can be related to it yet
 */
export async function runNestedWrites(
  writing: WriteContext,
  { relation, operations }: NestedWrite,
  row: Args,
  isNew: boolean,
): Promise<void> {
  const nestedOperations = Object.fromEntries(definedMembers(operations))
  if (!relation.many) return writeOne(writing, relation, row, nestedOperations, isNew)
  // Rows in both `set` and `connect` stay connected. If they were disconnected in between, the rules might not allow the caller to change
  // them.
  const plain = (value: unknown) => toArray(value).map((where) => flattenUniqueWhere(relation.target, where))
  if (nestedOperations['set'] !== undefined) {
    const set = (await findRows(writing, relation.target, plain(nestedOperations['set']))).filter((row) => row !== null)
    const connected = await findRows(writing, relation.target, plain(nestedOperations['connect']))
    const at = nestedContext(writing, relation.name, 'set')
    const links = createRelationLinks(at, relation, row)
    await disconnectOthers(at, relation.target, links, [...set, ...connected])
    await links.connect(set)
  }
  for (const [operation, value] of Object.entries(nestedOperations)) {
    if (operation === 'set') continue
    const at = nestedContext(writing, relation.name, operation)
    const links = createRelationLinks(at, relation, row)
    if (operation === 'createMany') {
      const { data, skipDuplicates } = asArgs(value, '"createMany"')
      if (!links.link) return deny(`"createMany" of "${relation.name}" cannot be verified.`)
      await bulkCreate(at, relation.target, { data, skipDuplicates }, links.link)
      continue
    }
    if (operation === 'connect') {
      await links.connect(await findRowsOrThrow(writing, relation.target, plain(value)))
      continue
    }
    if (operation === 'disconnect') {
      links.assertDetachable()
      const wheres = plain(value)
      if (wheres.length === 0) continue
      const found = await findRows(writing, relation.target, wheres, links.members)
      await links.disconnect(found.filter((row) => row !== null))
      continue
    }
    for (const [index, one] of toArray(value).entries()) {
      const member = Array.isArray(value) ? nestedContext(at, index) : at
      await writeMember(member, relation, createRelationLinks(member, relation, row), operation, one)
    }
  }
}

async function disconnectOthers(
  writing: WriteContext,
  target: PolicyModel,
  links: RelationLinks,
  retained: readonly (Args | null)[],
): Promise<void> {
  const stays = new Set(retained.map((row) => row && rowKey(target, row)))
  const where = { AND: [readableWhere(createReadContext(writing), target, {}), links.members] }
  const members = await callClient(writing.client, target, 'findMany', { where, select: writeSelect(writing, target) })
  for (const member of members) writing.foundBy.set(member, where)
  await links.disconnect(members.filter((member) => !stays.has(rowKey(target, member))))
}

async function writeMember(
  writing: WriteContext,
  { name, target }: PolicyRelation,
  links: RelationLinks,
  operation: string,
  value: unknown,
): Promise<void> {
  switch (operation) {
    case 'create':
      return links.create(value)
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writing, target, flattenUniqueWhere(target, where))
      return found ? links.connect([found]) : links.create(create)
    }
    case 'update': {
      const { where, data } = asArgs(value, `"update" of "${name}"`)
      await writing.rows.update(
        writing,
        target,
        await findReadableRowOrThrow(writing, target, flattenUniqueWhere(target, where), links.members),
        data,
      )
      return
    }
    case 'updateMany': {
      const { where, data, limit } = asArgs(value, `"updateMany" of "${name}"`)
      await bulkUpdate(writing, target, { where, more: links.members, limit }, data)
      return
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await findReadableRow(writing, target, flattenUniqueWhere(target, where), links.members)
      if (found) await writing.rows.update(writing, target, found, update)
      else await links.create(create)
      return
    }
    case 'delete':
      return writing.rows.remove(
        writing,
        target,
        await findReadableRowOrThrow(writing, target, flattenUniqueWhere(target, value), links.members),
      )
    case 'deleteMany':
      await bulkDelete(writing, target, { where: value, more: links.members })
      return
    default:
      return deny(`"${operation}" of "${name}" cannot be verified: send it as a separate request.`)
  }
}

async function writeOne(
  writing: WriteContext,
  relation: PolicyRelation,
  row: Args,
  operations: Args,
  isNew: boolean,
): Promise<void> {
  for (const [operation, value] of definedMembers(operations)) {
    const at = nestedContext(writing, relation.name, operation)
    await writeOnly(at, relation, createRelationLinks(at, relation, row), operation, value, isNew)
  }
}

async function writeOnly(
  writing: WriteContext,
  relation: PolicyRelation,
  links: RelationLinks,
  operation: string,
  value: unknown,
  isNew: boolean,
): Promise<void> {
  const { name, target } = relation
  const current = (where: unknown = {}) => findReadableRow(writing, target, isObject(where) ? where : {}, links.members)
  const missing = () => new MissingRowError('P2025', `"${name}" has no row.`)
  const replace = async (next?: Args) => {
    const before = isNew ? null : await current()
    if (before && !(next && rowKey(target, before) === rowKey(target, next))) await links.disconnect([before])
  }
  switch (operation) {
    case 'create':
      await replace()
      await links.create(value)
      break
    case 'connect': {
      const found = await findReadableRowOrThrow(writing, target, flattenUniqueWhere(target, value))
      await replace(found)
      await links.connect([found])
      break
    }
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writing, target, flattenUniqueWhere(target, where))
      await replace(found ?? undefined)
      if (found) await links.connect([found])
      else await links.create(create)
      break
    }
    case 'disconnect': {
      if (value === false) break
      links.assertDetachable()
      const found = await current(value)
      if (found) await links.disconnect([found])
      break
    }
    case 'update': {
      const { where, data } = toOneUpdateData(relation, value)
      const found = await current(where)
      if (!found) throw missing()
      await writing.rows.update(writing, target, found, data)
      break
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await current(where)
      if (found) await writing.rows.update(writing, target, found, update)
      else await links.create(create)
      break
    }
    case 'delete': {
      if (value === false) break
      const found = await current(value)
      if (!found) throw missing()
      await writing.rows.remove(writing, target, found)
      break
    }
    default:
      deny(`"${operation}" of "${name}" cannot be verified: send it as a separate request.`)
  }
}
