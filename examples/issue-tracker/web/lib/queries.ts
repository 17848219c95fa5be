import { createRestQueries, createRpcQueries } from '@routewright/client/query'
import { keepPreviousData } from '@tanstack/react-query'

import { graph } from '#routes/graph.js'
import { archive, rest, rpc } from './clients.js'
import type { Status } from './format.js'

/** How many issues a page of the list has. */
export const PAGE_SIZE = 10

/** How many comments are loaded at once. */
const COMMENTS = 10

const MINUTE = 60_000

const PERSON = { select: { id: true, name: true } } as const

/**
 * What mutations touch is read again by itself, in all three. That hooks of the server write the log along with these models, only the app
 * knows.
 */
const SERVER = {
  graph,
  relatedModels: { Issue: ['AuditLog'], Comment: ['AuditLog'], Attachment: ['AuditLog'] },
  otherKeys: ['rpc', 'rest', 'archive'],
} as const

/** The operations of RPC as options of TanStack Query. */
export const cached = createRpcQueries(rpc, SERVER)

/** The same of REST. */
export const listed = createRestQueries(rest, SERVER)

/** And of what is archived. */
export const archived = createRestQueries(archive, { ...SERVER, keyPrefix: 'archive' })

/** The user, with their teams. */
export const meQuery = (userId: number) =>
  cached.user.findUniqueOrThrow.queryOptions(
    { where: { id: userId }, include: { memberships: { include: { team: true } } } },
    { staleTime: MINUTE },
  )

/** Everyone in the user's teams. */
export const peopleQuery = cached.user.findMany.queryOptions(
  { ...PERSON, orderBy: { name: 'asc' } },
  { staleTime: MINUTE },
)

/** The projects of the user's teams, with what their issues can be labelled with. */
export const projectsQuery = cached.project.findMany.queryOptions(
  { include: { team: { include: { labels: { orderBy: { name: 'asc' } } } } }, orderBy: { key: 'asc' } },
  { staleTime: MINUTE },
)

/** The fields that the list can be sorted by. */
export const SORTS = ['title', 'status', 'priority', 'dueOn', 'updatedAt'] as const

/** A field that the list can be sorted by. */
export type SortField = (typeof SORTS)[number]

/** What the list shows. */
export interface IssueFilter {
  readonly text: string
  readonly status: Status | null
  readonly projectId: string
  readonly assigneeId: string
  readonly labelId: string
  readonly sort: SortField | `-${SortField}`
  readonly page: number
}

/** A page of the list. The page before is shown until it is there. */
export const issuesQuery = ({ text, status, projectId, assigneeId, labelId, sort, page }: IssueFilter) =>
  listed.issue.list.queryOptions(
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

/** What was archived, the last one first. */
export const archiveQuery = archived.issue.list.queryOptions({
  filter: { deletedAt: { isNull: false } },
  sort: ['-deletedAt'],
  include: ['project', 'author'],
  fields: { issue: ['title', 'deletedAt', 'project', 'author'], project: ['key', 'team'], user: ['name'] },
  page: { limit: 100 },
})

/** An issue, with what is shown beside it; null where there is none that the user may see. */
export const issueQuery = (id: number) =>
  cached.issue.findUnique.queryOptions({
    where: { id },
    include: {
      project: { include: { team: true } },
      author: PERSON,
      assignee: PERSON,
      labels: { orderBy: { name: 'asc' } },
      attachments: { omit: { content: true }, include: { uploader: PERSON }, orderBy: { id: 'asc' } },
      _count: { select: { comments: true } },
    },
  })

/** The comments on an issue, the newest first, a few at a time. */
export const commentsQuery = (issueId: number) =>
  cached.comment.findMany.infiniteQueryOptions({
    where: { issueId },
    include: { author: PERSON },
    orderBy: { id: 'desc' },
    take: COMMENTS,
  })

/** What was done to an issue, the last first. */
export const historyQuery = (issueId: number) =>
  cached.auditLog.findMany.queryOptions({
    where: { issueId },
    include: { actor: PERSON },
    orderBy: { id: 'desc' },
    take: 20,
  })
