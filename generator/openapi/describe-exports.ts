import type { Descriptions, FailedHandler, ServedDocument } from './load-result.js'

/**
 * What is asked of a handler: the part of the runtime's `ApiHandler` that answers pages. The runtime is the app's own, whichever version that
 * is, so it is recognized by what it can do.
 */
interface Handler {
  fetch(request: Request, context: AskContext): Promise<Response>
  drain(): unknown
}

interface AskContext {
  getOrm(): never
  log(message: string, error: unknown): void
}

/** Where a handler serves its document, when it is mounted at the root. */
const DOCUMENT_URL = 'http://localhost/openapi.json'

/** So much of an answer that is no document is shown. */
const SHOWN = 500

/**
 * Asks the handlers among a module's exports for their documents, as a caller would: what is committed is what is served. A handler that is
 * exported twice is asked once, under its own name before `default`.
 */
export async function describeExports(exports: Readonly<Record<string, unknown>>): Promise<Descriptions> {
  const names = Object.keys(exports).sort()
  const byHandler = new Map<Handler, string>()
  for (const name of names.toSorted((one, other) => Number(one === 'default') - Number(other === 'default'))) {
    const value = exports[name]
    if (isHandler(value) && !byHandler.has(value)) byHandler.set(value, name)
  }
  const documents: ServedDocument[] = []
  const undescribed: string[] = []
  const failed: FailedHandler[] = []
  for (const [handler, name] of byHandler) {
    const answer = await ask(handler)
    if (answer === 'no handler') continue
    if (answer === 'undescribed') undescribed.push(name)
    else if ('text' in answer) documents.push({ name, text: answer.text })
    else failed.push({ name, ...answer })
  }
  return { kind: 'described', documents, undescribed, failed, exports: names }
}

type Answer = Pick<ServedDocument, 'text'> | Omit<FailedHandler, 'name'> | 'undescribed' | 'no handler'

async function ask(handler: Handler): Promise<Answer> {
  const logged: string[] = []
  const context: AskContext = {
    getOrm: () => {
      throw new Error('A description needs no client.')
    },
    log: (message, error) => logged.push(error instanceof Error ? String(error) : message),
  }
  // A proxy may have members of every name. A handler always answers.
  const response = await Promise.resolve()
    .then(async () => handler.fetch(new Request(DOCUMENT_URL), context))
    .catch(() => undefined)
  if (response === undefined || !isResponse(response)) return 'no handler'
  const text = await response.text()
  if (response.status === 404) return 'undescribed'
  if (response.status === 200 && isDocument(text)) return { text }
  return { status: response.status, detail: logged[0] ?? text.slice(0, SHOWN) }
}

function isHandler(value: unknown): value is Handler {
  return isObject(value) && typeof value['fetch'] === 'function' && typeof value['drain'] === 'function'
}

function isResponse(value: unknown): boolean {
  return isObject(value) && typeof value['status'] === 'number' && typeof value['text'] === 'function'
}

function isDocument(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) && typeof parsed['openapi'] === 'string'
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
