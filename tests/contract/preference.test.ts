import { expect } from 'vitest'

import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import { describeContract } from './describe-contract.js'

const prefer = (send: string, Prefer = 'return=minimal') => ({ send, headers: { Prefer } })
const data = (slug: string, title = slug) => ({ data: { type: 'post', attributes: { slug, title } } })
const links = { self: `${ENDPOINT}/post/6` }
const isMinimal = ({ one, headers }: TestResponse) => {
  expect(one).toEqual({ type: 'post', id: '6', links })
  expect(headers.get('Preference-Applied')).toBe('return=minimal')
}
const hasLocation = ({ headers }: TestResponse) => expect(headers.get('Location')).toBe(`${ENDPOINT}/post/7`)
const isWhole = ({ one, headers }: TestResponse) =>
  expect([headers.get('Preference-Applied'), one.attributes?.['title']]).toEqual([null, 'Whole'])

describeContract('Prefer: return=minimal', ({ rule, rest }) => {
  rule('4.1', 'returns only the identifier and links of the written resource')
  rest(prefer('POST /post'), data('minimal'), 201, isMinimal)
  rest(prefer('PATCH /post/6', 'wait=10, Return="minimal"; foo'), data('minimal', 'Changed'), 200, isMinimal)
  const upsert = { ...data('minimal'), meta: { operation: 'upsert', matchFields: ['slug'] } }
  rest(prefer('POST /post'), upsert, 200, isMinimal)
  rest('/post/6', 200, { data: { attributes: { title: 'minimal' } } })
  rest(prefer('POST /post'), data('seven'), 201, hasLocation)
  rule('4.1', 'loads only the required columns', { queries: /^(?!.*content)/s })
  rest(prefer('PATCH /post/1'), { data: { type: 'post', attributes: { title: 'Changed' } } }, 200)
  rule('4.1', 'ignores it if the request selects another representation')
  for (const [index, [send, preference]] of [
    ['POST /post', 'return=representation'],
    ['POST /post', 'return=representation, return=minimal'],
    ['POST /post', 'return=minimalistic'],
    ['POST /post?fields[post]=title'],
    ['POST /post?include=author'],
  ].entries())
    rest(prefer(send ?? '', preference), data(`whole-${index}`, 'Whole'), 201, isWhole)
})
