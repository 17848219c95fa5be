/**
 * The header that disables caching of all responses, in REST and RPC, because responses depend on the caller. Apps can override it in
 * middleware.
 */
export const CACHE_CONTROL = { 'Cache-Control': 'private, no-store' } as const
