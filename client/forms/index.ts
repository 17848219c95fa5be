/** Errors of client calls in the format of form libraries. */
export { type FormErrors, type FormFieldError, type FormPath, toFormErrors, type ToFormPath } from './form-errors.js'
export {
  type ConformErrors,
  type ReactHookForm,
  setReactHookFormErrors,
  type TanStackFormErrors,
  toConformErrors,
  toTanStackFormErrors,
} from './form-libraries.js'
