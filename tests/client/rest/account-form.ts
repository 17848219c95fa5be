import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { RestError, type RestResource, setReactHookFormErrors } from '../../../client/index.js'
import { createRestQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/versions/expected/client.js'
import { graph } from '../../../fixtures/versions/expected/graph.js'
import { versionsClient } from './apis.js'

const queries = createRestQueries(versionsClient(), { graph })

/**
 * A form that changes an account. `docs/forms.md` quotes it.
 * @param latest the account in the cache of TanStack Query
 */
export function useAccountForm(latest: RestResource<Api, 'Account'>) {
  // The account that filled the form. A refetch changes `latest`, but not the values of the form.
  const [edited, setEdited] = useState(latest)
  const form = useForm({ defaultValues: { name: latest.name, balance: latest.balance } })
  const fill = (account: typeof latest) => {
    setEdited(account)
    form.reset({ name: account.name, balance: account.balance })
  }
  const update = useMutation(queries.account.update.mutationOptions())
  const save = form.handleSubmit((data) =>
    update.mutateAsync({ id: edited, data }).then(fill, (error: unknown) => {
      if (error instanceof RestError && error.code === 'precondition-failed')
        form.setError('root.server', { type: error.code, message: 'Another user has changed this account.' })
      else setReactHookFormErrors(form, error)
    }),
  )
  return { form, save, fillAgain: () => fill(latest) }
}
