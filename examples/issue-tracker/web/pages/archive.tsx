import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { useRestoreIssue } from '../lib/changes.js'
import { formatTime, personName } from '../lib/format.js'
import { archiveQuery } from '../lib/queries.js'
import { Failed, Loading } from '../parts/states.js'

/** The archived issues, which can be restored. */
export function ArchivePage() {
  const { data, error, refetch } = useQuery(archiveQuery)
  const restore = useRestoreIssue()
  useEffect(() => {
    document.title = 'Archive · Tracker'
  }, [])
  return (
    <>
      <div className="title">
        <h1>Archive</h1>
      </div>
      <p className="muted">Archived issues are in no list and no search. Authors and admins can bring them back.</p>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <p className="card empty">Nothing was archived.</p>}
      {data && data.length > 0 && (
        <ul className="card archive">
          {data.map(({ id, title, deletedAt, project, author }) => (
            <li key={id}>
              <span>
                <span className="key">
                  {project.key}-{id}
                </span>
                <strong>{title}</strong>
                <small className="muted">
                  by {personName(author)}, archived {deletedAt && formatTime(deletedAt)}
                </small>
              </span>
              <button
                type="button"
                disabled={restore.isPending}
                onClick={() => restore.mutate({ id, data: { deletedAt: null } })}
              >
                Restore
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
