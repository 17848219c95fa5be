import { parse } from '@conform-to/dom'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { FormApi } from '@tanstack/react-form'
import { describe, expect, it } from 'vitest'

import { feedbackInput } from '../../fixtures/annotations/expected/feedback/input.js'
import { RestError, toConformErrors, toTanStackFormErrors } from '../../client/index.js'

const pointer = '/data/attributes/tags/0'
const rejected = new RestError('Rejected', {
  status: 422,
  errors: [
    { detail: '"text" is taken.', meta: { message: 'Is taken.' }, source: { pointer: '/data/attributes/text' } },
    { detail: '"tags" is invalid.', meta: { message: 'Is unknown.' }, source: { pointer } },
    { detail: 'Closed.' },
  ],
})

describe('form libraries', () => {
  it('React Hook Form: resolves with the emitted schema', async () => {
    const resolve = standardSchemaResolver(feedbackInput.create)
    const options = { fields: {}, shouldUseNativeValidation: false }
    const { errors } = await resolve({ text: '' }, undefined, options)
    expect(errors.text?.message).toBe('Too small: expected string to have >=1 characters')
    expect(await resolve({ text: 'Good' }, undefined, options)).toEqual({ values: { text: 'Good' }, errors: {} })
  })

  it('TanStack Form: validates with the emitted schema, then shows the errors of the server', async () => {
    const defaultValues: { text: string; tags?: string[] } = { text: '', tags: ['a'] }
    const form = new FormApi({
      defaultValues,
      validators: { onChange: feedbackInput.create, onSubmitAsync: async () => toTanStackFormErrors(rejected) },
    })
    form.mount()
    form.setFieldValue('text', '')
    expect(form.state.fieldMeta.text?.errors).toMatchObject([{ message: expect.stringContaining('Too small') }])
    form.setFieldValue('text', 'Good')
    await form.handleSubmit()
    expect(form.state.errorMap.onSubmit).toBe('Closed.')
    expect(form.getFieldMeta('text')?.errors).toEqual(['Is taken.'])
    expect(form.getFieldMeta('tags[0]')?.errors).toEqual(['Is unknown.'])
  })

  it('TanStack Form: validates a form that also creates related rows', () => {
    const defaultValues = { text: 'Good', replies: { create: [{ text: '' }] } }
    const onChange = feedbackInput.create.forForm<typeof defaultValues>()
    const form = new FormApi({ defaultValues, validators: { onChange } })
    form.mount()
    form.setFieldValue('replies.create[0].text', 'Thanks')
    expect(form.state.canSubmit).toBe(true)
    form.setFieldValue('text', '')
    expect(form.state.fieldMeta.text?.errors).toMatchObject([{ message: expect.stringContaining('Too small') }])
  })

  it('Conform: replies with the errors of the server', () => {
    const data = new FormData()
    data.set('text', 'Good')
    const submission = parse(data, { resolve: (value) => ({ value }) })
    expect(submission.reply(toConformErrors(rejected)).error).toEqual({
      '': ['Closed.'],
      text: ['Is taken.'],
      'tags[0]': ['Is unknown.'],
    })
  })
})
