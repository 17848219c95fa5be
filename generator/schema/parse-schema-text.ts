const BLOCK_KINDS = ['model', 'view', 'enum', 'type', 'generator', 'datasource'] as const

/** The keyword of a schema block. */
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** A block in a schema's text, such as `model Post { … }`. */
export interface SchemaBlock {
  readonly kind: BlockKind
  readonly name: string
  readonly line: number
  /** The block's fields, or an enum's values. Prisma requires one per line. */
  readonly members: readonly SchemaMember[]
}

/** A field of a block, or a value of an enum. */
export interface SchemaMember {
  readonly name: string
  readonly line: number
}

/** One line of a comment. */
export interface SchemaComment {
  /** `plain` for `//`. `doc` for `///` and for block comments, which Prisma passes on to generators. */
  readonly kind: 'plain' | 'doc'
  /** The text without the leading slashes. */
  readonly text: string
  readonly line: number
  /** Whether the comment follows code on the same line. */
  readonly trailing: boolean
  /** The block that contains the comment. */
  readonly block: SchemaBlock | undefined
  /** The block or member that Prisma would attach the comment to if it were a `///` comment. */
  readonly target: { readonly block: SchemaBlock; readonly member?: string } | undefined
  /** The following lines of the same comment. */
  readonly following: readonly SchemaComment[]
}

/** The blocks and comments in a schema's text. */
export interface SchemaText {
  readonly blocks: readonly SchemaBlock[]
  readonly comments: readonly SchemaComment[]
}

type Draft = { -readonly [K in keyof SchemaComment]: SchemaComment[K] }

/**
 * Finds blocks, fields and comments in a schema's text, following Prisma's grammar.
 * @param text a schema that Prisma accepts. Line numbers start at 1.
 */
export function parseSchemaText(text: string): SchemaText {
  const blocks: SchemaBlock[] = []
  const comments: SchemaComment[] = []
  let block: (SchemaBlock & { readonly members: SchemaMember[] }) | undefined
  // Comments whose target is not known yet.
  let pending: Draft[] = []
  let isGroupEnded = false
  let inComment = false

  const attach = (target: SchemaComment['target']) => {
    for (const comment of pending) comment.target = target
    pending = []
    isGroupEnded = false
  }
  const addPending = (comment: Draft) => {
    if (isGroupEnded) attach(undefined)
    for (const earlier of pending) earlier.following = [...earlier.following, comment]
    pending.push(comment)
  }

  let line = 0
  for (const source of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    line += 1
    const parts = readLine(source, inComment)
    inComment = parts.inside
    const trailing: Draft[] = []
    for (const part of parts.comments) {
      const comment: Draft = { ...part, line, block, target: undefined, following: [] }
      comments.push(comment)
      if (part.trailing) trailing.push(comment)
      else addPending(comment)
    }

    if (parts.code === '') {
      if (parts.comments.length > 0) continue
      // In a block, the last comment applies to the next field even across empty lines.
      if (block) isGroupEnded = true
      else attach(undefined)
    } else if (block === undefined) {
      const [, word, name = '', rest = ''] = /^(\w+)\s+([^\s{]+)\s*\{(.*)$/.exec(parts.code) ?? []
      const kind = BLOCK_KINDS.find((each) => each === word)
      const opened = kind && { kind, name, line, members: [] }
      if (opened) blocks.push(opened)
      attach(opened && { block: opened })
      for (const comment of trailing) comment.block = opened
      if (!rest.includes('}')) block = opened
    } else if (parts.code.startsWith('}')) {
      attach(undefined)
      block = undefined
    } else if (parts.code.startsWith('@@')) {
      isGroupEnded = true
    } else {
      const member = /^[^\s@]+/.exec(parts.code)?.[0] ?? ''
      block.members.push({ name: member, line })
      attach({ block, member })
      for (const comment of trailing) comment.target = { block, member }
    }
  }
  return { blocks, comments }
}

/** Splits a line into code and comments. A block comment may start on an earlier line and end on a later one. */
function readLine(source: string, startsInComment: boolean) {
  const comments: Pick<SchemaComment, 'kind' | 'text' | 'trailing'>[] = []
  let code = ''
  let inComment = startsInComment
  let offset = 0
  if (inComment && source === '') comments.push({ kind: 'doc', text: '', trailing: false })
  while (offset < source.length) {
    const trailing = code.trim() !== ''
    const startsComment = !inComment && source.startsWith('/*', offset)
    if (inComment || startsComment) {
      const start = startsComment ? offset + 2 : offset
      const end = source.indexOf('*/', start)
      const text = source.slice(start, end < 0 ? undefined : end)
      comments.push({ kind: 'doc', text, trailing })
      inComment = end < 0
      offset = inComment ? source.length : end + 2
    } else if (source.startsWith('//', offset)) {
      const isDoc = source.startsWith('///', offset)
      const text = source.slice(offset + (isDoc ? 3 : 2))
      comments.push({ kind: isDoc ? 'doc' : 'plain', text, trailing })
      offset = source.length
    } else {
      const string = /"(?:[^"\\]|\\.)*"/y
      string.lastIndex = offset
      const token = string.exec(source)?.[0] ?? source.charAt(offset)
      code += token
      offset += token.length
    }
  }
  return { code: code.trim(), comments, inside: inComment }
}
