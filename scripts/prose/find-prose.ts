import ts from 'typescript-5.9'

/** A piece of English in a file: a comment, a paragraph, a message or the title of a test. */
export interface Prose {
  readonly kind: 'comment' | 'page' | 'message' | 'title'
  /** Offset of its first character. */
  readonly start: number
  /** The text with everything blanked that is not English. Has the length of the original. */
  readonly text: string
}

/** Replaces the first character of code, so that rules can match its position. */
const CODE = '\u0001'
const DIRECTIVE = /eslint-|oxlint-|@ts-|prettier-ignore|Code generated/
const SQL = /\b(?:SELECT|FROM|CREATE|INSERT|UPDATE|WHERE|SET)\b/

/** Finds the prose of a file by its extension: `.md`, `.hbs`, or TypeScript and JavaScript. */
export function findProse(file: string, text: string): Prose[] {
  const found = file.endsWith('.md')
    ? paragraphs(text)
    : file.endsWith('.hbs')
      ? templateComments(text)
      : code(file, text)
  return found
    .filter((prose) => prose.text.trim() !== '')
    .map((prose) => ({ ...prose, text: removeMarkup(prose.text) }))
}

function paragraphs(text: string): Prose[] {
  const body = text
    .replace(/^---\n[\s\S]*?\n---\n/, (front) => blank(front))
    .replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[^\n]*$/gm, (fence) => blank(fence))
    .replace(/<!--[\s\S]*?-->/g, (comment) => blank(comment))
    .replace(/<[^>\n]+>/g, (tag) => blank(tag))
  const paragraph = /[^\n]+(?:\n(?!\s*(?:\n|[-*|#>]|\d+\. ))[^\n]+)*/g
  return [...body.matchAll(paragraph)].map(({ index, 0: match }) => ({ kind: 'page', start: index, text: match }))
}

function templateComments(text: string): Prose[] {
  const comments = text.matchAll(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|\{\{!(?:--)?[\s\S]*?\}\}/g)
  return [...comments].map(({ index, 0: match }) => comment(index, match))
}

function code(file: string, text: string): Prose[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const isTest = /(^|\/)tests\//.test(file)
  const found: Prose[] = []
  const seen = new Set<number>()
  const visit = (node: ts.Node): void => {
    const start = node.getFullStart()
    for (const range of ts.getLeadingCommentRanges(text, start) ?? []) addComment(range)
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) addComment(range)
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) addString(node)
    node.getChildren(source).forEach(visit)
  }
  const addComment = ({ pos, end }: ts.CommentRange) => {
    if (!seen.has(pos)) found.push(comment(pos, text.slice(pos, end)))
    seen.add(pos)
  }
  const addString = (node: ts.StringLiteralLike | ts.TemplateExpression) => {
    const raw = text
      .slice(node.getStart(source) + 1, node.getEnd() - 1)
      .replace(/\$\{[^}]*\}/g, (value) => blank(value, CODE))
    const isSentence = (raw.match(/[A-Za-z]{2,}/g) ?? []).length >= 4 && /[a-z] [a-z]/.test(raw) && !SQL.test(raw)
    if (isTest ? isTitle(node) : isSentence) {
      found.push({ kind: isTest ? 'title' : 'message', start: node.getStart(source) + 1, text: raw })
    }
  }
  visit(source)
  return joinLineComments(found, text)
}

/** Whether a string is the first argument of a call such as `it('...')` or `it.each(rows)('...')`. */
function isTitle(node: ts.Node): boolean {
  const call = node.parent
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false
  return /^(?:it|test|describe)\b/.test(call.expression.getText())
}

/** Line comments that follow each other are one text. */
function joinLineComments(found: readonly Prose[], text: string): Prose[] {
  const joined: Prose[] = []
  for (const prose of found) {
    const last = joined.at(-1)
    const between = last && text.slice(last.start + last.text.length, prose.start)
    const isNext = last?.kind === 'comment' && prose.kind === 'comment' && /^\n[ \t]*$/.test(between ?? '')
    if (last && isNext && text.startsWith('//', last.start) && text.startsWith('//', prose.start)) {
      joined[joined.length - 1] = { ...last, text: `${last.text}${between}${prose.text}` }
    } else joined.push(prose)
  }
  return joined
}

function comment(start: number, raw: string): Prose {
  const text = raw.replace(/^\s*(?:\/\*\*?|\/\/|\*(?!\/)|\{\{!-*)|\*\/$|-*\}\}$/gm, (mark) => blank(mark))
  return { kind: 'comment', start, text: DIRECTIVE.test(raw) ? '' : text }
}

/** Blanks code, links and tags, and joins lines. */
function removeMarkup(text: string): string {
  return text
    .replace(/`+[^`]*`+/g, (match) => blank(match, CODE))
    .replace(/\]\([^)]*\)/g, (match) => blank(match))
    .replace(/https?:\/\/[^\s)]+/g, (match) => blank(match))
    .replace(/\{@link [^}]*\}/g, (match) => blank(match, CODE))
    .replace(/@(?:throws|param|returns|see|example|template|deprecated)\b(?: \w+Error)?/g, (match) => blank(match, '.'))
    .replace(/\n\s*/g, (match) => ' '.repeat(match.length))
    .replace(/^[\s\-*|#>\d.]+/, (match) => ' '.repeat(match.length))
}

function blank(text: string, first = ' '): string {
  return first + text.slice(1).replace(/[^\n]/g, ' ')
}
