/** The version of JSON:API that we speak; in every document. */
export const JSONAPI = { version: '1.1' } as const
