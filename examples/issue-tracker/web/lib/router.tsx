import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

const NAVIGATE_EVENT = 'tracker:navigate'

function subscribe(listener: () => void): () => void {
  for (const name of ['popstate', NAVIGATE_EVENT]) addEventListener(name, listener)
  return () => {
    for (const name of ['popstate', NAVIGATE_EVENT]) removeEventListener(name, listener)
  }
}

/** Navigates to another page of the app. With `replace`, the current page is removed from the history. */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  dispatchEvent(new Event(NAVIGATE_EVENT))
  if (!replace) scrollTo(0, 0)
}

/** Returns the path of the current page. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** Returns the query of the current URL, and a function that returns the URL with some parameters changed. */
export function useSearch(): [URLSearchParams, (changes: Readonly<Record<string, string | undefined>>) => string] {
  const search = useSyncExternalStore(subscribe, () => location.search)
  const path = usePath()
  const withChanges = (changes: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    const text = String(next)
    return text === '' ? path : `${path}?${text}`
  }
  return [new URLSearchParams(search), withChanges]
}

/** A link within the app. */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
