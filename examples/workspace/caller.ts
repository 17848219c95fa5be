/** What the app knows of a request. */
export interface Caller {
  readonly id: number
  readonly teamId: number
  readonly isAdmin: boolean
  /** Whether archived documents are to be seen. */
  readonly seesArchive: boolean
  /** Sends a mail. */
  readonly mail: (text: string) => void
}
