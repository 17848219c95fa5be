import { runInThisContext } from 'node:vm'

import { createFormControl } from 'react-hook-form'
import { describe, expect, it } from 'vitest'

import { tableWith } from './support/pages.js'

/** The first cell of a row → the entered text and the value of the form. */
const ENTERED: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
  'text of an optional field': ['Hall', 'Hall'],
  number: ['0', 0],
  'datetime-local': ['2026-05-31T09:30', new Date('2026-05-31T09:30')],
  'time, for @db.Time': ['09:30', new Date('1970-01-01T09:30Z')],
}

const recipes = tableWith('inputs').map(([input = '', code = '']) => [input, code.replaceAll(String.raw`\|`, '|')])

/** Registers an input with a recipe and returns the submitted value. */
async function submit(code: string, value: unknown): Promise<unknown> {
  const { register, handleSubmit } = createFormControl<{ field: unknown }>({ defaultValues: { field: value } })
  // React Hook Form checks whether the input is an element, even if another test has removed its document.
  const ownerDocument = { defaultView: { HTMLElement: Map } }
  register('field', { setValueAs: runInThisContext(code) }).ref({
    name: 'field',
    type: 'text',
    value: '',
    ownerDocument,
  })
  let submitted: unknown
  await handleSubmit(({ field }) => {
    submitted = field
  })()
  return submitted
}

describe('docs recipes for setValueAs', () => {
  it('have a test case for each input', () => {
    expect(recipes.map(([input]) => input)).toEqual(Object.keys(ENTERED))
  })

  it.each(recipes)('%s: converts text, and converts empty inputs to null', async (input = '', code = '') => {
    const [text, value] = ENTERED[input] ?? ['', undefined]
    expect(await submit(code, text)).toEqual(value)
    expect(await submit(code, '')).toBe(null)
    // React Hook Form also passes default values to `setValueAs`.
    expect(await submit(code, null)).toBe(null)
  })

  it('number: keeps a default value of 0', async () => {
    const [, code = ''] = recipes.find(([input]) => input === 'number') ?? []
    expect(await submit(code, 0)).toBe(0)
  })
})
