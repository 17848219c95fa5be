import { parseAnnotations } from '../../model/annotations/read-annotations.js'
import { parseSchemaText, type SchemaBlock, type SchemaComment } from '../../schema/parse-schema-text.js'
import type { SchemaSource } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { joinList, quote } from '../phrases.js'

/** The databases that sort the values of an enum by their order in its declaration. */
const SORTS_BY_DECLARATION = /^(?:postgres(?:ql)?|cockroachdb|mysql)$/

const REORDERED_VALUES = 'the order of values'

/** The source text of a schema block. */
interface BlockText {
  readonly isEnum: boolean
  /** The code and comment of each field or enum value, by name, in source order. */
  readonly members: ReadonlyMap<string, { readonly code: string; readonly comment: string }>
  /** The block attributes, which begin with `@@`. */
  readonly attributes: ReadonlySet<string>
  readonly comment: string
}

/**
 * Finds changes to the schema's text that no other finding covers, because they do not affect the API.
 * @param isReported whether another finding covers a member of a model
 */
export function findUnreportedChanges(
  before: SchemaSource,
  after: SchemaSource,
  isReported: (model: string, member?: string) => boolean,
): Finding[] {
  const [oldBlocks, newBlocks] = [readBlockTexts(before), readBlockTexts(after)]
  return [...newBlocks].flatMap(([name, block]): Finding[] => {
    const old = oldBlocks.get(name)
    if (old === undefined) return []
    const reasons = findDifferences(old, block, (member) => isReported(name, member))
    if (reasons.length === 0) return []
    const changed = `${quote(name)}: changed ${joinList(reasons)}.`
    const about = block.isEnum ? { detail: name, element: { enum: name } } : { model: name }
    if (reasons.includes(REORDERED_VALUES) && SORTS_BY_DECLARATION.test(after.provider)) {
      const sentence = `${changed} After the migration, the sort order of fields with this type can change.`
      return [{ kind: 'other', code: 'enum-order', ...about, sentence }]
    }
    const sentence = `${changed} The API is the same.`
    return [{ kind: 'harmless', code: 'no-consequence', ...about, sentence }]
  })
}

function findDifferences(oldBlock: BlockText, newBlock: BlockText, isReported: (member: string) => boolean): string[] {
  const reasons = new Set<string>()
  const both = [...newBlock.members.keys()].filter((name) => oldBlock.members.has(name))
  for (const name of both) {
    const [old, now] = [oldBlock.members.get(name), newBlock.members.get(name)]
    if (old?.comment !== now?.comment && !isReported(name)) reasons.add('comments')
    if (old?.code !== now?.code && !isReported(name))
      reasons.add(`${describeDifference(old?.code ?? '', now?.code ?? '', newBlock.isEnum)} of ${quote(name)}`)
  }
  if (oldBlock.comment !== newBlock.comment) reasons.add('comments')
  if ([...oldBlock.members.keys()].filter((name) => both.includes(name)).join() !== both.join())
    reasons.add(newBlock.isEnum ? REORDERED_VALUES : 'the order of fields')
  for (const attribute of [...newBlock.attributes, ...oldBlock.attributes]) {
    if (oldBlock.attributes.has(attribute) && newBlock.attributes.has(attribute)) continue
    if (/^@@(?:index|fulltext)\b/.test(attribute)) reasons.add('an index')
    else if (attribute.startsWith('@@map'))
      reasons.add(newBlock.isEnum ? 'the name of the enum in the database' : 'the name of the table')
    else if (!/^@@(?:id|unique)\b/.test(attribute)) reasons.add(describeAttribute(attribute, oldBlock, newBlock))
  }
  return [...reasons]
}

function describeAttribute(attribute: string, oldBlock: BlockText, newBlock: BlockText): string {
  const name = attribute.replace(/\(.*$/, '')
  const [from, to] = [oldBlock, newBlock].map(({ attributes }) => [...attributes].find((each) => each.startsWith(name)))
  return from === undefined || to === undefined ? quote(attribute) : `${quote(from)} to ${quote(to)}`
}

function describeDifference(oldCode: string, newCode: string, isEnum: boolean): string {
  const without = (code: string, pattern: RegExp) => code.replace(pattern, '').replace(/\s+/g, ' ').trim()
  const differsOnlyIn = (pattern: RegExp) => without(oldCode, pattern) === without(newCode, pattern)
  if (differsOnlyIn(/@map\("[^"]*"\)/)) return isEnum ? 'the stored value' : 'the column'
  if (differsOnlyIn(/@db\.\w+(?:\([^)]*\))?/)) return 'the type of the column'
  return 'the declaration'
}

function readBlockTexts({ files }: SchemaSource): ReadonlyMap<string, BlockText> {
  const blocks = new Map<string, BlockText>()
  for (const { text } of files()) {
    const lines = text.split(/\r\n|\n|\r/)
    const parsed = parseSchemaText(text)
    const comments = groupCommentsByTarget(parsed.comments)
    for (const block of parsed.blocks) {
      const { kind, name, line, members } = block
      if (kind !== 'model' && kind !== 'view' && kind !== 'enum') continue
      const codeOnLine = (lineNumber: number) =>
        (lines[lineNumber - 1] ?? '')
          .replace(/\s*\/\/.*$/, '')
          .replace(/\s+/g, ' ')
          .trim()
      const getComment = (member?: string) => stripAnnotations(comments.get(block)?.get(member))
      const end = lines.findIndex((each, at) => at >= line && each.trim().startsWith('}'))
      const body = lines.slice(line, end < 0 ? undefined : end).map((_, at) => codeOnLine(line + 1 + at))
      blocks.set(name, {
        isEnum: kind === 'enum',
        members: new Map(
          members.map((member) => [member.name, { code: codeOnLine(member.line), comment: getComment(member.name) }]),
        ),
        attributes: new Set(body.filter((each) => each.startsWith('@@'))),
        comment: getComment(),
      })
    }
  }
  return blocks
}

type Comments = ReadonlyMap<SchemaBlock, ReadonlyMap<string | undefined, readonly string[]>>

/** Groups the comments of a file by the block and member that they are attached to. Comments on the block itself have the key undefined. */
function groupCommentsByTarget(comments: readonly SchemaComment[]): Comments {
  const groups = new Map<SchemaBlock, Map<string | undefined, string[]>>()
  for (const { target, text } of comments) {
    if (target === undefined) continue
    const members = groups.get(target.block) ?? new Map<string | undefined, string[]>()
    groups.set(target.block, members)
    members.set(target.member, [...(members.get(target.member) ?? []), text])
  }
  return groups
}

/** Returns a comment without annotations. Changes in the effects of annotations are reported elsewhere. */
function stripAnnotations(texts: readonly string[] = []): string {
  const text = texts.map((each) => each.trim()).join('\n')
  return text.includes('@') ? parseAnnotations(text, 'field', () => {}).text : text
}
