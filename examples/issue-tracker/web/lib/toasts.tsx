import { useEffect, useSyncExternalStore } from 'react'

/** A notification that disappears after some time. */
interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'done' | 'failed'
  /** A button. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SECONDS = 8
const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let last = 0

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a notification. */
export function toast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  last += 1
  set([...toasts.slice(-2), { id: last, text, kind: 'done', ...options }])
}

/** Shows an error notification. */
export function toastError(action: string, error: unknown): void {
  toast(`${action} ${error instanceof Error ? error.message : ''}`.trim(), { kind: 'failed' })
}

/** The visible notifications. */
export function Toasts() {
  const visible = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {visible.map((one) => (
        <Message key={one.id} {...one} />
      ))}
    </div>
  )
}

function Message({ id, text, kind, action }: Toast) {
  const close = () => set(toasts.filter((one) => one.id !== id))
  useEffect(() => {
    const timer = setTimeout(close, SECONDS * 1000)
    return () => clearTimeout(timer)
  })
  return (
    <div className={`toast ${kind}`}>
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className="link"
          onClick={() => {
            action.run()
            close()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="link" onClick={close} aria-label="Close this message">
        ✕
      </button>
    </div>
  )
}
