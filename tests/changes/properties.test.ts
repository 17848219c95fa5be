import { readFileSync } from 'node:fs'
import path from 'node:path'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'

import type { Finding } from '../../generator/changes/change.js'
import { compareApis } from '../../generator/changes/compare/compare.js'
import { GeneratorError } from '../../generator/errors.js'
import { runs } from '../support/form.js'
import { BASE } from './support/base.js'
import { byOldNames } from './support/cases.js'
import { edits } from './support/edits.js'
import { type CachedApi, createCachedApi, compareByRequests } from './support/oracle.js'
import { serve, sideOf } from './support/serve.js'

const BLOG = readFileSync(path.resolve(import.meta.dirname, '../../fixtures/blog/schema.prisma'), 'utf8')

const SCHEMAS = [
  ['the case schema', BASE, 12],
  ['the blog schema', BLOG.slice(BLOG.indexOf('enum Role')), 6],
] as const

describe.each(SCHEMAS)('compareApis after random edits of %s', (_name, schema, count) => {
  let before: CachedApi
  beforeAll(async () => {
    before = createCachedApi(await serve(schema))
  })
  afterAll(() => before.served.close())

  it('reports the verdict that the responses show', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (edit) => {
        const text = edit(schema)
        const side = await sideOf(text).catch(ignoreInvalid)
        fc.pre(side !== undefined && text !== schema)
        if (side === undefined) return
        const findings = compareApis(before.served.side, side)
        const served = await serve(text).catch(ignoreInvalid)
        fc.pre(served !== undefined)
        if (served === undefined) return
        const after = createCachedApi(served)
        try {
          const seen = await compareByRequests(before, after, byOldNames({ renamed: renamedIn(findings) }))
          const kinds = new Set(findings.map(({ kind }) => kind))
          for (const kind of ['breaking', 'exposure'] as const) {
            if (kinds.has(kind) === (seen[kind] !== undefined)) continue
            const summary = findings.map(({ code, sentence }) => `${code}: ${sentence}`).join('\n')
            throw new Error(`${kind}: callers see ${seen[kind] ?? 'nothing'}\n${summary}\n${changed(schema, text)}`)
          }
        } finally {
          await after.served.close()
        }
      }),
      { numRuns: runs(count), endOnFailure: true },
    )
  })
})

/** Invalid schemas are not compared. */
function ignoreInvalid(error: unknown): undefined {
  if (error instanceof GeneratorError) return undefined
  throw error
}

/** Returns the old names by the new ones, according to the findings. Models are named by their paths. */
function renamedIn(findings: readonly Finding[]): Record<string, string> {
  const renames = findings.flatMap(({ code, detail }) => (code.endsWith('-renamed') && detail ? [[code, detail]] : []))
  return Object.fromEntries(
    renames.map(([code = '', detail = '']) => {
      const [old = '', now = ''] = detail.split(' -> ')
      return code === 'model-renamed' ? [now.toLowerCase(), old.toLowerCase()] : [now, old]
    }),
  )
}

function changed(before: string, after: string): string {
  const [was, is] = [before.split('\n'), after.split('\n')]
  return [
    ...was.filter((line) => !is.includes(line)).map((line) => `-${line}`),
    ...is.filter((line) => !was.includes(line)).map((line) => `+${line}`),
  ].join('\n')
}
