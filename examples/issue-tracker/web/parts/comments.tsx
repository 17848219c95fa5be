import { useInfiniteQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { useAddComment, useDeleteComment } from '../lib/changes.js'
import { errorMessage, formatTime, personName } from '../lib/format.js'
import { commentsQuery } from '../lib/queries.js'
import { useSession } from '../lib/session.js'
import { Person } from './marks.js'
import { Failed, Loading } from './states.js'

/** The comments on an issue, newest first. Older ones are loaded on demand. */
export function Comments({ issueId, count }: { issueId: number; count: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    commentsQuery(issueId),
  )
  const remove = useDeleteComment()
  const me = useSession()?.userId
  const comments = data?.pages.flat() ?? []
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">
        Comments <span className="count">{count}</span>
      </h2>
      <CommentForm issueId={issueId} />
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      <ol className="comments">
        {comments.map(({ id, text, createdAt, author, authorId }) => (
          <li key={id}>
            <header>
              <Person name={personName(author)} />
              <time dateTime={createdAt.toISOString()}>{formatTime(createdAt)}</time>
              {authorId === me && (
                <button type="button" className="link" onClick={() => remove.mutate({ where: { id } })}>
                  Delete
                </button>
              )}
            </header>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          {isFetchingNextPage ? 'Loading…' : `Show older comments (${count - comments.length})`}
        </button>
      )}
    </section>
  )
}

function CommentForm({ issueId }: { issueId: number }) {
  const [text, setText] = useState('')
  const add = useAddComment()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate({ data: { text, issueId } }, { onSuccess: () => setText('') })
  }
  const message = add.error ? errorMessage(add.error) : undefined
  return (
    <form className="comment-form" onSubmit={submit} noValidate>
      <label>
        <span className="hidden">Your comment</span>
        <textarea
          rows={3}
          value={text}
          placeholder="Write a comment"
          onChange={(event) => setText(event.target.value)}
          aria-invalid={message !== undefined}
          aria-describedby={message === undefined ? undefined : 'comment-error'}
        />
      </label>
      {message !== undefined && (
        <p className="error" id="comment-error" role="alert">
          {message}
        </p>
      )}
      <button type="submit" className="primary" disabled={add.isPending}>
        Comment
      </button>
    </form>
  )
}
