/** Stands where something is being loaded. */
export function Loading() {
  return (
    <p className="muted" role="status">
      Loading…
    </p>
  )
}

/** Tells that something could not be loaded. */
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
