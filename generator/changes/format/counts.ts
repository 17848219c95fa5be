import { type Change, type Severity, SEVERITIES } from '../change.js'

/** The heading of each severity. */
export const HEADINGS: Readonly<Record<Severity, string>> = {
  exposure: 'Newly exposed',
  breaking: 'Breaking',
  loosened: 'Loosened',
  other: 'Other',
  harmless: 'Harmless',
}

/** Returns a phrase such as `2 expose more of the API, 1 breaks callers, 3 are harmless`. */
export function summarizeCounts(changes: readonly Change[]): string {
  const counts = SEVERITIES.map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const)
  return counts
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${VERBS[kind][count === 1 ? 0 : 1]}`)
    .join(', ')
}

const VERBS: Readonly<Record<Severity, readonly [one: string, several: string]>> = {
  exposure: ['exposes more of the API', 'expose more of the API'],
  breaking: ['breaks callers', 'break callers'],
  loosened: ['accepts more requests', 'accept more requests'],
  other: ['change is not classified', 'changes are not classified'],
  harmless: ['is harmless', 'are harmless'],
}

/** Groups changes by severity, most important first. Empty groups are omitted. */
export function groupBySeverity<C extends Change>(
  changes: readonly C[],
): (readonly [kind: Severity, changes: readonly C[]])[] {
  return SEVERITIES.map((kind) => [kind, changes.filter((change) => change.kind === kind)] as const).filter(
    ([, those]) => those.length > 0,
  )
}
