import { useMutation } from '@tanstack/react-query'

import { archived, cached, restQueries } from './queries.js'
import { toast, toastError } from './toasts.js'

const ID = { select: { id: true } } as const

/** Updates an issue. The page shows the change immediately and undoes it if the server rejects it. */
export function useChangeIssue() {
  return useMutation(
    cached.issue.update.mutationOptions({
      ...ID,
      optimistic: true,
      onError: (error) => toastError('That was not possible.', error),
    }),
  )
}

/** Restores an issue from the archive. */
export function useRestoreIssue() {
  return useMutation(
    archived.issue.update.mutationOptions({
      onSuccess: ({ title }) => toast(`“${title}” is back.`),
      onError: (error) => toastError('It could not be restored.', error),
    }),
  )
}

/** Archives an issue. The notification has a button to restore it. */
export function useArchiveIssue() {
  const restore = useRestoreIssue()
  return useMutation(
    restQueries.issue.delete.mutationOptions({
      onSuccess(_, id) {
        const run = () => restore.mutate({ id, data: { deletedAt: null } })
        toast('The issue was archived.', { action: { label: 'Undo', run } })
      },
      onError: (error) => toastError('It could not be archived.', error),
    }),
  )
}

/** Adds a comment. */
export function useAddComment() {
  return useMutation(cached.comment.create.mutationOptions(ID))
}

/** Closes an issue with a comment. */
export function useCloseIssue() {
  return useMutation(cached.issue.close.mutationOptions())
}

/** Deletes a comment. */
export function useDeleteComment() {
  return useMutation(
    cached.comment.delete.mutationOptions({
      ...ID,
      onError: (error) => toastError('The comment could not be deleted.', error),
    }),
  )
}

/** Adds a file to an issue. */
export function useAddAttachment() {
  return useMutation(cached.attachment.create.mutationOptions(ID))
}

/** Removes a file. */
export function useDeleteAttachment() {
  return useMutation(
    cached.attachment.delete.mutationOptions({
      ...ID,
      onError: (error) => toastError('The file could not be removed.', error),
    }),
  )
}
