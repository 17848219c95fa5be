import { type Change, type Kind, KINDS } from '../change.js'

/** How each kind is headed. */
export const HEADS: Readonly<Record<Kind, string>> = {
  exposure: 'Exposure widened',
  breaking: 'Breaking',
  loosened: 'Loosened',
  harmless: 'Harmless',
}

/** `2 expose more, 1 breaks callers, 3 are harmless`. */
export function countsOf(changes: readonly Change[]): string {
  const counted = KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const)
  return counted
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${VERBS[kind][count === 1 ? 0 : 1]}`)
    .join(', ')
}

const VERBS: Readonly<Record<Kind, readonly [one: string, several: string]>> = {
  exposure: ['exposes more', 'expose more'],
  breaking: ['breaks callers', 'break callers'],
  loosened: ['asks less of callers', 'ask less of callers'],
  harmless: ['is harmless', 'are harmless'],
}

/** The changes of each kind, most important kind first, without empty ones. */
export function byKind<C extends Change>(changes: readonly C[]): (readonly [kind: Kind, changes: readonly C[]])[] {
  return KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind)] as const).filter(
    ([, those]) => those.length > 0,
  )
}
