import type { BrokenRule } from '../schema/resource.js'

/** An error in a value. */
export interface ValueError {
  /** A phrase that follows the name of the value: `must be an integer`. */
  readonly message: string
  /** The path in the value: list indices and object keys, outermost first. */
  readonly path: readonly (string | number)[]
  /** Whether the message is a full sentence that the schema's author wrote. */
  readonly isCustom?: true
  /** The rule's own message, if the value broke a rule. */
  readonly text?: string
  /** The broken rule, if the value broke one. */
  readonly rule?: BrokenRule
}

/** Formats an error as a sentence. */
export function valueErrorMessage(name: string, { message, isCustom }: ValueError): string {
  return isCustom ? message : `${name} ${message}.`
}

/** Formats an error for the person who entered the value. Omits the field's name, because a form shows the message next to the field. */
export function formMessage({ message, text }: Pick<ValueError, 'message' | 'text'>): string {
  return text ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}

/** The message for a required field without a value. */
export const MISSING_MESSAGE = 'Must have a value.'
