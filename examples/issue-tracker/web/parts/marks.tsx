import { PRIORITIES, priorityName, STATUS, type Status } from '../lib/format.js'

/** The state of an issue. */
export function StatusMark({ status }: { status: Status }) {
  return <span className={`status ${status}`}>{STATUS[status]}</span>
}

/** The priority of an issue: a word, and how many bars. */
export function PriorityMark({ priority }: { priority: number }) {
  return (
    <span className={`priority p${priority}`}>
      <span className="bars" aria-hidden="true">
        {PRIORITIES.map((name, at) => (
          <i key={name} className={at <= PRIORITIES.length - priority ? 'on' : ''} />
        ))}
      </span>
      {priorityName(priority)}
    </span>
  )
}

/** A label in its colour. */
export function LabelMark({ name, color }: { name: string; color: string }) {
  return (
    <span className="label" style={{ '--color': color } as React.CSSProperties}>
      {name}
    </span>
  )
}

/** Somebody: their initials, and their name. */
export function Person({ name }: { name: string | undefined }) {
  if (name === undefined) return <span className="muted">Nobody</span>
  const initials = name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
  return (
    <span className="person">
      <span className="avatar" aria-hidden="true">
        {initials}
      </span>
      {name}
    </span>
  )
}
