/** Every error code that a request can be answered with, in both styles: its status and its title (constant per code). */
export const ERROR_CODES = {
  'unsupported-model': { status: 404, title: 'Unsupported model type' },
  'unsupported-path': { status: 404, title: 'No such endpoint' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'internal-error': { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

/** One of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES
