/** Prettier's default line length. */
const WIDTH = 80

/** A part of a line: text, or a list in brackets, which can be written with one item per line. */
type Part = string | List

interface List {
  readonly open: string
  readonly items: readonly (readonly Part[])[]
  readonly close: string
}

/**
 * Formats the file of a model exactly like prettier with its default options, but much faster. Supports only what the built-in templates
 * emit: one statement, property or comment per line, all of them valid TypeScript.
 * @returns undefined if the text contains a form that is not supported
 */
export function layOut(text: string): string | undefined {
  const lines: string[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const previous = lines.at(-1)
    if (line === '' && (previous === '' || previous?.endsWith('{'))) continue
    if (previous === '' && line.startsWith('}')) lines.pop()
    const laidOut = layOutLine(line)
    if (laidOut === undefined) return undefined
    lines.push(...laidOut)
  }
  return `${lines.join('\n')}\n`
}

const COMMENT = /^ *(\/\/|\/\*\*|\*)/

function layOutLine(line: string): readonly string[] | undefined {
  if (line === '' || COMMENT.test(line)) return line.trimEnd() === line ? [line] : undefined
  // Prettier counts some other characters as two columns.
  if (/[^ -~]/.test(line)) return undefined
  const [indent = ''] = /^ */.exec(line) ?? []
  const parts = parseLine(line.slice(indent.length))
  if (!parts || parts.some(hasNestedArray)) return undefined
  return fit(parts, indent)
}

/** Writes parts on one line or, if they are too long, on several. */
function fit(parts: readonly Part[], indent: string): readonly string[] | undefined {
  const line = indent + flatten(parts)
  if (line.length <= WIDTH) return [line]
  const lines = breakAfterArrow(parts, indent) ?? breakLastList(parts, indent)
  return lines?.every(({ length }) => length <= WIDTH) ? lines : undefined
}

function breakAfterArrow(parts: readonly Part[], indent: string): readonly string[] | undefined {
  const body = parts.indexOf('=>') + 1
  return body === 0
    ? undefined
    : [`${indent}${flatten(parts.slice(0, body))}`, `${indent}  ${flatten(parts.slice(body + 1))}`]
}

/** Writes each item of the last list on its own line. */
function breakLastList(parts: readonly Part[], indent: string): readonly string[] | undefined {
  const index = parts.findLastIndex((part) => typeof part === 'object' && part.items.length > 0)
  const list = parts[index]
  if (typeof list !== 'object' || hasBracketedLastArgument(list) || isChain(parts)) return undefined
  const items = list.items.map((item) => fit([...item, ','], `${indent}  `))
  if (!items.every((lines) => lines !== undefined)) return undefined
  const start = indent + flatten(parts.slice(0, index)) + list.open
  return [start, ...items.flat(), indent + list.close + flatten(parts.slice(index + 1))]
}

/** Whether an array contains arrays or objects. Prettier breaks some of them even if they fit. */
function hasNestedArray(part: Part): boolean {
  if (typeof part === 'string') return false
  const isNested = part.open === '[' && part.items.some(([first]) => typeof first === 'object')
  return isNested || part.items.some((item) => item.some(hasNestedArray))
}

/** Whether the last argument of a call is an object or an array. Prettier then breaks only that argument. */
function hasBracketedLastArgument({ open, items }: List): boolean {
  const last = items.at(-1)?.[0]
  return open === '(' && typeof last === 'object' && last.open !== '('
}

/** Whether parts are a chain of calls. Prettier usually breaks it before each call. */
function isChain(parts: readonly Part[]): boolean {
  return parts.filter((part) => typeof part === 'object' && part.open === '(').length > 1
}

function flatten(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : flattenList(part))).join('')
}

function flattenList({ open, items, close }: List): string {
  const space = open === '{' && items.length > 0 ? ' ' : ''
  return `${open}${space}${items.map(flatten).join(', ')}${space}${close}`
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/**
 * Comments, strings without quotes and escapes, regular expressions, numbers as prettier writes them, and words. Strings may not be keys,
 * because prettier removes their quotes.
 */
const TOKEN =
  /\/\*.*?\*\/|"[^"'\\]*"(?!:)|(?<=\()\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/[dgimsuvy]?(?=[),])|\b\d+(?:\.\d*[1-9])?n?\b|[A-Za-z_$][\w$]*|=>|[ .:;=<>|?!&*-]|[()[\]{},]/gy

/** @returns undefined if the text contains other tokens, or brackets that are not balanced within the line and not at its start or end */
function parseLine(text: string): readonly Part[] | undefined {
  const tokens = text.match(TOKEN) ?? []
  if (tokens.join('') !== text) return undefined
  // Brackets at the end of the line open a block.
  const end = tokens.findLastIndex((token) => !CLOSING.has(token)) + 1
  let position = 0
  const readItem = (close: string | undefined): readonly Part[] | undefined => {
    const item: Part[] = []
    for (; position < end; position += 1) {
      const token = tokens[position] ?? ''
      if (close !== undefined && (token === close || token === ',')) return item
      const closing = CLOSING.get(token)
      const part = closing === undefined ? token : readList(token, closing)
      if (part === undefined) return undefined
      item.push(part)
    }
    return close === undefined ? item : undefined
  }
  const readList = (open: string, close: string): List | undefined => {
    const items: (readonly Part[])[] = []
    for (position += 1; tokens[position] !== close;) {
      if (tokens[position] === ' ' || tokens[position] === ',') {
        position += 1
        continue
      }
      const item = readItem(close)
      if (!item) return undefined
      items.push(item.at(-1) === ' ' ? item.slice(0, -1) : item)
    }
    return { open, items, close }
  }
  const parts = readItem(undefined)
  return parts && [...parts, ...tokens.slice(end)]
}
