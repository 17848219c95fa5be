import { useMutation } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'

import { logIn } from '../lib/session.js'

/** The login page. */
export function LogInPage() {
  const login = useMutation({
    mutationFn: (form: FormData) => logIn(String(form.get('email')), String(form.get('password'))),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    login.mutate(new FormData(event.currentTarget))
  }
  return (
    <main className="log-in">
      <form className="card" onSubmit={submit}>
        <h1>
          <span aria-hidden="true">✓</span> Tracker
        </h1>
        <p className="muted">The issues of your team, and of no other.</p>
        <label>
          Email address
          <input name="email" type="email" autoComplete="username" required autoFocus />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        {login.error && (
          <p className="error" role="alert">
            {login.error.message}
          </p>
        )}
        <button type="submit" className="primary" disabled={login.isPending}>
          Log in
        </button>
        <p className="muted small">
          To look around: <code>ada@example.com</code> of one team, <code>cleo@example.com</code> of another, with the
          password <code>correct horse</code>.
        </p>
      </form>
    </main>
  )
}
