import type { Severity } from '../changes/change.js'

/** The output formats of `routewright changes`. */
export const CHANGE_FORMATS = ['text', 'markdown', 'json', 'github', 'changelog'] as const

/** An output format of `routewright changes`. */
export type ChangeFormat = (typeof CHANGE_FORMATS)[number]

/** The kinds of changes that can make the command exit with 1. */
export const FAIL_KINDS = ['exposure', 'breaking'] as const satisfies readonly Severity[]

/** A kind of change in `--fail-on`. */
export type FailKind = (typeof FAIL_KINDS)[number]
