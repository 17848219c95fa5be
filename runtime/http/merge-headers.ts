import type { Context } from 'hono'

/**
 * An answer with the headers that were set on a context before, of which it knows nothing. Where both say something the answer's own
 * counts, but for `Vary` and cookies, which are put together.
 */
export function mergeContextHeaders(c: Context, answer: Response): Response {
  // Hono tells what was set only to who makes a response of it.
  const { headers: before } = c.newResponse(null)
  let response = answer
  for (const [name, value] of before) {
    try {
      add(response.headers, name, value)
    } catch {
      // The headers of what a route has fetched cannot be changed.
      response = new Response(answer.body, answer)
      add(response.headers, name, value)
    }
  }
  return response
}

/** The same, as the answer of the context: else Hono puts the headers on once more, over those of the answer. */
export function respondWithContextHeaders(c: Context, answer: Response): Response {
  const response = mergeContextHeaders(c, answer)
  c.res = undefined
  c.res = response
  return response
}

/**
 * Puts what `Vary` was set to before on an answer, for frameworks that keep other headers themselves.
 * @param before the value, of whatever kind the framework has it
 */
export function withVary(response: Response, before: unknown): Response {
  if (typeof before === 'string') add(response.headers, 'vary', before)
  return response
}

function add(headers: Headers, name: string, value: string): void {
  if (name === 'set-cookie') headers.append(name, value)
  else if (name === 'vary') headers.set(name, union(value, headers.get(name)))
  else if (name !== 'content-type' && !headers.has(name)) headers.set(name, value)
}

/** The members of two lists, each once. */
function union(before: string, own: string | null): string {
  const names = `${before},${own ?? ''}`.split(',').map((name) => name.trim())
  return [...new Map(names.filter(Boolean).map((name) => [name.toLowerCase(), name])).values()].join(', ')
}
