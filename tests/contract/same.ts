import { expect } from 'vitest'

/** Returns two expectations: the first remembers a part of a response, and the second compares it with another response. */
export function same<Response>(partOf: (response: Response) => unknown) {
  let first: unknown
  const remembers = (response: Response) => void (first = partOf(response))
  const isSame = (response: Response) => expect(partOf(response)).toEqual(first)
  return [remembers, isSame] as const
}
