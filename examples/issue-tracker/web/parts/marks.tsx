import { PRIORITIES, priorityName, STATUS, type Status } from '../lib/format.js'

/** The status of an issue. */
export function StatusMark({ status }: { status: Status }) {
  return <span className={`status ${status}`}>{STATUS[status]}</span>
}

/** The priority of an issue as text and bars. */
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

/** A label in its color. */
export function LabelMark({ name, color }: { name: string; color: string }) {
  return (
    <span className="label" style={{ '--color': color } as React.CSSProperties}>
      {name}
    </span>
  )
}

/** A person's initials and name. */
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
