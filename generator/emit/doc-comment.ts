/** A doc comment for a template: one line, several lines, or neither. */
export interface DocComment {
  readonly single: string
  readonly lines: readonly string[]
}

/**
 * A schema comment as a doc comment. Nothing in it can end the comment early or start a line of code.
 * @param text the comment's text; may be empty, may have several lines
 */
export function docComment(text: string): DocComment {
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => [...line].filter(isPrintable).join('').replaceAll('*/', '*\\/').trimEnd())
  const [first = '', ...others] = lines
  if (others.length === 0) return { single: first.trim(), lines: [] }
  return { single: '', lines: lines.map((line) => (line === '' ? '' : ` ${line}`)) }
}

function isPrintable(character: string): boolean {
  return character === '\t' || (character >= ' ' && character !== '\u007f')
}
