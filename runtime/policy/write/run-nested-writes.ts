import { isObject } from '../../values/is-object.js'
import { MissingRowError, deny } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { rowKey, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { createReadContext } from '../read/read-context.js'
import { definedEntries, toArray, type Args, asArgs } from '../args.js'
import { flattenUniqueWhere, readableWhere } from '../read/readable-where.js'
import type { NestedWrite } from './split-data.js'
import { bulkUpdate, bulkDelete, bulkCreate } from './bulk-writes.js'
import { toOneUpdateData } from './write-owned-foreign-keys.js'
import {
  findRows,
  findRowsOrThrow,
  findReadableRow,
  findNestedRowOrThrow,
  findTargetOrThrow,
  writeSelect,
} from './find-readable-row.js'
import { type RelationLinks, createRelationLinks } from './relation-links.js'
import { nestedContext, type WriteContext } from './write-context.js'

/**
 * Runs the nested writes in relations whose foreign key is on other rows or in a join table. Must run after the row itself is written.
 * @param row the keys of the row
 * @param isNew whether the row has just been created, so that no row can be related to it yet
 */
export async function runNestedWrites(
  writeContext: WriteContext,
  { relation, operations }: NestedWrite,
  row: Args,
  isNew: boolean,
): Promise<void> {
  const nestedOperations = Object.fromEntries(definedEntries(operations))
  if (!relation.many) return writeToOne(writeContext, relation, row, nestedOperations, isNew)
  // Rows in both `set` and `connect` stay connected. If they were disconnected in between, the rules might not allow the caller to change
  // them.
  const flatten = (value: unknown) => toArray(value).map((where) => flattenUniqueWhere(relation.target, where))
  if (nestedOperations['set'] !== undefined) {
    const set = (await findRows(writeContext, relation.target, flatten(nestedOperations['set']))).filter(
      (row) => row !== null,
    )
    const connected = await findRows(writeContext, relation.target, flatten(nestedOperations['connect']))
    const nestedWriteContext = nestedContext(writeContext, relation.name, 'set')
    const links = createRelationLinks(nestedWriteContext, relation, row)
    await disconnectOthers(nestedWriteContext, relation.target, links, [...set, ...connected])
    await links.connect(set)
  }
  for (const [operation, value] of Object.entries(nestedOperations)) {
    if (operation === 'set') continue
    const operationContext = nestedContext(writeContext, relation.name, operation)
    const links = createRelationLinks(operationContext, relation, row)
    if (operation === 'createMany') {
      const { data, skipDuplicates } = asArgs(value, '"createMany"')
      if (!links.link) return deny(`"createMany" of "${relation.name}" cannot be verified.`)
      await bulkCreate(nestedContext(operationContext, 'data'), relation.target, { data, skipDuplicates }, links.link)
      continue
    }
    if (operation === 'connect') {
      await links.connect(await findRowsOrThrow(writeContext, relation.target, flatten(value)))
      continue
    }
    if (operation === 'disconnect') {
      links.assertDetachable()
      const wheres = flatten(value)
      if (wheres.length === 0) continue
      const found = await findRows(writeContext, relation.target, wheres, links.members)
      await links.disconnect(found.filter((row) => row !== null))
      continue
    }
    for (const [index, item] of toArray(value).entries()) {
      const itemContext = Array.isArray(value) ? nestedContext(operationContext, index) : operationContext
      await writeToMany(itemContext, relation, createRelationLinks(itemContext, relation, row), operation, item)
    }
  }
}

async function disconnectOthers(
  writeContext: WriteContext,
  target: PolicyModel,
  links: RelationLinks,
  retained: readonly (Args | null)[],
): Promise<void> {
  const retainedKeys = new Set(retained.map((row) => row && rowKey(target, row)))
  const where = { AND: [readableWhere(createReadContext(writeContext), target, {}), links.members] }
  const members = await callClient(writeContext.client, target, 'findMany', {
    where,
    select: writeSelect(writeContext, target),
  })
  for (const member of members) writeContext.foundBy.set(member, where)
  await links.disconnect(members.filter((member) => !retainedKeys.has(rowKey(target, member))))
}

async function writeToMany(
  writeContext: WriteContext,
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
      const found = await findReadableRow(writeContext, target, flattenUniqueWhere(target, where))
      return found ? links.connect([found]) : links.create(create, 'create')
    }
    case 'update': {
      const { where, data } = asArgs(value, `"update" of "${name}"`)
      await writeContext.rows.update(
        nestedContext(writeContext, 'data'),
        target,
        await findNestedRowOrThrow(writeContext, target, flattenUniqueWhere(target, where), links.members),
        data,
      )
      return
    }
    case 'updateMany': {
      const { where, data, limit } = asArgs(value, `"updateMany" of "${name}"`)
      await bulkUpdate(nestedContext(writeContext, 'data'), target, { where, more: links.members, limit }, data)
      return
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await findReadableRow(writeContext, target, flattenUniqueWhere(target, where), links.members)
      if (found) await writeContext.rows.update(nestedContext(writeContext, 'update'), target, found, update)
      else await links.create(create, 'create')
      return
    }
    case 'delete':
      return writeContext.rows.remove(
        writeContext,
        target,
        await findNestedRowOrThrow(writeContext, target, flattenUniqueWhere(target, value), links.members),
      )
    case 'deleteMany':
      await bulkDelete(writeContext, target, { where: value, more: links.members })
      return
    default:
      return deny(`"${operation}" of "${name}" cannot be verified. Send it as a separate request.`)
  }
}

async function writeToOne(
  writeContext: WriteContext,
  relation: PolicyRelation,
  row: Args,
  operations: Args,
  isNew: boolean,
): Promise<void> {
  for (const [operation, value] of definedEntries(operations)) {
    const nestedWriteContext = nestedContext(writeContext, relation.name, operation)
    await writeToOneOperation(
      nestedWriteContext,
      relation,
      createRelationLinks(nestedWriteContext, relation, row),
      operation,
      value,
      isNew,
    )
  }
}

async function writeToOneOperation(
  writeContext: WriteContext,
  relation: PolicyRelation,
  links: RelationLinks,
  operation: string,
  value: unknown,
  isNew: boolean,
): Promise<void> {
  const { name, target } = relation
  const current = (where: unknown = {}) =>
    findReadableRow(writeContext, target, isObject(where) ? where : {}, links.members)
  const missing = () => new MissingRowError('P2025', `"${name}" has no related row.`, { model: target.name })
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
      const found = await findTargetOrThrow(writeContext, target, value)
      await replace(found)
      await links.connect([found])
      break
    }
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writeContext, target, flattenUniqueWhere(target, where))
      await replace(found ?? undefined)
      if (found) await links.connect([found])
      else await links.create(create, 'create')
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
      const { where, data, path } = toOneUpdateData(relation, value)
      const found = await current(where)
      if (!found) throw missing()
      await writeContext.rows.update(nestedContext(writeContext, ...path), target, found, data)
      break
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await current(where)
      if (found) await writeContext.rows.update(nestedContext(writeContext, 'update'), target, found, update)
      else await links.create(create, 'create')
      break
    }
    case 'delete': {
      if (value === false) break
      const found = await current(value)
      if (!found) throw missing()
      await writeContext.rows.remove(writeContext, target, found)
      break
    }
    default:
      deny(`"${operation}" of "${name}" cannot be verified. Send it as a separate request.`)
  }
}
