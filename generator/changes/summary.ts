import type { GenerateInput } from '../generate.js'
import { findChanges } from './find-changes.js'

/** So many changes are told of where nobody has asked. */
const SHOWN = 2

/**
 * The most important changes of an API since the default branch, a line each, for the end of other commands. They are a service: where there is
 * no git, no branch to compare with, or no API there, nothing is said.
 */
export async function topChanges(inputs: readonly GenerateInput[]): Promise<readonly string[]> {
  if (process.env['ROUTEWRIGHT_CHANGES'] === 'off') return []
  try {
    const { changes, isNew } = await findChanges(inputs, { isThorough: false })
    const told = changes.filter(({ kind, accepted }) => kind !== 'harmless' && accepted === undefined)
    if (isNew || told.length === 0) return []
    const more = told.length - SHOWN
    return told.slice(0, SHOWN).map(({ kind, sentence }, at) => {
      const rest = more > 0 && at === SHOWN - 1 ? ` And ${more} more: npx routewright changes` : ''
      return `${kind}: ${sentence}${rest}`
    })
  } catch {
    return []
  }
}
