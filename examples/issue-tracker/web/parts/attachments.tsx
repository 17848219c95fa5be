import { useAddAttachment, useDeleteAttachment } from '../lib/changes.js'
import { rpc } from '../lib/clients.js'
import { errorMessage, formatSize, personName } from '../lib/format.js'
import { useSession } from '../lib/session.js'
import { toastError } from '../lib/toasts.js'

interface Attachment {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly uploaderId: number
  readonly uploader: { readonly name: string } | null
}

/** The files of an issue. */
export function Attachments({ issueId, attachments }: { issueId: number; attachments: readonly Attachment[] }) {
  const add = useAddAttachment()
  const remove = useDeleteAttachment()
  const me = useSession()?.userId
  // The client encodes the bytes for the API.
  const upload = async (file: File) => {
    const content = new Uint8Array(await file.arrayBuffer())
    add.mutate({ data: { issueId, name: file.name, content, ...(file.type && { type: file.type }) } })
  }
  const message = add.error ? errorMessage(add.error) : undefined
  return (
    <section aria-labelledby="files">
      <h2 id="files">
        Files <span className="count">{attachments.length}</span>
      </h2>
      <ul className="files">
        {attachments.map(({ id, name, size, uploader, uploaderId }) => (
          <li key={id}>
            <button type="button" className="link" onClick={() => void download(id)}>
              {name}
            </button>
            <span className="muted">
              {formatSize(size)}, from {personName(uploader)}
            </span>
            {uploaderId === me && (
              <button
                type="button"
                className="link"
                aria-label={`Remove ${name}`}
                onClick={() => remove.mutate({ where: { id } })}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      <label className="upload">
        <span>{add.isPending ? 'Adding…' : 'Add a file (64 kB at most)'}</span>
        <input
          type="file"
          disabled={add.isPending}
          aria-describedby={message === undefined ? undefined : 'file-error'}
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file) void upload(file)
            target.value = ''
          }}
        />
      </label>
      {message !== undefined && (
        <p className="error" id="file-error" role="alert">
          {message}
        </p>
      )}
    </section>
  )
}

/** Downloads a file. */
async function download(id: number): Promise<void> {
  try {
    const select = { name: true, type: true, content: true }
    const { name, content } = await rpc.attachment.findUniqueOrThrow({ where: { id }, select })
    // The file's own type is not used, because an uploaded HTML page would run with this app's origin.
    const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: name })
    link.click()
    URL.revokeObjectURL(url)
  } catch (error) {
    toastError('The file could not be loaded.', error)
  }
}
