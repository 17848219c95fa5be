import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { useArchiveIssue, useChangeIssue } from '../lib/changes.js'
import { formatDay, formatTime, isStatus, personName, PRIORITIES, STATUS, STATUSES } from '../lib/format.js'
import { issueQuery, meQuery, peopleQuery } from '../lib/queries.js'
import { Link, navigate } from '../lib/router.js'
import { useSession } from '../lib/session.js'
import { Attachments } from '../parts/attachments.js'
import { Comments } from '../parts/comments.js'
import { History } from '../parts/history.js'
import { LabelMark, StatusMark } from '../parts/marks.js'
import { Failed, Loading } from '../parts/states.js'

/** The page of an issue with its comments. */
export function IssuePage({ id }: { id: number }) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id))
  const session = useSession()
  const me = useQuery({ ...meQuery(session?.userId ?? 0), enabled: session !== null }).data
  const archive = useArchiveIssue()
  useEffect(() => {
    document.title = `${issue?.title ?? 'Issue'} · Tracker`
  }, [issue?.title])

  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (issue === undefined) return <Loading />
  if (issue === null) return <NotFound />
  const { title, description, project, author, authorId, createdAt, status, labels, attachments, _count } = issue
  const isAdmin = me?.memberships.some(({ teamId, role }) => teamId === project.teamId && role === 'ADMIN') ?? false
  return (
    <article className="issue">
      <p className="path">
        <Link href="/">Issues</Link> / {project.team.name} / {project.name}
      </p>
      <div className="title">
        <h1>
          <span className="key">
            {project.key}-{id}
          </span>{' '}
          {title}
        </h1>
        <div className="buttons">
          <Link className="button" href={`/issues/${id}/edit`}>
            Edit
          </Link>
          {(isAdmin || authorId === me?.id) && (
            <button
              type="button"
              disabled={archive.isPending}
              onClick={() => archive.mutate(id, { onSuccess: () => navigate('/') })}
            >
              Archive
            </button>
          )}
        </div>
      </div>
      <p className="byline">
        <StatusMark status={status} /> reported by <strong>{personName(author)}</strong> on {formatTime(createdAt)}
        {labels.map((label) => (
          <LabelMark key={label.id} {...label} />
        ))}
      </p>
      <div className="columns">
        <div>
          <p className="description card">{description || <span className="muted">No description.</span>}</p>
          <Comments issueId={id} count={_count.comments} isClosed={status === 'DONE'} />
        </div>
        <aside>
          <Details issue={issue} />
          <Attachments issueId={id} attachments={attachments} />
          <History issueId={id} />
        </aside>
      </div>
    </article>
  )
}

type Details = Parameters<typeof StatusMark>[0] & {
  readonly id: number
  readonly priority: number
  readonly dueOn: Date | null
  readonly assigneeId: number | null
}

/** The fields that can be edited in place. */
function Details({ issue: { id, status, priority, dueOn, assigneeId } }: { issue: Details }) {
  const people = useQuery(peopleQuery).data ?? []
  const { mutate } = useChangeIssue()
  const change = (data: Parameters<typeof mutate>[0]['data']) => mutate({ where: { id }, data })
  const assign = (value: string) => change({ assigneeId: value === '' ? null : Number(value) })
  return (
    <section className="card details" aria-label="Details">
      <label>
        Status
        <select value={status} onChange={({ target }) => isStatus(target.value) && change({ status: target.value })}>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {STATUS[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Assignee
        <select value={assigneeId ?? ''} onChange={({ target }) => assign(target.value)}>
          <option value="">Nobody</option>
          {people.map((person) => (
            <option key={person.id} value={person.id}>
              {person.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Priority
        <select value={priority} onChange={({ target }) => change({ priority: Number(target.value) })}>
          {PRIORITIES.map((name, at) => (
            <option key={name} value={at + 1}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div className="pair">
        Due <span>{dueOn ? formatDay(dueOn) : <span className="muted">no date</span>}</span>
      </div>
    </section>
  )
}

function NotFound() {
  return (
    <div className="card empty">
      <h1>There is no such issue.</h1>
      <p className="muted">It was archived, or it is not one of your teams’.</p>
      <Link href="/">All issues</Link>
    </div>
  )
}
