// A separate file, so that bundlers include only this function of zod, although zod is loaded on demand.
export { toJSONSchema } from 'zod/v4/core'
