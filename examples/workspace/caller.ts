/** The value of the app's `context`: the user of a request. */
export interface Caller {
  readonly id: number
  readonly teamId: number
  readonly isAdmin: boolean
  /** Whether the request reads archived rows. */
  readonly seesArchive: boolean
  /** Sends an email. */
  readonly mail: (text: string) => void
}
