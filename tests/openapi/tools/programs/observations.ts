/** The results of a program that reads the blog with its generated client. */
export interface Seen {
  /** The most viewed posts: `title by author`. */
  readonly posts: readonly string[]
  /** The status and the pointers of the error response to an invalid user. */
  readonly rejected: { readonly status: number; readonly pointers: readonly (string | undefined)[] }
  /** The tags of a post after one was added. */
  readonly tags: readonly string[]
  /** The number of tags on all pages, and the total that the first page reports. */
  readonly walked: number
  readonly total: number | undefined
}
