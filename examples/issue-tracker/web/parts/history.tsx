import { useQuery } from '@tanstack/react-query'

import { formatTime, personName } from '../lib/format.js'
import { historyQuery } from '../lib/queries.js'

const VERBS = new Map([
  ['create', 'added'],
  ['update', 'changed'],
  ['delete', 'removed'],
])

/** The history of an issue, from the log that a hook writes. */
export function History({ issueId }: { issueId: number }) {
  const entries = useQuery(historyQuery(issueId)).data ?? []
  if (entries.length === 0) return null
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <ol className="history">
        {entries.map(({ id, at, action, model, changes, actor }) => (
          <li key={id}>
            <strong>{personName(actor)}</strong> {describeAction(action, model, changes)}{' '}
            <time dateTime={at.toISOString()}>{formatTime(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  )
}

function describeAction(action: string, model: string, changes: unknown): string {
  if (model !== 'Issue') return `${VERBS.get(action) ?? action} a ${model === 'Comment' ? 'comment' : 'file'}`
  if (action === 'create') return 'reported it'
  const names = typeof changes === 'object' && changes !== null ? Object.entries(changes) : []
  const archived = names.find(([name]) => name === 'deletedAt')
  if (archived) return archived[1] === null ? 'restored it' : 'archived it'
  return `changed ${names.map(([name]) => name.replace(/(Id|On)$/, '')).join(', ') || 'it'}`
}
