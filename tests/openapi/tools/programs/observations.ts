/** What a program has seen of the blog, by the client that was generated for it. */
export interface Seen {
  /** The most read posts: `title by author`. */
  readonly posts: readonly string[]
  /** Where a user was refused, and the status that said so. */
  readonly rejected: { readonly status: number; readonly pointers: readonly (string | undefined)[] }
  /** The tags of a post, after one was added. */
  readonly tags: readonly string[]
  /** How many tags there are, page by page, and how many the first page has said that there are. */
  readonly walked: number
  readonly total: number | undefined
}
