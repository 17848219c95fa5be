import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { ARCHIVE, rest, rpc } from './clients.js'
import type { Status } from './format.js'
import { commentsQuery, historyQuery, issueQuery } from './queries.js'
import { toast, toastError } from './toasts.js'

/** What the page of an issue changes in place. */
export interface IssueChange {
  readonly status?: Status
  readonly priority?: number
  readonly assigneeId?: number | null
}

/** Reads again what shows issues, where it is on the page; what is not is read again when it is. */
export function refreshIssues(queryClient: QueryClient): Promise<unknown> {
  const keys = [
    ['rest', 'issue'],
    ['rpc', 'issue'],
    ['rpc', 'auditLog'],
  ]
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Changes an issue. The page shows the change at once, and takes it back where the server refuses it. */
export function useChangeIssue(id: number) {
  const queryClient = useQueryClient()
  const { queryKey } = issueQuery(id)
  return useMutation({
    mutationFn: ({ assigneeId, ...change }: IssueChange & { readonly assigneeName?: string }) =>
      rpc.issue.update({
        where: { id },
        data: { ...pickChange(change), ...(assigneeId !== undefined && { assigneeId }) },
        select: { id: true },
      }),
    async onMutate({ assigneeName, ...change }) {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (issue) => {
        if (!issue) return issue
        const { assigneeId = issue.assigneeId } = change
        const assignee =
          assigneeId === issue.assigneeId
            ? issue.assignee
            : assigneeId === null
              ? null
              : { id: assigneeId, name: assigneeName ?? '' }
        return { ...issue, ...pickChange(change), assigneeId, assignee }
      })
      return { before }
    },
    onError(error, _change, context) {
      queryClient.setQueryData(queryKey, context?.before)
      toastError('That was not possible.', error)
    },
    onSettled: () => refreshIssues(queryClient),
  })
}

function pickChange({ status, priority }: IssueChange) {
  return { ...(status !== undefined && { status }), ...(priority !== undefined && { priority }) }
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
export function useAddComment(issueId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => rpc.comment.create({ data: { text, issueId }, select: { id: true } }),
    onSuccess: () => refreshBelow(queryClient, issueId),
  })
}

/** Deletes a comment. */
export function useDeleteComment(issueId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => rpc.comment.delete({ where: { id }, select: { id: true } }),
    onSuccess: () => refreshBelow(queryClient, issueId),
    onError: (error) => toastError('The comment could not be deleted.', error),
  })
}

/** Adds a file to an issue. Its bytes go as they are; the client writes them as the API wants them. */
export function useAddAttachment(issueId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (file: File) =>
      rpc.attachment.create({
        data: {
          issueId,
          name: file.name,
          content: new Uint8Array(await file.arrayBuffer()),
          ...(file.type && { type: file.type }),
        },
        select: { id: true },
      }),
    onSuccess: () => refreshBelow(queryClient, issueId),
  })
}

/** Removes a file. */
export function useDeleteAttachment(issueId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => rpc.attachment.delete({ where: { id }, select: { id: true } }),
    onSuccess: () => refreshBelow(queryClient, issueId),
    onError: (error) => toastError('The file could not be removed.', error),
  })
}

/** Reads again what an issue has. */
function refreshBelow(queryClient: QueryClient, issueId: number): Promise<unknown> {
  const queries = [issueQuery(issueId), commentsQuery(issueId), historyQuery(issueId)]
  return Promise.all(queries.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
}
