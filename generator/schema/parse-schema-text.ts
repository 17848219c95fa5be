const BLOCK_KINDS = ['model', 'view', 'enum', 'type', 'generator', 'datasource'] as const

/** What a block of a schema declares. */
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** A block of a schema's text, as `model Post { … }`. */
export interface SchemaBlock {
  readonly kind: BlockKind
  readonly name: string
  readonly line: number
  /** Its fields, or its enum's values: a line each, as Prisma wants it. */
  readonly members: readonly SchemaMember[]
}

/** A field of a block, or a value of an enum. */
export interface SchemaMember {
  readonly name: string
  readonly line: number
}

/** One line of a comment. */
export interface SchemaComment {
  /** `plain` for two slashes. Prisma hands on the others: `///`, and what stands between `/*` and its end. */
  readonly kind: 'plain' | 'doc'
  /** What it says, without the slashes before it. */
  readonly text: string
  readonly line: number
  /** It stands behind code, on the code's own line. */
  readonly trailing: boolean
  /** The block that it stands in. */
  readonly block: SchemaBlock | undefined
  /** What Prisma takes such a comment for the documentation of, if it has three slashes: a block, or a member of it. */
  readonly target: { readonly block: SchemaBlock; readonly member?: string } | undefined
  /** The lines of the same comment that stand below this one. */
  readonly below: readonly SchemaComment[]
}

/** What stands where in a schema's text. */
export interface SchemaText {
  readonly blocks: readonly SchemaBlock[]
  readonly comments: readonly SchemaComment[]
}

type Draft = { -readonly [K in keyof SchemaComment]: SchemaComment[K] }

/**
 * Reads where blocks, fields and comments stand in a schema's text, as Prisma's own grammar has it.
 * @param text one that Prisma accepts; its lines are counted from 1
 */
export function parseSchemaText(text: string): SchemaText {
  const blocks: SchemaBlock[] = []
  const comments: SchemaComment[] = []
  let block: (SchemaBlock & { readonly members: SchemaMember[] }) | undefined
  // Comments that wait for what they stand on.
  let waiting: Draft[] = []
  let isEnded = false
  let inside = false

  const give = (target: SchemaComment['target']) => {
    for (const comment of waiting) comment.target = target
    waiting = []
    isEnded = false
  }
  const wait = (comment: Draft) => {
    if (isEnded) give(undefined)
    for (const above of waiting) above.below = [...above.below, comment]
    waiting.push(comment)
  }

  let line = 0
  for (const source of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    line += 1
    const parts = readLine(source, inside)
    inside = parts.inside
    const trailing: Draft[] = []
    for (const part of parts.comments) {
      const comment: Draft = { ...part, line, block, target: undefined, below: [] }
      comments.push(comment)
      if (part.trailing) trailing.push(comment)
      else wait(comment)
    }

    if (parts.code === '') {
      if (parts.comments.length > 0) continue
      // In a block, the last comment reaches its field over empty lines.
      if (block) isEnded = true
      else give(undefined)
    } else if (block === undefined) {
      const [, word, name = '', rest = ''] = /^(\w+)\s+([^\s{]+)\s*\{(.*)$/.exec(parts.code) ?? []
      const kind = BLOCK_KINDS.find((each) => each === word)
      const opened = kind && { kind, name, line, members: [] }
      if (opened) blocks.push(opened)
      give(opened && { block: opened })
      for (const comment of trailing) comment.block = opened
      if (!rest.includes('}')) block = opened
    } else if (parts.code.startsWith('}')) {
      give(undefined)
      block = undefined
    } else if (parts.code.startsWith('@@')) {
      isEnded = true
    } else {
      const member = /^[^\s@]+/.exec(parts.code)?.[0] ?? ''
      block.members.push({ name: member, line })
      give({ block, member })
      for (const comment of trailing) comment.target = { block, member }
    }
  }
  return { blocks, comments }
}

/** The code of a line and its comments. One between `/*` and its end may begin above and go on below. */
function readLine(source: string, before: boolean) {
  const comments: Pick<SchemaComment, 'kind' | 'text' | 'trailing'>[] = []
  let code = ''
  let inside = before
  let at = 0
  if (inside && source === '') comments.push({ kind: 'doc', text: '', trailing: false })
  while (at < source.length) {
    const trailing = code.trim() !== ''
    const begins = !inside && source.startsWith('/*', at)
    if (inside || begins) {
      const start = begins ? at + 2 : at
      const end = source.indexOf('*/', start)
      const text = source.slice(start, end < 0 ? undefined : end)
      comments.push({ kind: 'doc', text, trailing })
      inside = end < 0
      at = inside ? source.length : end + 2
    } else if (source.startsWith('//', at)) {
      const isDoc = source.startsWith('///', at)
      const text = source.slice(at + (isDoc ? 3 : 2))
      comments.push({ kind: isDoc ? 'doc' : 'plain', text, trailing })
      at = source.length
    } else {
      const string = /"(?:[^"\\]|\\.)*"/y
      string.lastIndex = at
      const taken = string.exec(source)?.[0] ?? source.charAt(at)
      code += taken
      at += taken.length
    }
  }
  return { code: code.trim(), comments, inside }
}
