import { useSyncExternalStore } from 'react'

/** The session of the logged-in user. */
export interface Session {
  readonly token: string
  readonly userId: number
}

const KEY = 'tracker.session'
const listeners = new Set<() => void>()
let current = readSession()

function readSession(): Session | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isSession(stored) ? stored : null
  } catch {
    return null
  }
}

function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'token' in value && 'userId' in value
}

/** Returns the session of this browser, or null if no user is logged in. */
export function getSession(): Session | null {
  return current
}

function setSession(session: Session | null): void {
  current = session
  if (session) localStorage.setItem(KEY, JSON.stringify(session))
  else localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

/** The same as a hook for components. */
export function useSession(): Session | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getSession)
}

/**
 * Logs in.
 * @throws Error with the server's message if it rejects the login
 */
export async function logIn(email: string, password: string): Promise<void> {
  const response = await fetch('/api/login', { method: 'POST', body: JSON.stringify({ email, password }) })
  const body: unknown = await response.json()
  if (response.ok && isSession(body)) return setSession(body)
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  throw new Error(typeof message === 'string' ? message : `The server answered with ${response.status}.`)
}

/** Ends the session in this browser. */
export function logOut(): void {
  setSession(null)
}
