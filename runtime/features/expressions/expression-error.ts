import { RequestError } from '../../errors/request-error.js'

/** The name of the parameter that contains an expression. */
export const PARAMETER = 'filter'

/** Returns a 400 error for a position in an expression. */
export function malformedAtPosition(text: string, at: number, detail: string): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `${describePosition(text, at)}: ${detail}`,
    source: { parameter: PARAMETER },
  })
}

/** Describes a position in an expression for error messages. Characters are counted from 1. */
export function describePosition(text: string, at: number): string {
  if (at === 0) return 'At character 1'
  const before = text.slice(Math.max(0, at - 20), at)
  return `At character ${at + 1}, after "${at > 20 ? '…' : ''}${before}"`
}
