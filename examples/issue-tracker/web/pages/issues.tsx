import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { formatDay, formatTime, isStatus } from '../lib/format.js'
import { type IssueFilter, issuesQuery, type SortField, SORTS } from '../lib/queries.js'
import { Link, navigate, useSearch } from '../lib/router.js'
import { Filters } from '../parts/filters.js'
import { LabelMark, Person, PriorityMark, StatusMark } from '../parts/marks.js'
import { Pager } from '../parts/pager.js'
import { Failed, Loading } from '../parts/states.js'

const COLUMNS: Readonly<Record<SortField, string>> = {
  title: 'Issue',
  status: 'Status',
  priority: 'Priority',
  dueOn: 'Due',
  updatedAt: 'Changed',
}

/** The list of issues of the user's teams. Its state is in the URL, so that it can be bookmarked and shared. */
export function IssuesPage() {
  const [search, withChanges] = useSearch()
  const filter = parseFilter(search)
  const { data, error, refetch, isPlaceholderData } = useQuery(issuesQuery(filter))
  const isFiltered = [...search.keys()].some((name) => name !== 'sort' && name !== 'page')
  useEffect(() => {
    document.title = 'Issues · Tracker'
  }, [])
  return (
    <>
      <div className="title">
        <h1>Issues</h1>
        <Link className="button primary" href="/issues/new">
          New issue
        </Link>
      </div>
      <Filters
        filter={filter}
        change={(changes) => navigate(withChanges({ ...changes, page: undefined }), { replace: true })}
      />
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && data.length === 0 && (
        <div className="card empty">
          <p>{isFiltered ? 'No issue fits.' : 'There are no issues yet.'}</p>
          {isFiltered && <Link href="/">Show all</Link>}
        </div>
      )}
      {data && data.length > 0 && (
        <div className="card table" aria-busy={isPlaceholderData}>
          <table>
            <thead>
              <tr>
                {SORTS.map((field) => (
                  <SortHeader
                    key={field}
                    field={field}
                    sort={filter.sort}
                    toHref={(sort) => withChanges({ sort, page: undefined })}
                  />
                ))}
                <th scope="col">Assignee</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ id, title, status, priority, dueOn, updatedAt, project, assignee, labels }) => (
                <tr key={id}>
                  <td className="what">
                    <span className="key">
                      {project.key}-{id}
                    </span>
                    <Link href={`/issues/${id}`}>{title}</Link>
                    {labels.map((label) => (
                      <LabelMark key={label.id} {...label} />
                    ))}
                  </td>
                  <td>
                    <StatusMark status={status} />
                  </td>
                  <td>
                    <PriorityMark priority={priority} />
                  </td>
                  <td className={dueOn ? 'due' : 'due none'}>{dueOn ? formatDay(dueOn) : '–'}</td>
                  <td className="changed">
                    <time dateTime={updatedAt.toISOString()} title={formatTime(updatedAt)}>
                      {formatDay(updatedAt)}
                    </time>
                  </td>
                  <td>
                    <Person name={assignee?.name} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data?.total !== undefined && data.total > 0 && (
        <Pager page={filter.page} total={data.total} toHref={(page) => withChanges({ page: String(page) })} />
      )}
    </>
  )
}

function SortHeader(props: { field: SortField; sort: string; toHref: (sort: string) => string }) {
  const { field, sort, toHref } = props
  const isAscending = sort === field
  const isDescending = sort === `-${field}`
  return (
    <th scope="col" aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : undefined}>
      <Link href={toHref(isAscending ? `-${field}` : field)}>
        {COLUMNS[field]}
        <span aria-hidden="true">{isAscending ? ' ↑' : isDescending ? ' ↓' : ''}</span>
      </Link>
    </th>
  )
}

function parseFilter(search: URLSearchParams): IssueFilter {
  const number = (name: string) => (/^\d{1,9}$/.test(search.get(name) ?? '') ? (search.get(name) ?? '') : '')
  const status = search.get('status')
  return {
    text: search.get('q') ?? '',
    status: isStatus(status) ? status : null,
    projectId: number('project'),
    assigneeId: search.get('assignee') === 'none' ? 'none' : number('assignee'),
    labelId: number('label'),
    sort: parseSort(search.get('sort')),
    page: Math.max(1, Number(number('page'))),
  }
}

function parseSort(text: string | null): IssueFilter['sort'] {
  const field = SORTS.find((name) => text === name || text === `-${name}`)
  return field === undefined ? '-updatedAt' : text === field ? field : `-${field}`
}
