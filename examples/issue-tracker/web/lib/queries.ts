import { createRestQueries, createRpcQueriesWithRoutes } from '@routewright/client/query'
import { keepPreviousData } from '@tanstack/react-query'

import { graph } from '#routes/graph.js'
import { archive, rest, rpc } from './clients.js'
import type { Status } from './format.js'

/** Number of issues per page. */
export const PAGE_SIZE = 10

/** Number of comments per page. */
const COMMENTS = 10

const MINUTE = 60_000

const PERSON_ARGS = { select: { id: true, name: true } } as const

/** Mutations invalidate affected queries of all three clients. `relatedModels` declares the models that server-side hooks also write. */
const SERVER = {
  graph,
  relatedModels: { Issue: ['AuditLog'], Comment: ['AuditLog'], Attachment: ['AuditLog'] },
  otherKeys: ['rpc', 'rest', 'archive'],
} as const

/** Query options of the RPC client, with the app's own routes. */
export const cached = createRpcQueriesWithRoutes(rpc, SERVER)

/** Query options of the REST client. */
export const restQueries = createRestQueries(rest, SERVER)

/** Query options of the archive client. */
export const archived = createRestQueries(archive, { ...SERVER, keyPrefix: 'archive' })

/** The user with their teams. */
export const meQuery = (userId: number) =>
  cached.user.findUniqueOrThrow.queryOptions(
    { where: { id: userId }, include: { memberships: { include: { team: true } } } },
    { staleTime: MINUTE },
  )

/** All members of the user's teams. */
export const peopleQuery = cached.user.findMany.queryOptions(
  { ...PERSON_ARGS, orderBy: { name: 'asc' } },
  { staleTime: MINUTE },
)

/** The projects of the user's teams, with the teams' labels. */
export const projectsQuery = cached.project.findMany.queryOptions(
  { include: { team: { include: { labels: { orderBy: { name: 'asc' } } } } }, orderBy: { key: 'asc' } },
  { staleTime: MINUTE },
)

/** The fields that the list can be sorted by. */
export const SORTS = ['title', 'status', 'priority', 'dueOn', 'updatedAt'] as const

/** A field that the list can be sorted by. */
export type SortField = (typeof SORTS)[number]

/** The filters, sort order and page of the list. */
export interface IssueFilter {
  readonly text: string
  readonly status: Status | null
  readonly projectId: string
  readonly assigneeId: string
  readonly labelId: string
  readonly sort: SortField | `-${SortField}`
  readonly page: number
}

/** A page of the list. The previous page is shown until it is loaded. */
export const issuesQuery = ({ text, status, projectId, assigneeId, labelId, sort, page }: IssueFilter) =>
  restQueries.issue.list.queryOptions(
    {
      filter: {
        ...(text && { title: { icontains: text } }),
        ...(status && { status }),
        ...(projectId && { project: projectId }),
        ...(assigneeId && { assignee: assigneeId === 'none' ? null : assigneeId }),
        ...(labelId && { labels: labelId }),
      },
      sort: [sort],
      include: ['project', 'assignee', 'labels'],
      fields: {
        issue: ['title', 'status', 'priority', 'dueOn', 'updatedAt', 'project', 'assignee', 'labels'],
        project: ['key', 'name'],
        user: ['name'],
        label: ['name', 'color'],
      },
      page: { number: page, size: PAGE_SIZE },
    },
    { placeholderData: keepPreviousData },
  )

/** The archived issues, most recently archived first. */
export const archiveQuery = archived.issue.list.queryOptions({
  filter: { deletedAt: { isNull: false } },
  sort: ['-deletedAt'],
  include: ['project', 'author'],
  fields: { issue: ['title', 'deletedAt', 'project', 'author'], project: ['key', 'team'], user: ['name'] },
  page: { limit: 100 },
})

/** An issue with related data, or null if the user cannot see an issue with this id. */
export const issueQuery = (id: number) =>
  cached.issue.findUnique.queryOptions({
    where: { id },
    include: {
      project: { include: { team: true } },
      author: PERSON_ARGS,
      assignee: PERSON_ARGS,
      labels: { orderBy: { name: 'asc' } },
      attachments: { omit: { content: true }, include: { uploader: PERSON_ARGS }, orderBy: { id: 'asc' } },
      _count: { select: { comments: true } },
    },
  })

/** The comments on an issue, newest first, in pages. */
export const commentsQuery = (issueId: number) =>
  cached.comment.findMany.infiniteQueryOptions({
    where: { issueId },
    include: { author: PERSON_ARGS },
    orderBy: { id: 'desc' },
    take: COMMENTS,
  })

/** The latest log entries of an issue, newest first. */
export const historyQuery = (issueId: number) =>
  cached.auditLog.findMany.queryOptions({
    where: { issueId },
    include: { actor: PERSON_ARGS },
    orderBy: { id: 'desc' },
    take: 20,
  })
