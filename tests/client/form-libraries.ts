import type { Submission } from '@conform-to/dom'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm as useTanStackForm } from '@tanstack/react-form'
import { useForm } from 'react-hook-form'
import { expectTypeOf } from 'vitest'

import { feedbackInput } from '../../fixtures/annotations/expected/feedback/input.js'
import { accountInput } from '../../fixtures/annotations/expected/account/input.js'
import { enrolmentInput } from '../../fixtures/kitchen-sink/expected/enrolment/input.js'
import { scalarsInput } from '../../fixtures/kitchen-sink/expected/scalars/input.js'
import { setReactHookFormErrors, toConformErrors, toTanStackFormErrors } from '../../client/index.js'
import { annotationsClient, kitchenSinkClient } from './rest/apis.js'

const rest = annotationsClient()
const kitchenSink = kitchenSinkClient()

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

/** The values of a form whose required inputs start empty. */
interface EmptyValues {
  personId: number | null
  courseCode: string | undefined
  since: Date | null
}
const emptyValues: EmptyValues = { personId: null, courseCode: undefined, since: null }

/** Forms whose required inputs start empty. The validated values do not contain the empty ones. */
export function emptyForms() {
  const schema = enrolmentInput.create.forForm<EmptyValues>()
  useTanStackForm({ defaultValues: emptyValues, validators: { onChange: schema } })
  const form = useForm({ resolver: standardSchemaResolver(schema), defaultValues: emptyValues })
  // `forForm` types only validated values as valid. The compiler must reject those that were not validated.
  // @ts-expect-error Without validation, the values may be empty.
  kitchenSink.enrolment.create(form.getValues()).catch(() => undefined)
  return form.handleSubmit((values) => kitchenSink.enrolment.create(values))
}

/** Types of values that no form of the model has, and unusual types that a form can have. */
export function typesOfValues(schema = accountInput.create) {
  interface Required {
    handle: string
    email: string
    password: string
  }
  // The server would reject every request of such a form, so the compiler must reject its values.
  // @ts-expect-error Misspelled, so the required field is missing.
  schema.forForm<Omit<Required, 'email'> & { emial: string }>()
  // A form that can only contain invalid values must not compile, for any type of field.
  // @ts-expect-error A number is not a valid text.
  schema.forForm<Omit<Required, 'email'> & { email: number }>()
  // HTML inputs produce text. Without a conversion, it must not compile for an Int.
  // @ts-expect-error Text is not a valid Int.
  schema.forForm<Required & { age: string }>()
  schema.forForm<Record<string, unknown>>()
  schema.forForm<Partial<Required>>()
  // The server accepts text for a BigInt. An unselected enum is an empty text.
  const large = schema.forForm<Required & { views: string; plan: '' | 'FREE' }>()
  const submit = useForm({ resolver: standardSchemaResolver(large) }).handleSubmit
  void submit(({ views, plan }) => expectTypeOf([views, plan] as const).toEqualTypeOf<readonly [string, 'FREE']>())
  // A relation replaces its required foreign key.
  enrolmentInput.create.forForm<{ person: { create: object }; courseCode: string }>()
  // The compiler must know which key the relation replaces. Otherwise, it would accept a form without the required `courseCode`.
  // @ts-expect-error The relation replaces a different foreign key.
  enrolmentInput.create.forForm<{ person: { create: object } }>()
  // A Json value can be an interface or null.
  interface Settings {
    theme: string
  }
  scalarsInput.update.forForm<{ json: Settings | null; decimal: string | null }>()
}

/** A server action with Conform. */
export async function inConform(submission: Submission<{ text: string }>) {
  if (submission.status !== 'success') return submission.reply()
  return rest.feedback.create(submission.value).then(
    () => submission.reply({ resetForm: true }),
    (error: unknown) => submission.reply(toConformErrors(error)),
  )
}
