import { type Operation, OPERATIONS, PRISMA_OPERATIONS, type PrismaOperation } from './api-model.js'
import type { Annotations } from './annotations/read-annotations.js'

/** The method of the client's delegate that each operation needs. */
const METHODS: Readonly<Record<Operation, PrismaOperation>> = {
  list: 'findMany',
  get: 'findUnique',
  create: 'create',
  update: 'update',
  delete: 'delete',
}

/** What can be done with a model: what the client's methods can, as far as its comments allow it. */
export function allowedOperations(annotations: Annotations, methods: readonly string[]): Operation[] {
  const allowed = annotations.exposure === 'readOnly' ? ['list', 'get'] : OPERATIONS
  return OPERATIONS.filter(
    (operation) =>
      methods.includes(METHODS[operation]) &&
      allowed.includes(operation) &&
      (annotations.operations?.includes(operation) ?? true),
  )
}

/** The client's methods that these operations allow. */
export function allowedPrismaOperations(
  operations: readonly Operation[],
  methods: readonly string[],
): PrismaOperation[] {
  return Object.entries(PRISMA_OPERATIONS)
    .filter(([name, needs]) => methods.includes(name) && needs.every((need) => operations.includes(need)))
    .map(([name]) => name as PrismaOperation)
}
