import { describe, expect, it } from 'vitest'

import { findNames, splitName } from '../../scripts/find-names.js'

describe('findNames', () => {
  it.each([
    ['variable', 'const told = 1', ['told']],
    ['parameter', 'function send(told: string) {}', ['send', 'told']],
    ['destructured member', 'const { told } = event', ['told']],
    ['type member', 'interface Event { readonly told: string }', ['Event', 'told']],
    ['object key', 'const event = { told: 1 }', ['event', 'told']],
    ['type parameter', 'type Event<Told> = Told', ['Event', 'Told']],
  ])('%s: finds the declared names', (_kind, text, expected) => {
    expect(findNames('file.ts', text).map(({ name }) => name)).toEqual(expected)
  })

  it('ignores references to names of other files', () => {
    expect(findNames('file.ts', "import { told } from 'x'\nsend(told.asked)")).toEqual([])
  })
})

describe('splitName', () => {
  it.each([
    ['toHTMLText', ['to', 'html', 'text']],
    ['own-routes.test.ts', ['own', 'routes', 'test', 'ts']],
    ['MAX_ROWS', ['max', 'rows']],
  ])('%s: returns its words', (name, words) => {
    expect(splitName(name)).toEqual(words)
  })
})
