import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import type { PolicyModel } from '../policy/policy-schema.js'
import type { Args } from '../policy/args.js'
import { isRequiredOnCreate } from '../schema/model.js'

/**
 * Checks that the data of a new row contains all required fields that the caller can set. Must run after the hooks, which may fill them in.
 * @throws RequestError 422 if a field is missing
 */
export function assertRequiredFields({ fields }: PolicyModel, data: Args): void {
  const missing = [...fields].filter(([name, field]) => {
    return !(name in data) && isRequiredOnCreate(field) && !field.hidden && !field.readOnly
  })
  const [first, ...others] = missing.map(([name]): ErrorDetail => ({
    code: 'missing-attribute',
    detail: `"${name}" is required.`,
    field: name,
  }))
  if (first) throw new RequestError([first, ...others])
}
