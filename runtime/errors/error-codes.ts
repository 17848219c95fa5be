/** Every error code of REST and RPC responses, and its status. */
export const ERROR_STATUSES = {
  'bad-request': 400,
  'invalid-arguments': 400,
  'invalid-serialization': 400,
  'limit-exceeded': 400,
  'malformed-body': 400,
  'malformed-document': 400,
  'malformed-parameter': 400,
  'unknown-field': 400,
  'unsupported-operator': 400,
  'unsupported-parameter': 400,
  unauthenticated: 401,
  'client-id-forbidden': 403,
  forbidden: 403,
  'read-only': 403,
  'relationship-required': 403,
  'unsupported-change': 403,
  'not-found': 404,
  'unsupported-model': 404,
  'unknown-path': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  'foreign-key-violation': 409,
  'id-conflict': 409,
  'type-conflict': 409,
  'unique-violation': 409,
  'write-conflict': 409,
  gone: 410,
  'precondition-failed': 412,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'invalid-value': 422,
  'missing-attribute': 422,
  'unknown-attribute': 422,
  'unknown-relationship': 422,
  'precondition-required': 428,
  'too-many-requests': 429,
  'client-closed-request': 499,
  'internal-error': 500,
  'database-unavailable': 503,
  'database-timeout': 504,
  'transaction-timeout': 503,
  timeout: 504,
  overloaded: 503,
  'shutting-down': 503,
} as const satisfies Record<string, number>

/** A key of {@link ERROR_STATUSES}. */
export type ErrorCode = keyof typeof ERROR_STATUSES

/** Titles that differ from the words of their code. */
const TITLES: Readonly<Partial<Record<ErrorCode, string>>> = {
  'invalid-serialization': 'Invalid serialization metadata',
  'malformed-parameter': 'Malformed query parameter',
  'unsupported-operator': 'Unsupported filter operator',
  'unsupported-parameter': 'Unsupported query parameter',
  unauthenticated: 'Missing authentication',
  'client-id-forbidden': 'Forbidden client-generated id',
  'read-only': 'Read-only field',
  'unsupported-change': 'Unsupported relationship change',
  'unsupported-model': 'Unsupported model type',
  'foreign-key-violation': 'Foreign key constraint violation',
  'unique-violation': 'Unique constraint violation',
  timeout: 'Request timeout',
}

/** Returns the title of a code, which is the same for all errors with that code. */
export function errorTitle(code: ErrorCode): string {
  const words = code.replaceAll('-', ' ')
  return TITLES[code] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
