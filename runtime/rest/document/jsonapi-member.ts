/** The implemented version of JSON:API, included in every document. */
export const JSONAPI = { version: '1.1' } as const
