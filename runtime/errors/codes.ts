/** Every error code that a request can be answered with, in both styles: its status and its title (constant per code). */
export const ERROR_CODES = {
  'invalid-arguments': { status: 400, title: 'Invalid arguments' },
  'invalid-serialization': { status: 400, title: 'Invalid serialization metadata' },
  'limit-exceeded': { status: 400, title: 'Limit exceeded' },
  unauthenticated: { status: 401, title: 'Not authenticated' },
  forbidden: { status: 403, title: 'Forbidden' },
  'read-only': { status: 403, title: 'Read-only' },
  'rejected-by-policy': { status: 403, title: 'Rejected by policy' },
  'not-found': { status: 404, title: 'Not found' },
  'unsupported-model': { status: 404, title: 'Unsupported model type' },
  'unsupported-path': { status: 404, title: 'No such endpoint' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'foreign-key-violation': { status: 409, title: 'Related records do not allow it' },
  'unique-violation': { status: 409, title: 'Not unique' },
  'write-conflict': { status: 409, title: 'Conflicting writes' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'invalid-value': { status: 422, title: 'Invalid value' },
  'internal-error': { status: 500, title: 'Internal error' },
  'database-unavailable': { status: 503, title: 'Database unavailable' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

/** One of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES
