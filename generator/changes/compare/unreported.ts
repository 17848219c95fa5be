import { parseAnnotations } from '../../model/annotations/read-annotations.js'
import { parseSchemaText, type SchemaBlock, type SchemaComment } from '../../schema/parse-schema-text.js'
import type { SchemaSource } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { joinList, quote } from '../phrases.js'

/** The source text of a schema block. */
interface Written {
  /** The code and comment of each member, by name, in source order. */
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
  const [was, is] = [writtenBlocks(before), writtenBlocks(after)]
  return [...is].flatMap(([name, block]) => {
    const old = was.get(name)
    if (old === undefined) return []
    const reasons = reasonsOf(old, block, (member) => isReported(name, member))
    if (reasons.length === 0) return []
    const sentence = `${quote(name)}: ${joinList(reasons)}. Nothing changes on the wire.`
    return [{ kind: 'harmless' as const, code: 'no-consequence', model: name, sentence }]
  })
}

function reasonsOf(was: Written, is: Written, isReported: (member: string) => boolean): string[] {
  const reasons = new Set<string>()
  const both = [...is.members.keys()].filter((name) => was.members.has(name))
  for (const name of both) {
    const [old, now] = [was.members.get(name), is.members.get(name)]
    if (old?.comment !== now?.comment && !isReported(name)) reasons.add('comments')
    if (old?.code !== now?.code && !isReported(name))
      reasons.add(`${reasonOf(old?.code ?? '', now?.code ?? '')} of ${quote(name)}`)
  }
  if (was.comment !== is.comment) reasons.add('comments')
  if ([...was.members.keys()].filter((name) => both.includes(name)).join() !== both.join())
    reasons.add('the order of fields')
  for (const attribute of [...is.attributes, ...was.attributes]) {
    if (was.attributes.has(attribute) && is.attributes.has(attribute)) continue
    if (/^@@(?:index|fulltext)\b/.test(attribute)) reasons.add('an index')
    else if (attribute.startsWith('@@map')) reasons.add('the name of the table')
    else if (!/^@@(?:id|unique)\b/.test(attribute)) reasons.add(quote(attribute))
  }
  return [...reasons]
}

function reasonOf(was: string, is: string): string {
  const without = (code: string, pattern: RegExp) => code.replace(pattern, '').replace(/\s+/g, ' ').trim()
  const differsBy = (pattern: RegExp) => without(was, pattern) === without(is, pattern)
  if (differsBy(/@map\("[^"]*"\)/)) return 'the column'
  if (differsBy(/@db\.\w+(?:\([^)]*\))?/)) return 'the type of the column'
  return 'the declaration'
}

function writtenBlocks({ files }: SchemaSource): ReadonlyMap<string, Written> {
  const blocks = new Map<string, Written>()
  for (const { text } of files()) {
    const lines = text.split(/\r\n|\n|\r/)
    const read = parseSchemaText(text)
    const comments = commentsByTarget(read.comments)
    for (const block of read.blocks) {
      const { kind, name, line, members } = block
      if (kind !== 'model' && kind !== 'view') continue
      const code = (at: number) =>
        (lines[at - 1] ?? '')
          .replace(/\s*\/\/.*$/, '')
          .replace(/\s+/g, ' ')
          .trim()
      const commentOn = (member?: string) => plainComment(comments.get(block)?.get(member))
      const end = lines.findIndex((each, at) => at >= line && each.trim().startsWith('}'))
      const body = lines.slice(line, end < 0 ? undefined : end).map((_, at) => code(line + 1 + at))
      blocks.set(name, {
        members: new Map(
          members.map((member) => [member.name, { code: code(member.line), comment: commentOn(member.name) }]),
        ),
        attributes: new Set(body.filter((each) => each.startsWith('@@'))),
        comment: commentOn(),
      })
    }
  }
  return blocks
}

type Comments = ReadonlyMap<SchemaBlock, ReadonlyMap<string | undefined, readonly string[]>>

/** Groups the comments of a file by the block and member that they are attached to. Comments on the block itself have the key undefined. */
function commentsByTarget(comments: readonly SchemaComment[]): Comments {
  const found = new Map<SchemaBlock, Map<string | undefined, string[]>>()
  for (const { target, text } of comments) {
    if (target === undefined) continue
    const members = found.get(target.block) ?? new Map<string | undefined, string[]>()
    found.set(target.block, members)
    members.set(target.member, [...(members.get(target.member) ?? []), text])
  }
  return found
}

/** Returns a comment without annotations. Changes in their effects are reported elsewhere. */
function plainComment(texts: readonly string[] = []): string {
  const text = texts.map((each) => each.trim()).join('\n')
  return text.includes('@') ? parseAnnotations(text, 'field', () => {}).text : text
}
