import { type Operation, OPERATIONS, PRISMA_OPERATIONS, type PrismaOperation } from './api-model.js'
import type { Annotations } from './comments.js'

/** What can be done with a model: what Prisma can, as far as its comments allow it. */
export function operationsOf(annotations: Annotations, mapping: Readonly<Record<string, unknown>>): Operation[] {
  const possible = {
    list: 'findMany',
    get: 'findUnique',
    create: 'createOne',
    update: 'updateOne',
    delete: 'deleteOne',
  }
  const allowed = annotations.exposure === 'readOnly' ? ['list', 'get'] : OPERATIONS
  return OPERATIONS.filter(
    (operation) =>
      mapping[possible[operation]] !== undefined &&
      allowed.includes(operation) &&
      (annotations.operations?.includes(operation) ?? true),
  )
}

/** The calls of Prisma's client that these operations allow. */
export function prismaOperationsOf(
  operations: readonly Operation[],
  mapping: Readonly<Record<string, unknown>>,
): PrismaOperation[] {
  // `count` is on every delegate, and never in the mapping.
  const inMapping = (name: string) =>
    name === 'count' || mapping[name] !== undefined || mapping[`${name}One`] !== undefined
  return Object.entries(PRISMA_OPERATIONS)
    .filter(([name, needs]) => inMapping(name) && needs.every((need) => operations.includes(need)))
    .map(([name]) => name as PrismaOperation)
}
