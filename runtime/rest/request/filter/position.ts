import { RequestError } from '../../../errors/request-error.js'

/** The parameter that an expression is the value of. */
export const PARAMETER = 'filter'

/** A 400 about a place in an expression. */
export function malformedAtPosition(text: string, at: number, detail: string): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `${describePosition(text, at)}: ${detail}`,
    source: { parameter: PARAMETER },
  })
}

/** How errors call a place in an expression: characters are counted from 1. */
export function describePosition(text: string, at: number): string {
  if (at === 0) return 'At character 1'
  const before = text.slice(Math.max(0, at - 20), at)
  return `At character ${at + 1}, behind "${at > 20 ? '…' : ''}${before}"`
}
