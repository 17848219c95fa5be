import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RestApiHandler, RPCApiHandler } from '../../fixtures/payments/expected/index.js'
import { requestFingerprint, keyDigest, parseIdempotencyKey } from '../../runtime/idempotency/parse-idempotency-key.js'
import { idempotency, type IdempotencyStore } from '../../runtime/idempotency/index.js'

const scope = () => 'somebody'
const store = {} as IdempotencyStore
const endpoint = 'http://localhost/rest'

describe('idempotency: options', () => {
  it.each<[string, object, string]>([
    ['empty options', {}, 'idempotency requires either model'],
    ['no store', { scope }, 'idempotency requires either model'],
    ['two stores', { scope, model: 'idempotencyKey', store }, 'idempotency requires either model'],
    ['a model without a name', { scope, model: '' }, 'idempotency requires either model'],
    ['no scope', { model: 'idempotencyKey' }, 'idempotency.scope must identify the caller'],
    [
      'a scope that is not a function',
      { model: 'idempotencyKey', scope: 'me' },
      'idempotency.scope must identify the caller',
    ],
    ['a misspelled option', { model: 'idempotencyKey', scope, expires: 1 }, 'Unknown option of idempotency "expires"'],
    [
      'a zero expiry',
      { model: 'idempotencyKey', scope, expiresAfter: 0 },
      'idempotency.expiresAfter must be a positive',
    ],
    ['an infinite expiry', { model: 'idempotencyKey', scope, expiresAfter: Infinity }, 'at most ten years'],
    ['an invalid size', { model: 'idempotencyKey', scope, responseBytes: '1' }, 'idempotency.responseBytes must be'],
    [
      'a text for required',
      { model: 'idempotencyKey', scope, required: 'yes' },
      'idempotency.required must be true or false',
    ],
  ])('%s: throws', (_, options, message) => {
    expect(() => idempotency(options as never)).toThrow(message)
  })

  it('throws on an exposed model in both styles', () => {
    const exposed = idempotency({ model: 'payment', scope })
    const message = 'idempotency.model: "payment" is exposed'
    expect(() => RestApiHandler({ endpoint, idempotency: exposed })).toThrow(message)
    expect(() => RPCApiHandler({ idempotency: exposed })).toThrow(message)
    expect(() =>
      RestApiHandler({ endpoint, idempotency: exposed, modelNameMapping: { Account: 'accounts' } }),
    ).not.toThrow()
  })

  it('infers the context type that scope needs', () => {
    const handler = RPCApiHandler({
      idempotency: idempotency({
        model: 'idempotencyKey',
        scope: ({ context }: { context: { id: number } }) => String(context.id),
      }),
    })
    type Needs = Parameters<NonNullable<(typeof handler)['needs']>>[0]
    const needs: Needs = { id: 1 }
    expect(needs.id).toBe(1)
  })
})

const ascii = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  minLength: 1,
  maxLength: 255,
})

describe('parseIdempotencyKey and keyDigest', () => {
  it('parses every quoted key', () => {
    fc.assert(
      fc.property(ascii, (key) => {
        expect(parseIdempotencyKey(`"${key.replace(/["\\]/g, '\\$&')}"`)).toBe(key)
      }),
    )
  })

  it('parses or rejects arbitrary text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          ascii.map((text) => `"${text}"`),
        ),
        (header) => {
          try {
            expect(parseIdempotencyKey(header).length).toBeGreaterThan(0)
          } catch (error) {
            expect(String(error)).toContain('Idempotency-Key')
          }
        },
      ),
    )
  })

  it('parses in linear time', () => {
    const began = performance.now()
    for (const text of ['\\', '"', ' ', ';a', ';a="', '"\\"'])
      expect(() => parseIdempotencyKey(`"${text.repeat(1000)}`)).toThrow()
    expect(() => parseIdempotencyKey(`"x"${';a=b'.repeat(250)}!`)).toThrow()
    expect(performance.now() - began).toBeLessThan(500)
  })

  it('returns different digests for different scopes and keys', async () => {
    await fc.assert(
      fc.asyncProperty(ascii, ascii, ascii, ascii, async (scope, key, other, more) => {
        const isSame = scope === other && key === more
        expect((await keyDigest(scope, key)) === (await keyDigest(other, more))).toBe(isSame)
      }),
    )
    expect(await keyDigest('ab', 'c')).not.toBe(await keyDigest('a', 'bc'))
  })

  it('keyDigest: does not depend on the runtime, so that servers on different runtimes can share keys', async () => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('["user","one"]\n'))
    expect(await keyDigest('user', 'one')).toBe(Buffer.from(digest).toString('hex'))
  })
})

describe('requestFingerprint', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const of = (url: string, body: string, headers = {}, method = 'POST') =>
    requestFingerprint(new Request(url, { method, headers }), bytes(body))

  it('depends on method, path, query, relevant headers and body', async () => {
    const first = await of('http://a/x?y=1', '{}')
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await of('http://b/x?y=1#z', '{}', { Authorization: 'new', 'X-Request-Id': '2' })).toBe(first)
    const others = [
      of('http://a/x?y=2', '{}'),
      of('http://a/x', '{}'),
      of('http://a/x?y=1', '{ }'),
      of('http://a/x?y=1', '{}', {}, 'PATCH'),
      ...['Prefer', 'Content-Type', 'If-Match', 'If-None-Match'].map((name) =>
        of('http://a/x?y=1', '{}', { [name]: 'a' }),
      ),
    ]
    const all = await Promise.all(others)
    expect(new Set([first, ...all]).size).toBe(all.length + 1)
  })
})
