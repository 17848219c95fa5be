import type { Submission } from '@conform-to/dom'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm as useTanStackForm } from '@tanstack/react-form'
import { useForm } from 'react-hook-form'

import { feedbackInput } from '../../fixtures/annotations/expected/feedback/input.js'
import { accountInput } from '../../fixtures/annotations/expected/account/input.js'
import { setReactHookFormErrors, toConformErrors, toTanStackFormErrors } from '../../client/index.js'
import { annotationsClient } from './rest/apis.js'

const rest = annotationsClient()

/** A form of React Hook Form. */
export function inReactHookForm() {
  const form = useForm({ resolver: standardSchemaResolver(feedbackInput.create) })
  form.register('text')
  // @ts-expect-error Unknown field.
  form.register('txt')
  return form.handleSubmit((values) =>
    rest.feedback.create(values).catch((error: unknown) => setReactHookFormErrors(form, error)),
  )
}

/** A form of React Hook Form with nullable fields, dates and enums. */
export function updateInReactHookForm(id: string) {
  const form = useForm({ resolver: standardSchemaResolver(accountInput.update) })
  form.register('trialEnds', { valueAsDate: true })
  return form.handleSubmit((values) => rest.account.update(id, values))
}

/** A form of TanStack Form. */
export function inTanStackForm() {
  return useTanStackForm({
    defaultValues: { text: '' },
    validators: {
      onChange: feedbackInput.create,
      onSubmitAsync: ({ value }) => rest.feedback.create(value).then(() => undefined, toTanStackFormErrors),
    },
  })
}

/** The values of a form that also creates related rows, and whose date is text. */
interface NestedValues {
  text: string
  visitedAt: string | undefined
  replies: { create: { text: string }[] }
}
const nestedValues: NestedValues = { text: '', visitedAt: undefined, replies: { create: [{ text: '' }] } }

/** A form of React Hook Form with related rows. */
export function nestedInReactHookForm() {
  const resolver = standardSchemaResolver(feedbackInput.create.forForm<NestedValues>())
  const form = useForm({ resolver, defaultValues: nestedValues })
  form.register('replies.create.0.text')
  // The compiler must reject a misspelled field. `forForm` replaces the type of the values, but must not turn off the check of names.
  // @ts-expect-error A misspelled field.
  form.register('replies.create.0.txt')
  return form.handleSubmit((values) => values.replies.create.length)
}

/** A form of TanStack Form with related rows. */
export function nestedInTanStackForm() {
  return useTanStackForm({
    defaultValues: nestedValues,
    validators: { onChange: feedbackInput.create.forForm<NestedValues>() },
  })
}

/** A server action with Conform. */
export async function inConform(submission: Submission<{ text: string }>) {
  if (submission.status !== 'success') return submission.reply()
  return rest.feedback.create(submission.value).then(
    () => submission.reply({ resetForm: true }),
    (error: unknown) => submission.reply(toConformErrors(error)),
  )
}
