import type { SchemaLocation } from '../errors.js'

/** The effects of a change on API callers, most important first. */
export const SEVERITIES = ['exposure', 'breaking', 'loosened', 'other', 'harmless'] as const

/** The effect of a change on API callers. */
export type Severity = (typeof SEVERITIES)[number]

/** A result of a comparison, without its location. */
export interface Finding {
  readonly kind: Severity
  /** The type of change, such as `field-added`. */
  readonly code: string
  /** The affected model. If it was renamed, its new name. */
  readonly model?: string
  /** The affected field, relation or unique criterion of the model. */
  readonly member?: string
  /** Distinguishes several changes to the same member, such as `Int -> String`. */
  readonly detail?: string
  /** The effect on callers, in one sentence. */
  readonly sentence: string
  /** The schema location, if it differs from the member's: the location of an enum value. */
  readonly element?: SchemaLocation
  /** Whether the element exists only in the schema before the change. */
  readonly removed?: true
  /** Whether the change makes a field readable and its name looks like that of a secret. These changes are sorted before others of their kind. */
  readonly secret?: true
  /** Whether the change affects all models. It is sorted before all others of its kind, including secrets. */
  readonly first?: true
}

/** A line of a schema file. */
export interface Line {
  /** Relative to the working directory, with forward slashes. */
  readonly file: string
  readonly line: number
  /** Whether the line is in the schema before the change. */
  readonly removed: boolean
}

/** A single effect of a schema change on the API. */
export interface Change extends Finding {
  /** A one-line id that is used to accept the change: code, subject and detail. */
  readonly id: string
  /** The line in the schema. Undefined if no line corresponds to the change. */
  readonly location?: Line
  /** The emitted file that shows the change, relative to the working directory. */
  readonly emitted?: string
  /** The reason for accepting the change. Undefined if it is not accepted. */
  readonly accepted?: string
}

/** Returns the id of a change. It depends only on the change itself, not on other parts of the schema. */
export function changeId({ code, model, member, detail }: Finding): string {
  const subject = model === undefined ? undefined : member === undefined ? model : `${model}.${member}`
  return [code, subject, detail].filter((part) => part !== undefined).join(' ')
}

/** Sorts changes by severity. Within a severity, changes marked as `first` come first, then secrets. Otherwise, the order stays the same. */
export function sortBySeverity<F extends Finding>(findings: readonly F[]): F[] {
  const rank = ({ kind, first, secret }: F) => SEVERITIES.indexOf(kind) * 3 + (first ? 0 : secret ? 1 : 2)
  return [...findings].sort((a, b) => rank(a) - rank(b))
}
