import type { Descriptions, FailedHandler, ServedDocument } from './load-result.js'

/**
 * The part of the runtime's `ApiHandler` that serves static endpoints. The app may use a different version of the runtime, so handlers are
 * recognized by their methods.
 */
interface Handler {
  fetch(request: Request, context: RequestContext): Promise<Response>
  drain(): unknown
}

interface RequestContext {
  getOrm(): never
  log(message: string, error: unknown): void
}

/** The URL of a handler's document, if the handler is mounted at the root. */
const DOCUMENT_URL = 'http://localhost/openapi.json'

/** Maximum length of an unexpected response in an error message. */
const MAX_DETAIL_LENGTH = 500

/**
 * Requests the document of each exported handler, so that the committed document is the served one. A handler that is exported twice is
 * requested once, and its named export takes precedence over `default`.
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
    const result = await fetchDocument(handler)
    if (result === 'no handler') continue
    if (result === 'undescribed') undescribed.push(name)
    else if ('text' in result) documents.push({ name, text: result.text })
    else failed.push({ name, ...result })
  }
  return { kind: 'described', documents, undescribed, failed, exports: names }
}

type DescribeResult = Pick<ServedDocument, 'text'> | Omit<FailedHandler, 'name'> | 'undescribed' | 'no handler'

async function fetchDocument(handler: Handler): Promise<DescribeResult> {
  const logged: string[] = []
  const context: RequestContext = {
    getOrm: () => {
      throw new Error('getOrm is not available while a handler is described.')
    },
    log: (message, error) => logged.push(error instanceof Error ? String(error) : message),
  }
  // Only a handler returns a response. Other objects, such as proxies, may also have these methods.
  const response = await Promise.resolve()
    .then(async () => handler.fetch(new Request(DOCUMENT_URL), context))
    .catch(() => undefined)
  if (response === undefined || !isResponse(response)) return 'no handler'
  const text = await response.text()
  if (response.status === 404) return 'undescribed'
  if (response.status === 200 && isDocument(text)) return { text }
  return { status: response.status, detail: logged[0] ?? text.slice(0, MAX_DETAIL_LENGTH) }
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
