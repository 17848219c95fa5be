/** Parses the arguments of a `@zod` chain. Only JavaScript literals are accepted, so that a schema comment can never run code. */

import { findClosingParenthesis } from './parenthesis.js'

/** A literal with its value and its normalized source text. */
export interface Literal {
  readonly value: unknown
  readonly source: string
}

/** Returns a copy of a literal's value, because zod may mutate the objects that are passed to it. */
export function cloneValue(literal: Literal): unknown {
  return structuredClone(literal.value)
}

/** A call in a chain, such as `.max(200)`. */
export interface ChainCall {
  readonly name: string
  readonly args: readonly Literal[]
  /** The chain that replaces the arguments, such as `.min(1)` in `.array(.min(1))`. */
  readonly inner?: readonly ChainCall[]
  /** Whether the call has no parentheses, such as `string` in `.string.min(3)`. This is an error, unless the word is a type. */
  readonly hasNoArguments?: true
  /** The error in the arguments, if they cannot be parsed. `args` is empty in that case. */
  readonly syntaxError?: SyntaxError
  /** Whether the arguments cannot be parsed because they contain code. */
  readonly isCode?: true
}

/** The chain found at the start of the text. */
export interface ParsedChain {
  readonly calls: readonly ChainCall[]
  /** Number of characters of the chain. */
  readonly length: number
}

/**
 * Parses `.name(args).name(args)…` at the start of the text. A call whose arguments cannot be parsed has a `syntaxError` that states what
 * was expected and what was found. Parsing then continues after its closing parenthesis, or stops if there is none.
 */
export function parseChain(text: string): ParsedChain {
  const reader = new Reader(text)
  // Other generators allow a space before the first name.
  reader.match(/[ \t]+(?=\.[A-Za-z_$][\w$]*\()/y)
  return { calls: reader.chain(), length: reader.offset }
}

class Reader {
  offset = 0

  constructor(private readonly text: string) {}

  chain(): ChainCall[] {
    const calls: ChainCall[] = []
    // A period that is not followed by a name ends the chain.
    while (this.match(/\.(?=[A-Za-z_$])/y)) calls.push(this.call(this.match(/[A-Za-z_$][\w$]*/y) ?? ''))
    return calls
  }

  private call(name: string): ChainCall {
    this.match(/<[^<>()]*>(?=\()/y)
    if (!this.take('('))
      return { name, args: [], hasNoArguments: true, syntaxError: this.expected(`"(" after "${name}"`) }
    const start = this.offset
    try {
      if (this.match(/\s*(?=\.[A-Za-z_$])/y) === undefined) return { name, args: this.list(')') }
      const inner = this.chain()
      this.space()
      if (!this.take(')')) throw this.expected('")"')
      return { name, args: [], inner }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      const startsCode = /[A-Za-z_$(`]/.test(this.text.charAt(this.offset))
      const end = findClosingParenthesis(this.text, start)
      this.offset = end ?? start - 1
      return { name, args: [], syntaxError: error, ...(startsCode && end !== undefined && { isCode: true }) }
    }
  }

  expected(expectation: string): SyntaxError {
    const found =
      this.offset < this.text.length ? `"${this.text.slice(this.offset, this.offset + 12)}"` : 'the end of the comment'
    return new SyntaxError(`expected ${expectation}, found ${found}`)
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.offset += found.length
    return found
  }

  take(token: string): boolean {
    if (!this.text.startsWith(token, this.offset)) return false
    this.offset += token.length
    return true
  }

  space(): void {
    this.match(/\s*/y)
  }

  /** Parses literals up to and including the closing bracket. A trailing comma is allowed. */
  list(close: string): Literal[] {
    const items: Literal[] = []
    for (;;) {
      this.space()
      if (this.take(close)) return items
      if (items.length > 0) {
        if (!this.take(',')) throw this.expected(`"," or "${close}"`)
        this.space()
        if (this.take(close)) return items
      }
      items.push(this.literal())
    }
  }

  literal(): Literal {
    if (this.take('[')) {
      const items = this.list(']')
      return { value: items.map((item) => item.value), source: `[${items.map((item) => item.source).join(', ')}]` }
    }
    if (this.take('{')) return this.object()
    if (this.match(/new\s+Date\s*\(/y)) {
      const [argument, more] = this.list(')')
      const date = new Date(typeof argument?.value === 'string' ? argument.value : Number.NaN)
      if (!argument || more || Number.isNaN(date.getTime()))
        throw this.expected('one date, such as new Date("2020-01-31")')
      return { value: date, source: `new Date(${argument.source})` }
    }
    return this.scalar()
  }

  private object(): Literal {
    const entries: (readonly [string, Literal])[] = []
    for (;;) {
      this.space()
      if (this.take('}')) break
      if (entries.length > 0) {
        if (!this.take(',')) throw this.expected('"," or "}"')
        this.space()
        if (this.take('}')) break
      }
      const name = this.match(/[A-Za-z_$][\w$]*/y) ?? this.quoted()?.value
      if (name === undefined) throw this.expected('a property name')
      this.space()
      if (!this.take(':')) throw this.expected('":"')
      this.space()
      entries.push([name, this.literal()])
    }
    const source = entries.map(([name, literal]) => `${JSON.stringify(name)}: ${literal.source}`).join(', ')
    return {
      value: Object.fromEntries(entries.map(([name, literal]) => [name, literal.value])),
      source: source === '' ? '{}' : `{ ${source} }`,
    }
  }

  private scalar(): Literal {
    const text = this.quoted()
    if (text) return text
    const word = this.match(/(?:true|false|null)\b/y)
    if (word) return { value: word === 'null' ? null : word === 'true', source: word }
    const big = this.match(/-?\d+n\b/y)
    if (big) return { value: BigInt(big.slice(0, -1)), source: big }
    const number = this.match(/-?(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?\b/iy)
    if (number) return { value: Number(number.replaceAll('_', '')), source: number }
    const pattern = this.match(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y)
    if (pattern) {
      const end = pattern.lastIndexOf('/')
      try {
        return { value: new RegExp(pattern.slice(1, end), pattern.slice(end + 1)), source: pattern }
      } catch (error) {
        throw new SyntaxError(error instanceof Error ? error.message : String(error))
      }
    }
    throw this.expected(
      'a string, a number, a regular expression, true, false, null, a list, an object or new Date("…")',
    )
  }

  private quoted(): { value: string; source: string } | undefined {
    const quoted = this.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y)
    if (quoted === undefined) return undefined
    const value = quoted
      .slice(1, -1)
      .replace(/\\(u[0-9a-f]{4}|x[0-9a-f]{2}|.)/gi, (_, escape: string) => unescaped(escape))
    return { value, source: stringLiteral(value) }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }

function unescaped(escape: string): string {
  if (/^[ux]./.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return ESCAPES[escape] ?? escape
}

/** Formats text as a JavaScript string literal that is safe anywhere in a file. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
