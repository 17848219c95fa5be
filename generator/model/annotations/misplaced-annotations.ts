import type { DiagnosticMessage, Diagnostic, SchemaLocation } from '../../errors.js'
import { formatLocation } from '../../schema/source-locations.js'
import type { SchemaFile } from '../../schema/schema.js'
import { parseSchemaText, type SchemaBlock, type SchemaComment } from '../../schema/parse-schema-text.js'

/** The result of {@link findMisplacedAnnotations}. */
export interface MisplacedAnnotations {
  /** Annotations that were certainly meant to have an effect but have none. */
  readonly problems: readonly Diagnostic[]
  /** Annotations that may only be mentioned in prose. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Finds annotations that Prisma does not pass to generators: after two slashes, or in comments that are not attached to anything. Ignores
 * annotations in backticks and in code that is commented out.
 */
export function findMisplacedAnnotations(files: readonly SchemaFile[]): MisplacedAnnotations {
  const problems: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  const texts = files.map((file) => ({ file, ...parseSchemaText(file.text) }))
  const isCode = createCodeTest(texts.flatMap(({ blocks }) => blocks))
  for (const { file, comments } of texts) {
    for (const comment of comments) {
      const found = /(?:^|[^\w.@`-])(@(?:api|zod)\.[a-z_$]\w*)/i.exec(comment.text)
      const word = found?.[1]
      if (word === undefined) continue
      const target = annotatable(comment.target?.block) ? comment.target : undefined
      const diagnostic = comment.kind === 'doc' ? diagnoseDocComment(word, target) : diagnosePlainComment(word, target)
      const isInsideCommentedCode = !comment.trailing && isCommentedOut(comment.text.slice(0, found?.index), isCode)
      if (diagnostic === undefined || isInsideCommentedCode) continue
      const location = locateComment(comment, target)
      const position = formatLocation(file, comment.line)
      const problem = { location, ...(position !== undefined && { position }), ...diagnostic }
      ;(isLikelyAnnotation(comment, target, isCode) ? problems : warnings).push(problem)
    }
  }
  return { problems, warnings }
}

type Target = SchemaComment['target']

function annotatable(block: SchemaBlock | undefined): boolean {
  return block?.kind === 'model' || block?.kind === 'view' || block?.kind === 'enum'
}

function diagnosePlainComment(word: string, target: Target): DiagnosticMessage {
  const positionHint = target ? '' : ', directly above the element that it is for'
  return {
    message: `"${word}" has no effect here, because Prisma ignores comments with two slashes.`,
    hint: `Write it after three slashes${positionHint}, or in backticks if it is only a mention.`,
  }
}

function diagnoseDocComment(word: string, target: Target): DiagnosticMessage | undefined {
  if (target?.block.kind === 'enum' && target.member !== undefined && /^@api/i.test(word)) {
    return { message: `"${word}" is not allowed on an enum value.`, hint: 'Remove it.' }
  }
  if (target) return undefined
  return {
    message: `"${word}" has no effect here, because this comment does not belong to a model or a field.`,
    hint: 'Write it directly above the element that it is for, without an empty line or another comment in between.',
  }
}

function locateComment(comment: SchemaComment, target: Target): SchemaLocation {
  const block = target?.block ?? (annotatable(comment.block) ? comment.block : undefined)
  if (block === undefined) return {}
  if (block.kind === 'enum') return { enum: block.name }
  return { model: block.name, ...(target?.member !== undefined && { field: target.member }) }
}

/** Whether an annotation was certainly meant for an existing schema element. */
function isLikelyAnnotation(comment: SchemaComment, target: Target, isCode: (text: string) => boolean): boolean {
  if (comment.trailing) return annotatable(comment.block)
  // The annotation may have been meant for the commented-out code below it.
  if (comment.kind === 'plain' && comment.following.some(({ kind, text }) => kind === 'plain' && isCode(text)))
    return false
  if (target) return true
  const isAlone = /^[\s*/]*@(?:api|zod)\./i.test(comment.text)
  return isAlone && (comment.block === undefined || annotatable(comment.block))
}

/** Whether the text before an annotation shows that the annotation itself is commented out: `// name String /// …` or `// /// …`. */
function isCommentedOut(before: string, isCode: (text: string) => boolean): boolean {
  const inner = /\/[/*]/.exec(before)
  return inner !== null && (before.slice(0, inner.index).trim() === '' || isCode(before))
}

const SCALARS = ['String', 'Int', 'BigInt', 'Float', 'Decimal', 'Boolean', 'DateTime', 'Json', 'Bytes']

/**
 * Creates a function that distinguishes code from prose. Code is a field declaration, a block attribute, or the first or last line of a
 * block.
 */
function createCodeTest(blocks: readonly SchemaBlock[]): (text: string) => boolean {
  const enums = blocks.filter(({ kind }) => kind === 'enum').map(({ name }) => name)
  const plainTypes = new Set([...SCALARS, ...enums])
  return (text) => {
    const code = text.replace(/\/[/*].*$/, '').trim()
    if (/^(?:@@[a-z]|\}$|(?:model|view|enum|type|generator|datasource)\s+\S+\s*\{)/.test(code)) return true
    const field =
      /^[\p{L}_][\p{L}\d_]*\s+(?<type>[\p{L}_][\p{L}\d_]*)(?:\(.*?\))?(?<many>\[\])?(?<optional>\?)?(?<attributes>\s+@.*)?$/u
    const { type = '', many, optional, attributes } = field.exec(code)?.groups ?? {}
    if (many !== undefined || attributes !== undefined || plainTypes.has(type)) return true
    // A sentence may have two words, and the second may be the name of a model.
    return optional !== undefined && /^\p{Lu}/u.test(type)
  }
}
