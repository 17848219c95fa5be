import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RequestError } from '../../runtime/errors/request-error.js'
import { parseEntityTags } from '../../runtime/features/conditional-requests/parse-precondition.js'
import { fastHash } from '../../runtime/features/conditional-requests/entity-tags.js'

/** The characters that a tag may contain (RFC 9110, section 8.8.3). */
const OPAQUE = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .filter((code) => code !== 0x22)
    .map((code) => String.fromCharCode(code)),
  maxLength: 20,
})
const TAGS = fc.array(fc.record({ opaque: OPAQUE, isWeak: fc.boolean() }), { minLength: 1, maxLength: 100 })
const GAP = fc.constantFrom('', ' ', '\t')

describe('parseEntityTags', () => {
  it('parses serialized tags with any whitespace between them', () => {
    fc.assert(
      fc.property(TAGS, GAP, GAP, (tags, before, after) => {
        const text = tags.map(({ opaque, isWeak }) => `${isWeak ? 'W/' : ''}"${opaque}"`).join(`${before},${after}`)
        expect(parseEntityTags(`${before}${text}${after}`, 'If-Match')).toEqual(tags)
      }),
    )
  })

  it('returns tags or throws a RequestError for arbitrary text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ',', ' ', 'W', '/', 'a', '*', '1', '.'), maxLength: 30 }),
        (text) => {
          try {
            const tags = parseEntityTags(text, 'If-Match')
            expect(tags === '*' || (tags?.length ?? 0) > 0).toBe(true)
          } catch (error) {
            expect(error).toBeInstanceOf(RequestError)
          }
        },
      ),
    )
  })

  it('throws a RequestError for malformed text of 100 000 characters', () => {
    for (const text of ['"'.repeat(100_000), 'W/'.repeat(50_000), `"${'a'.repeat(100_000)}`, ' '.repeat(100_000)]) {
      expect(() => parseEntityTags(text, 'If-Match')).toThrow(RequestError)
    }
  })
})

describe('digest', () => {
  it('returns distinct values for similar texts', () => {
    const texts = new Set<string>()
    for (let at = 0; at < 2000; at++) {
      for (const text of [`${at}`, `a${at}`, `${at}a`, 'a'.repeat(at), `${'b'.repeat(at)}a`]) texts.add(text)
    }
    expect(new Set([...texts].map(fastHash)).size).toBe(texts.size)
  })

  it('returns stable values', () => {
    expect([fastHash(''), fastHash('a'), fastHash('Zürich 😀')]).toMatchInlineSnapshot(`
      [
        "1y7mvcy1n7rnfl",
        "w96qnzjnl3pr",
        "3xt57wtaaxat",
      ]
    `)
  })
})
