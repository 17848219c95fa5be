/**
 * Finds where a parenthesis ends in a text that may be JavaScript, with its strings and regular expressions.
 * @param start the place behind the opening one
 * @returns the place behind the closing one; undefined where there is none, or where an `@api` annotation comes first: such a
 *   one is never taken for a part of something else
 */
export function findClosingParenthesis(text: string, start: number): number | undefined {
  const open = [')']
  let at = start
  while (at < text.length) {
    const char = text.charAt(at)
    const skipped = lengthOfLiteral(text, at)
    if (skipped > 0) {
      at += skipped
      continue
    }
    at += 1
    const closing = CLOSING[char]
    if (closing !== undefined) open.push(closing)
    else if (/[)\]}]/.test(char) && open.pop() !== char) return undefined
    if (open.length === 0) return /@api(?![\w-])/i.test(text.slice(start, at)) ? undefined : at
  }
  return undefined
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The length of a string or a regular expression at a place, or 0. */
function lengthOfLiteral(text: string, at: number): number {
  const literal =
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
  literal.lastIndex = at
  const found = literal.exec(text)?.[0] ?? ''
  // Behind a value, a slash divides.
  const isDivision = found.startsWith('/') && !/(?:^|[(,=:[!&|?{};>])\s*$/.test(text.slice(0, at))
  return isDivision ? 0 : found.length
}
