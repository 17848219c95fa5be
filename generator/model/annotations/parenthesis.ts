/**
 * Finds the end of a parenthesis in text that may be JavaScript, including strings and regular expressions.
 * @param start the index after the opening parenthesis
 * @returns the index after the closing parenthesis. Undefined if there is none, or if an `@api` annotation comes first, because these are
 * never part of another annotation.
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

/** Returns the length of the string or regular expression at an index, or 0. */
function lengthOfLiteral(text: string, at: number): number {
  const literal =
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
  literal.lastIndex = at
  const found = literal.exec(text)?.[0] ?? ''
  // After a value, a slash is a division.
  const isDivision = found.startsWith('/') && !/(?:^|[(,=:[!&|?{};>])\s*$/.test(text.slice(0, at))
  return isDivision ? 0 : found.length
}
