import { type Operation, OPERATIONS, PRISMA_OPERATIONS, type PrismaOperation } from './api-model.js'
import type { Annotations } from './annotations/read-annotations.js'

/** The delegate method that each operation requires. */
const METHODS: Readonly<Record<Operation, PrismaOperation>> = {
  list: 'findMany',
  get: 'findUnique',
  create: 'create',
  update: 'update',
  delete: 'delete',
}

/** Returns the operations that both the client's methods and the model's annotations allow. */
export function allowedOperations(annotations: Annotations, methods: readonly string[]): Operation[] {
  const allowed = annotations.exposure === 'readOnly' ? ['list', 'get'] : OPERATIONS
  return OPERATIONS.filter(
    (operation) =>
      methods.includes(METHODS[operation]) &&
      allowed.includes(operation) &&
      (annotations.operations?.includes(operation) ?? true),
  )
}

/** Returns the client methods that these operations allow. */
export function allowedPrismaOperations(
  operations: readonly Operation[],
  methods: readonly string[],
): PrismaOperation[] {
  return Object.entries(PRISMA_OPERATIONS)
    .filter(([name, needs]) => methods.includes(name) && needs.every((need) => operations.includes(need)))
    .map(([name]) => name as PrismaOperation)
}
