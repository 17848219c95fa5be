import { useSyncExternalStore } from 'react'

/** Who is logged in. */
export interface Session {
  readonly token: string
  readonly userId: number
}

const KEY = 'tracker.session'
const listeners = new Set<() => void>()
let current = read()

function read(): Session | null {
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

/** The session of this browser; null where nobody is logged in. */
export function getSession(): Session | null {
  return current
}

function setSession(session: Session | null): void {
  current = session
  if (session) localStorage.setItem(KEY, JSON.stringify(session))
  else localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

/** The same, for components. */
export function useSession(): Session | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getSession)
}

/**
 * Logs in.
 * @throws Error that says why it is refused
 */
export async function logIn(email: string, password: string): Promise<void> {
  const response = await fetch('/api/login', { method: 'POST', body: JSON.stringify({ email, password }) })
  const answer: unknown = await response.json()
  if (response.ok && isSession(answer)) return setSession(answer)
  const message = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : undefined
  throw new Error(typeof message === 'string' ? message : `The server answered with ${response.status}.`)
}

/** Forgets the session. */
export function logOut(): void {
  setSession(null)
}
