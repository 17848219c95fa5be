/** A placeholder while data is loading. */
export function Loading() {
  return (
    <p className="muted" role="status">
      Loading…
    </p>
  )
}

/** An error message with a button to retry. */
export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div className="card failed" role="alert">
      <p>{error.message}</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
