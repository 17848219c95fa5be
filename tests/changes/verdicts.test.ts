import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { compareApis } from '../../generator/changes/compare/compare.js'
import { changeId, type Finding } from '../../generator/changes/change.js'
import { compareSummaries } from '../../generator/changes/documents/compare-documents.js'
import { summarizeDocument } from '../../generator/changes/documents/document-summary.js'
import { createSchemaEffects } from '../../generator/changes/documents/schema-effects.js'
import { isLong } from '../support/form.js'
import { BASE } from './support/base.js'
import { byOldNames, CASES } from './support/cases.js'
import { type CachedApi, createCachedApi, compareByRequests } from './support/oracle.js'
import { serve, type Served, sideOf } from './support/serve.js'

/** Returns a letter per kind of finding: E, B and L. */
function verdictOf(findings: readonly Finding[]): string {
  const has = (kind: string) => findings.some((finding) => finding.kind === kind)
  return [has('exposure') ? 'E' : '', has('breaking') ? 'B' : '', has('loosened') ? 'L' : ''].join('')
}

function compareServedDocuments(before: Served, after: Served): readonly Finding[] {
  const effects = createSchemaEffects(before.side, after.side)
  return (['rest', 'rpc'] as const).flatMap((style) =>
    compareSummaries(summarizeDocument(before.documents[style]), summarizeDocument(after.documents[style]), effects),
  )
}

describe('compareApis', () => {
  it('has at least 60 cases with unique names', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length)
  })

  it.each(CASES.map((each) => [each.name, each] as const))(
    '%s: reports the expected findings, each once',
    async (_name, { edit, verdict, expectedCode }) => {
      const findings = compareApis(await sideOf(BASE), await sideOf(edit(BASE)))
      expect(verdictOf(findings), findings.map(({ code, sentence }) => `${code}: ${sentence}`).join('\n')).toBe(verdict)
      expect(findings.map(({ code }) => code)).toEqual(
        expectedCode === '' ? [] : expect.arrayContaining([expectedCode]),
      )
      const lines = findings.map((finding) => `${changeId(finding)}: ${finding.sentence}`)
      expect(lines).toEqual([...new Set(lines)])
    },
  )
})

// Serving a case takes seconds.
describe.runIf(isLong)('compareApis and the responses of both APIs', () => {
  let before: CachedApi
  beforeAll(async () => {
    before = createCachedApi(await serve(BASE))
  })
  afterAll(() => before.served.close())

  it.each(CASES.map((each) => [each.name, each] as const))('%s: agree on the verdict', async (_name, one) => {
    const after = createCachedApi(await serve(one.edit(BASE)))
    try {
      const seen = await compareByRequests(before, after, byOldNames(one))
      expect(seen.breaking !== undefined, `breaking: ${seen.breaking}`).toBe(one.verdict.includes('B'))
      expect(seen.exposure !== undefined, `exposure: ${seen.exposure}`).toBe(one.verdict.includes('E'))
      // An edit that breaks callers may also loosen other rules. An edit that loosens rules is never harmless.
      if (one.verdict === '') expect(seen.loosened).toBeUndefined()
      if (one.verdict.includes('L')) expect(seen.loosened ?? seen.exposure).toBeDefined()
      // The documents differ only in operations that the schema comparison reports, except for those of models that it does not report.
      const models = new Set(compareApis(before.served.side, after.served.side).map(({ model }) => model))
      expect(compareServedDocuments(before.served, after.served).filter(({ model }) => models.has(model))).toEqual([])
    } finally {
      await after.served.close()
    }
  })
})
