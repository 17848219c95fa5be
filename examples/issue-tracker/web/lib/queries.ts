import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { ARCHIVE, rest, rpc } from './clients.js'
import type { Status } from './format.js'

/** How many issues a page of the list has. */
export const PAGE_SIZE = 10

/** How many comments are loaded at once. */
const COMMENTS = 10

const PERSON = { select: { id: true, name: true } } as const

/** The user, with their teams. */
export const meQuery = (userId: number) =>
  queryOptions({
    queryKey: ['rpc', 'user', 'findUniqueOrThrow', userId],
    queryFn: ({ signal }) =>
      rpc.user.findUniqueOrThrow(
        { where: { id: userId }, include: { memberships: { include: { team: true } } } },
        { signal },
      ),
    staleTime: 60_000,
  })

/** Everyone in the user's teams. */
export const peopleQuery = queryOptions({
  queryKey: ['rpc', 'user', 'findMany'],
  queryFn: ({ signal }) => rpc.user.findMany({ ...PERSON, orderBy: { name: 'asc' } }, { signal }),
  staleTime: 60_000,
})

/** The projects of the user's teams, with what their issues can be labelled with. */
export const projectsQuery = queryOptions({
  queryKey: ['rpc', 'project', 'findMany'],
  queryFn: ({ signal }) =>
    rpc.project.findMany(
      { include: { team: { include: { labels: { orderBy: { name: 'asc' } } } } }, orderBy: { key: 'asc' } },
      { signal },
    ),
  staleTime: 60_000,
})

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

/** A page of the list. */
export const issuesQuery = ({ text, status, projectId, assigneeId, labelId, sort, page }: IssueFilter) =>
  queryOptions({
    queryKey: ['rest', 'issue', 'list', { text, status, projectId, assigneeId, labelId, sort, page }],
    queryFn: ({ signal }) =>
      rest.issue.list(
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
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

/** What was archived, the last one first. */
export const archiveQuery = queryOptions({
  queryKey: ['rest', 'issue', 'list', 'archive'],
  queryFn: ({ signal }) =>
    rest.issue.list(
      {
        filter: { deletedAt: { isNull: false } },
        sort: ['-deletedAt'],
        include: ['project', 'author'],
        fields: { issue: ['title', 'deletedAt', 'project', 'author'], project: ['key', 'team'], user: ['name'] },
        page: { limit: 100 },
      },
      { ...ARCHIVE, signal },
    ),
})

/** An issue, with what is shown beside it; null where there is none that the user may see. */
export const issueQuery = (id: number) =>
  queryOptions({
    queryKey: ['rpc', 'issue', 'findUnique', id],
    queryFn: ({ signal }) =>
      rpc.issue.findUnique(
        {
          where: { id },
          include: {
            project: { include: { team: true } },
            author: PERSON,
            assignee: PERSON,
            labels: { orderBy: { name: 'asc' } },
            attachments: { omit: { content: true }, include: { uploader: PERSON }, orderBy: { id: 'asc' } },
            _count: { select: { comments: true } },
          },
        },
        { signal },
      ),
  })

/** The comments on an issue, the newest first, a few at a time. */
export const commentsQuery = (issueId: number) =>
  infiniteQueryOptions({
    queryKey: ['rpc', 'comment', 'findMany', issueId],
    queryFn: ({ pageParam, signal }) =>
      rpc.comment.findMany(
        {
          where: { issueId, ...(pageParam !== null && { id: { lt: pageParam } }) },
          include: { author: PERSON },
          orderBy: { id: 'desc' },
          take: COMMENTS,
        },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < COMMENTS ? null : (page.at(-1)?.id ?? null)),
  })

/** What was done to an issue, the last first. */
export const historyQuery = (issueId: number) =>
  queryOptions({
    queryKey: ['rpc', 'auditLog', 'findMany', issueId],
    queryFn: ({ signal }) =>
      rpc.auditLog.findMany(
        { where: { issueId }, include: { actor: PERSON }, orderBy: { id: 'desc' }, take: 20 },
        { signal },
      ),
  })
