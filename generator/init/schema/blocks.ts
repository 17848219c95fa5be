/** A top-level block of a schema. */
export interface Block {
  /** The block's keyword: `generator`, `datasource`, `model` and so on. */
  readonly kind: string
  readonly name: string
  readonly start: number
  /** The index after the closing brace. */
  readonly end: number
}

/** Matches comments and strings, in which braces are ignored, as well as braces and words. */
const TOKEN = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|[{}]|[^\s{}"/]+/g

/** Finds the blocks of a schema, in order. */
export function findBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let words: { readonly text: string; readonly start: number }[] = []
  let depth = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') depth += 1
    else if (token === '}') {
      depth = Math.max(0, depth - 1)
      const [kind, name] = words.slice(-2)
      if (depth === 0) {
        if (kind && name) blocks.push({ kind: kind.text, name: name.text, start: kind.start, end: index + 1 })
        words = []
      }
    } else if (depth === 0 && !token.startsWith('/')) words.push({ text: token, start: index })
  }
  return blocks
}

/** The options of a new generator block. Arrays are written as lists. */
export type BlockOptions = Readonly<Record<string, string | readonly string[]>>

/** Formats a generator block like `prisma format`. */
export function generatorBlock(name: string, options: BlockOptions): string {
  const width = Math.max(...Object.keys(options).map((key) => key.length))
  const lines = Object.entries(options).map(([key, value]) => {
    const written =
      typeof value === 'string' ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
    return `  ${key.padEnd(width)} = ${written}`
  })
  return [`generator ${name} {`, ...lines, '}'].join('\n')
}

/**
 * Inserts blocks into a schema, with an empty line before and after. The rest of the text is unchanged.
 * @param after the block to insert after. Default: the end of the file
 * @param added the blocks as text with LF line endings, which are converted to those of the schema
 */
export function insertBlocks(text: string, after: Block | undefined, added: readonly string[]): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const written = added.join('\n\n').replaceAll('\n', eol)
  const from = after === undefined ? text.length : lineEnd(text, after.end)
  const [head, tail] = [text.slice(0, from), text.slice(from)]
  const before = head === '' || /\n[ \t]*\r?\n$/.test(head) ? '' : head.endsWith('\n') ? eol : eol + eol
  const separator = /^[ \t]*(\r?\n|$)/.test(tail) ? eol : eol + eol
  return head + before + written + separator + tail
}

/** Returns the start of the next line. If the rest of the line contains more than a comment, returns the position itself. */
function lineEnd(text: string, from: number): number {
  const rest = /^[ \t]*(\/\/[^\n]*)?(\r?\n|$)/.exec(text.slice(from))
  return rest === null ? from : from + rest[0].length
}
