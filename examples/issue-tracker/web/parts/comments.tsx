import { useInfiniteQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { useAddComment, useCloseIssue, useDeleteComment } from '../lib/changes.js'
import { errorMessage, formatTime, personName } from '../lib/format.js'
import { commentsQuery } from '../lib/queries.js'
import { useSession } from '../lib/session.js'
import { Person } from './marks.js'
import { Failed, Loading } from './states.js'

/** The comments on an issue, newest first. Older ones are loaded on demand. */
export function Comments({ issueId, count, isClosed }: { issueId: number; count: number; isClosed: boolean }) {
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
      <CommentForm issueId={issueId} isClosed={isClosed} />
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

function CommentForm({ issueId, isClosed }: { issueId: number; isClosed: boolean }) {
  const [text, setText] = useState('')
  const add = useAddComment()
  const close = useCloseIssue()
  const onSuccess = () => setText('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    close.reset()
    add.mutate({ data: { text, issueId } }, { onSuccess })
  }
  const submitAndClose = () => {
    add.reset()
    close.mutate({ id: issueId, note: text }, { onSuccess })
  }
  const error = add.error ?? close.error
  const message = error ? errorMessage(error) : undefined
  const isPending = add.isPending || close.isPending
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
      <div className="buttons">
        <button type="submit" className="primary" disabled={isPending}>
          Comment
        </button>
        {!isClosed && (
          <button type="button" disabled={isPending} onClick={submitAndClose}>
            Close with comment
          </button>
        )}
      </div>
    </form>
  )
}
