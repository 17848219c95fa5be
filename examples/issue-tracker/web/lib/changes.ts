import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { ARCHIVE, rest } from './clients.js'
import { cached } from './queries.js'
import { toast, toastError } from './toasts.js'

const ID = { select: { id: true } } as const

/** Reads the lists again, which come from the other style. */
function refreshLists(queryClient: QueryClient): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: ['rest', 'issue'] })
}

/** Reads again what shows issues, after they were changed by REST. */
export function refreshIssues(queryClient: QueryClient): Promise<unknown> {
  const keys = [cached.issue.queryKey(), cached.auditLog.queryKey()]
  return Promise.all([
    refreshLists(queryClient),
    ...keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  ])
}

/** Changes an issue. The page shows the change at once, and takes it back where the server refuses it. */
export function useChangeIssue() {
  const queryClient = useQueryClient()
  return useMutation(
    cached.issue.update.mutationOptions({
      ...ID,
      optimistic: true,
      onError: (error) => toastError('That was not possible.', error),
      onSettled: () => refreshLists(queryClient),
    }),
  )
}

/** Brings an issue back from the archive. */
export function useRestoreIssue() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number | string) => rest.issue.update(id, { deletedAt: null }, {}, ARCHIVE),
    onSuccess: ({ title }) => toast(`“${title}” is back.`),
    onError: (error) => toastError('It could not be restored.', error),
    onSettled: () => refreshIssues(queryClient),
  })
}

/** Archives an issue. The message that says so can bring it back. */
export function useArchiveIssue() {
  const queryClient = useQueryClient()
  const restore = useRestoreIssue()
  return useMutation({
    mutationFn: ({ id }: { id: number; title: string }) => rest.issue.delete(id),
    onSuccess(_, { id, title }) {
      toast(`“${title}” was archived.`, { action: { label: 'Undo', run: () => restore.mutate(id) } })
      return refreshIssues(queryClient)
    },
    onError: (error) => toastError('It could not be archived.', error),
  })
}

/** Writes a comment. */
export function useAddComment() {
  return useMutation(cached.comment.create.mutationOptions(ID))
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
