import { CACHE_CONTROL } from '../../http/cache-control.js'
import { MEDIA_TYPE } from '../request/content-negotiation.js'

/** Headers of every response without a body. All responses vary by `Accept`, because any request can cause a 406. */
export const EMPTY_HEADERS = { Vary: 'Accept', ...CACHE_CONTROL } as const

/** Headers of every response with a body. */
export const RESPONSE_HEADERS = { 'Content-Type': MEDIA_TYPE, ...EMPTY_HEADERS } as const
