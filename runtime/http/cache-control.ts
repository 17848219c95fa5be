/**
 * The caching of every answer, in both styles: none. What was answered depends on the caller, so nobody may keep it for another
 * one. An app that knows better sets the header behind us.
 */
export const CACHE_CONTROL = { 'Cache-Control': 'private, no-store' } as const
