/** Validation of written values outside the server. Has no dependencies, so that it can be part of a browser bundle. */
export { createInput } from './create-input.js'
export type { CreateValues, Input, InputField, InputJson, InputSchema, UpdateValues } from './input-types.js'
