import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { meQuery } from './lib/queries.js'
import { Link, usePath } from './lib/router.js'
import { logOut, useSession } from './lib/session.js'
import { Toasts } from './lib/toasts.js'
import { ArchivePage } from './pages/archive.js'
import { EditIssuePage, NewIssuePage } from './pages/issue-form.js'
import { IssuePage } from './pages/issue.js'
import { IssuesPage } from './pages/issues.js'
import { LogInPage } from './pages/log-in.js'

/** The app: the page for the current URL, or the login page. */
export function App() {
  const session = useSession()
  const queryClient = useQueryClient()
  // The next user must not see cached data of the previous one.
  useEffect(() => {
    if (!session) queryClient.clear()
  }, [session, queryClient])
  return (
    <>
      {session ? <Pages userId={session.userId} /> : <LogInPage />}
      <Toasts />
    </>
  )
}

function Pages({ userId }: { userId: number }) {
  const path = usePath()
  const me = useQuery(meQuery(userId)).data
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          <span aria-hidden="true">✓</span> Tracker
        </Link>
        <nav aria-label="Pages">
          <NavLink href="/" name="Issues" path={path} />
          <NavLink href="/archive" name="Archive" path={path} />
        </nav>
        <div className="me">
          {me && (
            <span>
              <strong>{me.name}</strong>
              <small>{me.memberships.map(({ team }) => team.name).join(', ')}</small>
            </span>
          )}
          <button type="button" onClick={logOut}>
            Log out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Page path={path} />
      </main>
    </>
  )
}

function NavLink({ href, name, path }: { href: string; name: string; path: string }) {
  return (
    <Link href={href} aria-current={path === href ? 'page' : undefined}>
      {name}
    </Link>
  )
}

function Page({ path }: { path: string }) {
  if (path === '/') return <IssuesPage />
  if (path === '/archive') return <ArchivePage />
  if (path === '/issues/new') return <NewIssuePage />
  const [, id, edit] = /^\/issues\/(\d{1,9})(\/edit)?$/.exec(path) ?? []
  if (id === undefined) return <h1>There is no such page.</h1>
  return edit ? <EditIssuePage key={id} id={Number(id)} /> : <IssuePage key={id} id={Number(id)} />
}
