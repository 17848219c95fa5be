import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as classic from 'zod'
import * as mini from 'zod/mini'

import { parseChain } from '../../generator/model/annotations/parse-chain.js'
import { buildRule, listChecks } from '../../generator/model/annotations/build-rule.js'
import { runs } from '../support/form.js'
import { callName, chainsOf, RULE_KINDS, type RuleKind } from '../support/rule-kinds.js'

const TEXTS = `
  a  ab  abc  ABC  abcd  b0c  bcd  A  B  C  Hello, Wörld!  ﬁ  \u{1F600}  \u{1F600}\u{1F600}  EUR  DE89370400440532013000
  me@b.example  me@x.example  https://example.com/a  ftp://example.com  http:example.com  a.example  +4915112345678
  018f3f2e-7b1a-7c3d-9e4f-0123456789ab  3f2504e0-4f89-41d3-9a0c-0305e82c3301  V1StGXR8_Z5jdHi6B-myT
  cjld2cjxh0000qzrmn831i7rn  01ARZ3NDEKTSV4RRFFQ69G5FAV  YWJj  YW-_  9m4e2mr0ui3e8a215n4g  0ujtsYcgvSTl8PAuAdqWYSMnLOv
  192.168.0.1  10.0.0.0/8  ::1  fe80::/10  4242424242424242  00:1A:2B:3C:4D:5E  00-1A-2B-3C-4D-5E
  2020-01-31  2020-01-31T12:00:00Z  2020-01-31T12:00:00.000+02:00  12:00  12:00:00  P1DT2H
  900150983cd24fb0d6963f7d28e17f72  ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=
  eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl
`
const DATES = '2019-12-31  2020-01-31  2020-06-01  2025-01-01  2031-01-01  no date'
const NUMBERS = [0, -0, 1, 2, 3, 5, 6, -1, 2.5, 1e21, -1e21, 2 ** 53, NaN, Infinity, 0n, 1n, 2n, 3n, 5n, 6n, -1n]
const LISTS = [[], ['A'], ['A', 'B'], ['a', 'b', 'c', 'd'], [1], [null, {}, []]]
const OTHERS = [
  '',
  ' ab ',
  ' https://a.b\n',
  true,
  false,
  null,
  undefined,
  new Uint8Array(),
  new Uint8Array([1, 2]),
  {},
  { a: [1, null] },
]

/** Valid and invalid values for rules of every type. */
const VALUES: readonly unknown[] = [
  ...TEXTS.trim().split(/\s{2,}/),
  ...DATES.split('  ').map((text) => new Date(text)),
  ...NUMBERS,
  ...LISTS,
  ...OTHERS,
]

/** Evaluates the emitted rule. Returns undefined if the generator rejects the chain. */
function emitted(chain: string, { field }: RuleKind): mini.ZodMiniType | undefined {
  const rule = buildRule(parseChain(chain).calls, field)
  return 'source' in rule ? new Function('z', `return ${rule.source}`)(mini) : undefined
}

/** Evaluates a rule with zod's classic API. */
function usual(expression: string): classic.ZodType {
  return new Function('z', `return ${expression}`)(classic)
}

function outcome(rule: classic.ZodType | mini.ZodMiniType, value: unknown): unknown {
  try {
    const result: classic.core.util.SafeParseResult<unknown> = rule.safeParse(value)
    return result.success ? { data: result.data } : result.error.issues
  } catch (error) {
    return { thrown: String(error) }
  }
}

function expectSame(chain: string, kind: RuleKind, values: readonly unknown[]): void {
  const rule = emitted(chain, kind)
  if (rule === undefined) throw new Error(`the generator refuses ${chain} on ${kind.name}`)
  const isFormat = kind.formats.some((format) => callName(format) === callName(chain))
  const model = usual(isFormat ? `z${chain}` : kind.base + chain)
  for (const value of values) expect(outcome(rule, value), String(value)).toEqual(outcome(model, value))
}

const names = (chains: readonly string[]): string[] => [...new Set(chains.map(callName))].sort()

describe('emitted zod/mini rules', () => {
  it.each(RULE_KINDS)('$name: covers every check of zod', ({ base, checks }) => {
    expect(names(checks)).toEqual(listChecks(usual(base)))
  })

  it('cover every string format of zod', () => {
    const isFormat = (name: string) =>
      ['', '"md5"', '"code", /^b/'].some((args) => {
        try {
          const schema = usual(`z.${name}(${args})`)
          return schema instanceof classic.ZodType && schema.def.type === 'string'
        } catch {
          return false
        }
      })
    const functions = Object.keys(classic).filter(
      (name) => !/^string$|parse|validate|encode|decode|config|errorMap/i.test(name),
    )
    expect(RULE_KINDS.flatMap(({ formats }) => names(formats))).toEqual(functions.filter(isFormat).sort())
  })

  const each = RULE_KINDS.flatMap((kind) => chainsOf(kind).map((chain) => ({ kind, chain })))
  it.each(each)('$chain on $kind.name: returns the same data and issues as zod', ({ kind, chain }) => {
    expectSame(chain, kind, VALUES)
  })

  it.each(RULE_KINDS)('$name: returns the same results as zod for random chains', (kind) => {
    const pick = (from: readonly string[], maxLength: number) => fc.array(fc.constantFrom(...from), { maxLength })
    const checks = kind.checks.length > 0 ? pick(kind.checks, 4) : fc.constant([])
    const behind = kind.checks.filter((check) => listChecks(classic.email()).includes(callName(check)))
    const ofFormat = kind.formats.map((format) => pick(behind, 3).map((rest) => [format, ...rest]))
    const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary' }), fc.double(), fc.bigInt())
    const property = fc.property(fc.oneof(checks, ...ofFormat), fc.array(value, { minLength: 5 }), (calls, values) => {
      const chain = calls.join('')
      // Chains that zod rejects are not emitted, for example the extraction of a value that was excluded.
      fc.pre(emitted(chain, kind) !== undefined)
      expectSame(chain, kind, values)
    })
    fc.assert(property, { numRuns: runs(300) })
  })
})
