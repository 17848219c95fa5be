import { PAGE_SIZE } from '../lib/queries.js'
import { Link } from '../lib/router.js'

interface Props {
  readonly page: number
  readonly total: number
  readonly toHref: (page: number) => string
}

/** The page navigation of a list. */
export function Pager({ page, total, toHref }: Props) {
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const first = (page - 1) * PAGE_SIZE + 1
  return (
    <nav className="pager" aria-label="Pages of the list">
      <Step to={page > 1 ? toHref(page - 1) : undefined} name="← Previous" />
      <span aria-current="page">
        {total === 0 ? 'None' : `${first}–${Math.min(total, first + PAGE_SIZE - 1)} of ${total}`}
      </span>
      <Step to={page < pages ? toHref(page + 1) : undefined} name="Next →" />
    </nav>
  )
}

function Step({ to, name }: { to: string | undefined; name: string }) {
  if (to === undefined) return <span className="button off">{name}</span>
  return (
    <Link className="button" href={to}>
      {name}
    </Link>
  )
}
