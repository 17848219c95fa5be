/**
 * Finds a closing parenthesis in text that may be JavaScript, including strings and regular expressions.
 * @param start the index after the opening parenthesis
 * @returns the index after the closing parenthesis. Undefined if there is none, or if an `@api` annotation comes first, because an `@api`
 *   annotation is never part of another annotation.
 */
export function findClosingParenthesis(text: string, start: number): number | undefined {
  const open = [')']
  let index = start
  while (index < text.length) {
    const char = text.charAt(index)
    const skipped = getLiteralLength(text, index)
    if (skipped > 0) {
      index += skipped
      continue
    }
    index += 1
    const closing = CLOSING_BRACKETS[char]
    if (closing !== undefined) open.push(closing)
    else if (/[)\]}]/.test(char) && open.pop() !== char) return undefined
    if (open.length === 0) return /@api(?![\w-])/i.test(text.slice(start, index)) ? undefined : index
  }
  return undefined
}

const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Returns the length of the string or regular expression at an index, or 0. */
function getLiteralLength(text: string, start: number): number {
  const literal =
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
  literal.lastIndex = start
  const found = literal.exec(text)?.[0] ?? ''
  // After a value, a slash is a division.
  const isDivision = found.startsWith('/') && !/(?:^|[(,=:[!&|?{};>])\s*$/.test(text.slice(0, start))
  return isDivision ? 0 : found.length
}
