import { isObject } from '../../values/is-object.js'
import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/client-port.js'
import { rowKey } from '../read/redaction.js'
import { createReadContext } from '../read/context.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import { deny, definedMembers, toArray, type Args, asArgs } from '../args.js'
import { plainWhere, readableWhere } from '../read/where.js'
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
 * Does what is nested in relations whose foreign key other rows hold, or a table between the two, when the row itself is
 * written.
 * @param row the keys of the row
 * @param isNew whether the row was just created, so that nothing can be related to it yet
 */
export async function runNestedWrites(
  writing: WriteContext,
  { relation, operations }: NestedWrite,
  row: Args,
  isNew: boolean,
): Promise<void> {
  const given_ = Object.fromEntries(definedMembers(operations))
  if (!relation.many) return writeOne(writing, relation, row, given_, isNew)
  // What is named in both stays tied: it must not be untied in between, when it may be nobody's to change.
  const plain = (value: unknown) => toArray(value).map((where) => plainWhere(relation.target, where))
  if (given_['set'] !== undefined) {
    const set = (await findRows(writing, relation.target, plain(given_['set']))).filter((row) => row !== null)
    const kept = await findRows(writing, relation.target, plain(given_['connect']))
    const at = nestedContext(writing, relation.name, 'set')
    const ties = createRelationLinks(at, relation, row)
    await untieOthers(at, relation.target, ties, [...set, ...kept])
    await ties.tie(set)
  }
  for (const [operation, value] of Object.entries(given_)) {
    if (operation === 'set') continue
    const at = nestedContext(writing, relation.name, operation)
    const ties = createRelationLinks(at, relation, row)
    if (operation === 'createMany') {
      const { data, skipDuplicates } = asArgs(value, '"createMany"')
      if (!ties.link) return deny(`"createMany" of "${relation.name}" cannot be verified.`)
      await bulkCreate(at, relation.target, { data, skipDuplicates }, ties.link)
      continue
    }
    if (operation === 'connect') {
      await ties.tie(await findRowsOrThrow(writing, relation.target, plain(value)))
      continue
    }
    if (operation === 'disconnect') {
      ties.requireLoose()
      const wheres = plain(value)
      if (wheres.length === 0) continue
      const found = await findRows(writing, relation.target, wheres, ties.members)
      await ties.untie(found.filter((row) => row !== null))
      continue
    }
    for (const [index, one] of toArray(value).entries()) {
      const member = Array.isArray(value) ? nestedContext(at, index) : at
      await writeMember(member, relation, createRelationLinks(member, relation, row), operation, one)
    }
  }
}

async function untieOthers(
  writing: WriteContext,
  target: PolicyModel,
  ties: RelationLinks,
  kept: readonly (Args | null)[],
): Promise<void> {
  const stays = new Set(kept.map((row) => row && rowKey(target, row)))
  const where = { AND: [readableWhere(createReadContext(writing), target, {}), ties.members] }
  const members = await callClient(writing.client, target, 'findMany', { where, select: writeSelect(writing, target) })
  for (const member of members) writing.foundBy.set(member, where)
  await ties.untie(members.filter((member) => !stays.has(rowKey(target, member))))
}

async function writeMember(
  writing: WriteContext,
  { name, target }: PolicyRelation,
  ties: RelationLinks,
  operation: string,
  value: unknown,
): Promise<void> {
  switch (operation) {
    case 'create':
      return ties.create(value)
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writing, target, plainWhere(target, where))
      return found ? ties.tie([found]) : ties.create(create)
    }
    case 'update': {
      const { where, data } = asArgs(value, `"update" of "${name}"`)
      await writing.rows.change(
        writing,
        target,
        await findReadableRowOrThrow(writing, target, plainWhere(target, where), ties.members),
        data,
      )
      return
    }
    case 'updateMany': {
      const { where, data, limit } = asArgs(value, `"updateMany" of "${name}"`)
      await bulkUpdate(writing, target, { where, more: ties.members, limit }, data)
      return
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await findReadableRow(writing, target, plainWhere(target, where), ties.members)
      if (found) await writing.rows.change(writing, target, found, update)
      else await ties.create(create)
      return
    }
    case 'delete':
      return writing.rows.remove(
        writing,
        target,
        await findReadableRowOrThrow(writing, target, plainWhere(target, value), ties.members),
      )
    case 'deleteMany':
      await bulkDelete(writing, target, { where: value, more: ties.members })
      return
    default:
      return deny(`"${operation}" of "${name}" cannot be verified: make it a request of its own.`)
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
  ties: RelationLinks,
  operation: string,
  value: unknown,
  isNew: boolean,
): Promise<void> {
  const { name, target } = relation
  const current = (where: unknown = {}) => findReadableRow(writing, target, isObject(where) ? where : {}, ties.members)
  const missing = () => new MissingRowError('P2025', `"${name}" has no row.`)
  const replace = async (next?: Args) => {
    const before = isNew ? null : await current()
    if (before && !(next && rowKey(target, before) === rowKey(target, next))) await ties.untie([before])
  }
  switch (operation) {
    case 'create':
      await replace()
      await ties.create(value)
      break
    case 'connect': {
      const found = await findReadableRowOrThrow(writing, target, plainWhere(target, value))
      await replace(found)
      await ties.tie([found])
      break
    }
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writing, target, plainWhere(target, where))
      await replace(found ?? undefined)
      if (found) await ties.tie([found])
      else await ties.create(create)
      break
    }
    case 'disconnect': {
      if (value === false) break
      ties.requireLoose()
      const found = await current(value)
      if (found) await ties.untie([found])
      break
    }
    case 'update': {
      const { where, data } = toOneUpdateData(relation, value)
      const found = await current(where)
      if (!found) throw missing()
      await writing.rows.change(writing, target, found, data)
      break
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await current(where)
      if (found) await writing.rows.change(writing, target, found, update)
      else await ties.create(create)
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
      deny(`"${operation}" of "${name}" cannot be verified: make it a request of its own.`)
  }
}
