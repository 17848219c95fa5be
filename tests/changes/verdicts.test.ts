import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { compareApis } from '../../generator/changes/compare/compare.js'
import type { Finding } from '../../generator/changes/change.js'
import { isLong } from '../support/form.js'
import { BASE } from './support/base.js'
import { byOldNames, CASES } from './support/cases.js'
import { type Asking, askingOf, compareByAsking } from './support/oracle.js'
import { serve, sideOf } from './support/serve.js'

/** E, B and L, for the kinds that changes are of. */
function verdictOf(findings: readonly Finding[]): string {
  const has = (kind: string) => findings.some((finding) => finding.kind === kind)
  return [has('exposure') ? 'E' : '', has('breaking') ? 'B' : '', has('loosened') ? 'L' : ''].join('')
}

describe('what a change is', () => {
  it('is told of at least sixty changes', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length)
  })

  it.each(CASES.map((each) => [each.name, each] as const))('%s', async (_name, { edit, verdict, says }) => {
    const findings = compareApis(await sideOf(BASE), await sideOf(edit(BASE)))
    expect(verdictOf(findings), findings.map(({ code, sentence }) => `${code}: ${sentence}`).join('\n')).toBe(verdict)
    expect(findings.map(({ code }) => code)).toEqual(says === '' ? [] : expect.arrayContaining([says]))
  })
})

/** The short form asks callers about one change of so many. */
const SHARE = 16

describe('is what callers see', () => {
  let before: Asking
  beforeAll(async () => {
    before = askingOf(await serve(BASE))
  })
  afterAll(() => before.served.close())

  const asked = CASES.filter((_, at) => isLong || at % SHARE === 0)
  it.each(asked.map((each) => [each.name, each] as const))('%s', async (_name, one) => {
    const after = askingOf(await serve(one.edit(BASE)))
    try {
      const seen = await compareByAsking(before, after, byOldNames(one))
      expect(seen.breaking !== undefined, `breaking: ${seen.breaking}`).toBe(one.verdict.includes('B'))
      expect(seen.exposure !== undefined, `exposure: ${seen.exposure}`).toBe(one.verdict.includes('E'))
      // What breaks callers may ask less of others. What asks less is never called harmless.
      if (one.verdict === '') expect(seen.loosened).toBeUndefined()
      if (one.verdict.includes('L')) expect(seen.loosened ?? seen.exposure).toBeDefined()
    } finally {
      await after.served.close()
    }
  })
})
