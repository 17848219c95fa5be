import type { SchemaLocation } from '../errors.js'

/** What a change is to those who call the API, most important first. */
export const SEVERITIES = ['exposure', 'breaking', 'loosened', 'harmless'] as const

export type Severity = (typeof SEVERITIES)[number]

/** What comparing finds, before anybody knows where it stands. */
export interface Finding {
  readonly kind: Severity
  /** What has happened, as `field-added`. */
  readonly code: string
  /** The model that it is about, by its new name where it has one. */
  readonly model?: string
  /** The field, relation or unique of that model. */
  readonly member?: string
  /** What tells it from another change of the same member, as `Int -> String`. */
  readonly detail?: string
  /** What it means to callers, in one sentence. */
  readonly sentence: string
  /** Where it is written, if that is not the member: a value of an enum. */
  readonly at?: SchemaLocation
  /** It stands in the schema before the change only. */
  readonly gone?: true
  /** It makes something readable that is called like a secret. Such a change comes first. */
  readonly secret?: true
}

/** A line of a schema file. */
export interface Line {
  /** Relative to the working directory, with forward slashes. */
  readonly file: string
  readonly line: number
  /** The line is one of the schema before the change. */
  readonly gone: boolean
}

/** One thing that a change of the schema does to the API. */
export interface Change extends Finding {
  /** What accepts this change and no other: its code, what it is about and how, on one line. */
  readonly id: string
  /** Where the schema says it. Absent where no line does. */
  readonly place?: Line
  /** The emitted file that shows it, relative to the working directory. */
  readonly emitted?: string
  /** Why somebody accepts it. */
  readonly accepted?: string
}

/** What identifies a change: the same words for the same change of the same thing, whatever else the schema says. */
export function changeId({ code, model, member, detail }: Finding): string {
  const subject = model === undefined ? undefined : member === undefined ? model : `${model}.${member}`
  return [code, subject, detail].filter((part) => part !== undefined).join(' ')
}

/** Changes by importance; those of one kind as the schema has them, secrets first. */
export function sortBySeverity<F extends Finding>(findings: readonly F[]): F[] {
  const rank = ({ kind, secret }: F) => SEVERITIES.indexOf(kind) * 2 + (secret ? 0 : 1)
  return [...findings].sort((a, b) => rank(a) - rank(b))
}
