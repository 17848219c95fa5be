import type { Asked } from './serve.js'

/** A change of the base schema, and what it is. */
export interface Case {
  readonly name: string
  /** The new schema. */
  readonly edit: (schema: string) => string
  /** E exposes more, B breaks callers, L asks less of them; nothing where it is harmless. */
  readonly verdict: string
  /** A change that it is told as. */
  readonly says: string
  /** Names that have changed: what was asked by the new ones is asked by the old ones. */
  readonly renamed?: Readonly<Record<string, string>>
}

/** Replaces text that has to be there. */
function swap(...changes: readonly (readonly [from: string, to: string])[]): Case['edit'] {
  return (schema) =>
    changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`The schema has no ${JSON.stringify(from)}.`)
      return text.replace(from, to)
    }, schema)
}

/** Adds a field to a model. */
function field(model: string, ...lines: readonly string[]): Case['edit'] {
  return swap([`model ${model} {\n`, `model ${model} {\n${lines.map((line) => `  ${line}\n`).join('')}`])
}

/** Writes a comment above a line. */
function above(line: string, comment: string): Case['edit'] {
  return swap([line, `/// ${comment}\n  ${line.trimStart()}`])
}

function row(name: string, verdict: string, says: string, edit: Case['edit'], renamed?: Case['renamed']): Case {
  return { name, verdict, says, edit, ...(renamed && { renamed }) }
}

const NAME = '  name     String?\n'
const AGE = '  age      Int      @default(18)\n'
const TITLE_RULE = '@zod.min(1).max(50)'
const CONTENT = '  content   String?\n'
const VIEWS = '  views     Int       @default(0)\n'
const RATING = '  rating    Float?\n'
const STATUS = '  status    Status    @default(DRAFT)\n'
const LABEL = '  label String\n'
const BIO = '  bio    String?\n'

/** The table: changes of the base schema, each with its verdict. */
export const CASES: readonly Case[] = [
  // Versions
  row('a version is new', 'EL', 'version-added', field('Post', '/// @api.version', 'version Int @default(1)')),
  row('a field is a version now', 'BL', 'version-added', above(VIEWS, '@api.version')),
  row('a version is required', 'BL', 'version-required', above(VIEWS, '@api.version(required)')),
  // Models
  row(
    'a model is new',
    'E',
    'model-added',
    (schema) => `${schema}\nmodel Note {\n  id Int @id @default(autoincrement())\n  text String\n}\n`,
  ),
  row(
    'a model is new, and hidden',
    '',
    'model-off-the-wire',
    (schema) => `${schema}\n/// @api.hidden\nmodel Note {\n  id Int @id\n  text String\n}\n`,
  ),
  row('a hidden model is exposed', 'E', 'model-exposed', swap(['/// @api.hidden\nmodel Secret', 'model Secret'])),
  row('a model is hidden', 'B', 'model-hidden', swap(['model Tag {', '/// @api.hidden\nmodel Tag {'])),
  row('a model is removed', 'B', 'model-removed', (schema) =>
    schema.replace(/\/\/\/ @api.operations\(list, get\)\nmodel Log \{[^}]*\}\n/, ''),
  ),
  row('a hidden model is removed', '', 'model-off-the-wire', (schema) =>
    schema.replace(/\/\/\/ @api.hidden\nmodel Secret \{[^}]*\}\n/, ''),
  ),
  row('a model is renamed', 'B', 'model-renamed', swap(['model Log {', 'model Entry {\n  @@map("Log")\n']), {
    entry: 'log',
  }),
  row('a model gets another table', '', 'no-consequence', swap([LABEL, `${LABEL}  @@map("tags")\n`])),
  row('a model gets an index', '', 'no-consequence', swap([LABEL, `${LABEL}  @@index([label])\n`])),
  row('a model gets a comment', '', 'no-consequence', swap(['model Tag {', '/// A word.\nmodel Tag {'])),
  row('fields change places', '', 'no-consequence', swap([CONTENT + STATUS, STATUS + CONTENT])),

  // Operations
  row('a model can be created', 'E', 'operation-added', swap(['(list, get)', '(list, get, create)'])),
  row(
    'a model can be updated and deleted',
    'E',
    'operation-added',
    swap(['(list, get)', '(list, get, update, delete)']),
  ),
  row('a model can be listed no more', 'B', 'operation-removed', swap(['(list, get)', '(get)'])),
  row('a model can be got no more', 'B', 'operation-removed', swap(['(list, get)', '(list)'])),
  row(
    'a model is read-only',
    'B',
    'operation-removed',
    swap(['model Profile {', '/// @api.readOnly\nmodel Profile {']),
  ),
  row(
    'a model cannot be deleted any more',
    'B',
    'operation-removed',
    swap(['model Profile {', '/// @api.operations(list, get, create, update)\nmodel Profile {']),
  ),
  row('one operation in place of another', 'EB', 'operation-added', swap(['(list, get)', '(list, create)'])),

  // Fields
  row('an optional field is new', 'E', 'field-added', field('User', 'nick String?')),
  row('a field with a default is new', 'E', 'field-added', field('User', 'score Int @default(1)')),
  row('a required field is new', 'EB', 'field-required', field('User', 'nick String')),
  row('a read-only field is new', 'E', 'field-added', field('User', '/// @api.readOnly', 'score Int @default(1)')),
  row('a write-only field is new', 'E', 'field-added', field('User', '/// @api.writeOnly', 'pin String?')),
  row('a hidden field is new', '', 'field-off-the-wire', field('User', '/// @api.hidden', 'score Int @default(1)')),
  row('a required hidden field is new', 'B', 'create-fails', field('User', '/// @api.hidden', 'score Int')),
  row('a secret is new', 'E', 'field-added', field('User', 'accessToken String?')),
  row('a field is removed', 'B', 'field-removed', swap([NAME, ''])),
  row(
    'a read-only field is removed',
    'B',
    'field-removed',
    swap(['  /// @api.readOnly\n  level    Int      @default(0)\n', '']),
  ),
  row('a write-only field is removed', 'B', 'field-removed', swap(['  /// @api.writeOnly\n  password String\n', ''])),
  row('a hidden field is removed', '', 'field-removed', swap(['  /// @api.hidden\n  notes    String?\n', ''])),
  row('a field is renamed, its column kept', 'B', 'field-renamed', swap([NAME, '  fullName String? @map("name")\n']), {
    fullName: 'name',
  }),
  row('a field is renamed', 'B', 'field-renamed', swap([RATING, '  score     Float?\n']), { score: 'rating' }),
  row('a field gets another column', '', 'no-consequence', swap([NAME, '  name     String? @map("full_name")\n'])),

  // How far a field is on the wire
  row('a field is hidden', 'B', 'field-hidden', above(NAME, '@api.hidden')),
  row('a required field is hidden', 'B', 'field-hidden', swap([`  /// ${TITLE_RULE}\n`, '  /// @api.hidden\n'])),
  row('a field is read-only', 'B', 'field-read-only', above(NAME, '@api.readOnly')),
  row('a required field is read-only', 'B', 'create-fails', swap([LABEL, `  /// @api.readOnly\n${LABEL}`])),
  row('a field is set by the server', 'B', 'field-read-only', above(NAME, '@api.serverSet')),
  row('a required field is set by the server', 'B', 'field-read-only', swap([LABEL, `  /// @api.serverSet\n${LABEL}`])),
  row(
    'a read-only field is set by the server',
    '',
    'field-server-set',
    swap(['@api.readOnly\n  level', '@api.serverSet\n  level']),
  ),
  row('a required field of the server is new', 'E', 'field-added', field('User', '/// @api.serverSet', 'score Int')),
  row(
    'a hidden field of the server is new',
    '',
    'field-off-the-wire',
    field('User', '/// @api.hidden @api.serverSet', 'score Int'),
  ),
  row('a field is write-only', 'B', 'field-write-only', above(NAME, '@api.writeOnly')),
  row('a hidden field is exposed', 'E', 'field-exposed', swap(['  /// @api.hidden\n  notes', '  notes'])),
  row(
    'a hidden field can be read',
    'E',
    'field-exposed',
    swap(['  /// @api.hidden\n  notes', '  /// @api.readOnly\n  notes']),
  ),
  row(
    'a hidden field can be written',
    'E',
    'field-exposed',
    swap(['  /// @api.hidden\n  notes', '  /// @api.writeOnly\n  notes']),
  ),
  row('a read-only field can be written', 'E', 'field-writable', swap(['  /// @api.readOnly\n  level', '  level'])),
  row(
    'a write-only field can be read',
    'E',
    'field-readable',
    swap(['  /// @api.writeOnly\n  password', '  password']),
  ),
  row(
    'a read-only field is write-only',
    'EB',
    'field-writable',
    swap(['  /// @api.readOnly\n  level', '  /// @api.writeOnly\n  level']),
  ),
  row('a field is exposed on purpose', '', '', above(NAME, '@api.exposed')),

  // Values
  row('a field may be null', 'BL', 'field-nullable', swap([LABEL, '  label String?\n'])),
  row(
    'a read-only field may be null',
    'B',
    'field-nullable',
    swap(['level    Int      @default(0)', 'level    Int?     @default(0)']),
  ),
  row('a write-only field may be null', 'L', 'field-takes-null', swap(['  password String\n', '  password String?\n'])),
  row('a field is required', 'B', 'field-required', swap([BIO, '  bio    String\n'])),
  row(
    'a field is required and has a default',
    'B',
    'field-not-null',
    swap([BIO, '  bio    String @default("none")\n']),
  ),
  row('a required field gets a default', 'L', 'field-optional', swap([LABEL, '  label String @default("none")\n'])),
  row('a field loses its default', 'B', 'field-required', swap([VIEWS, '  views     Int\n'])),
  row(
    'an optional field gets a default',
    '',
    'default-changed',
    swap([CONTENT, '  content   String? @default("none")\n']),
  ),
  row('a default is another one', '', 'default-changed', swap([AGE, '  age      Int      @default(21)\n'])),
  row('an Int is a Float', 'B', 'field-type', swap([VIEWS, '  views     Float     @default(0)\n'])),
  row('a Float is an Int', 'B', 'field-type', swap([RATING, '  rating    Int?\n'])),
  row('an Int is a BigInt', 'B', 'field-type', swap([VIEWS, '  views     BigInt    @default(0)\n'])),
  row('an Int is a String', 'B', 'field-type', swap([AGE, '  age      String   @default("18")\n'])),
  row('an enum is a String', 'B', 'field-type', swap([STATUS, '  status    String    @default("DRAFT")\n'])),
  row('a String is an enum', 'B', 'field-type', swap([LABEL, '  label Status\n'])),
  row('an enum has a value more', 'BL', 'enum-value-added', swap(['  ARCHIVED\n', '  ARCHIVED\n  HELD\n'])),
  row('an enum has a value less', 'B', 'enum-value-removed', swap(['  ARCHIVED\n', ''])),
  row('an enum value is renamed', 'BL', 'enum-value-removed', swap(['  ARCHIVED\n', '  HELD\n'])),
  row('an enum has another order', '', '', swap(['  PUBLISHED\n  ARCHIVED\n', '  ARCHIVED\n  PUBLISHED\n'])),
  row(
    'the default is another value of the enum',
    '',
    'default-changed',
    swap(['@default(DRAFT)', '@default(PUBLISHED)']),
  ),

  // Rules
  row('a field gets a rule', 'B', 'rule-stricter', above(CONTENT, '@zod.max(60)')),
  row('a field loses its rule', 'L', 'rule-looser', swap([`  /// ${TITLE_RULE}\n`, ''])),
  row('a rule is stricter', 'B', 'rule-stricter', swap([TITLE_RULE, '@zod.min(1).max(20)'])),
  row('a rule is looser', 'L', 'rule-looser', swap([TITLE_RULE, '@zod.min(1).max(500)'])),
  row('a rule is stricter and looser', 'BL', 'rule-changed', swap([TITLE_RULE, '@zod.min(2).max(500)'])),
  row('a rule has a check more', 'B', 'rule-stricter', swap([TITLE_RULE, '@zod.min(1).max(50).regex(/^[a-z]+$/)'])),
  row('a rule has another message', '', 'rule-reworded', swap([TITLE_RULE, '@zod.min(1, "too short").max(50)'])),
  row('a rule trims before it counts', 'BL', 'rule-changed', swap([TITLE_RULE, '@zod.trim().min(2).max(50)'])),

  // Versions
  row(
    'a read-only field is a version now',
    'L',
    'version-added',
    swap(['  /// @api.readOnly\n  level', '  /// @api.version\n  level']),
  ),
  row(
    'a read-only field is a version that is required',
    'BL',
    'version-required',
    swap(['  /// @api.readOnly\n  level', '  /// @api.version(required)\n  level']),
  ),

  // Ids and uniques
  row('a field is unique', 'EB', 'duplicates-refused', swap([LABEL, '  label String @unique\n'])),
  row(
    'a field is not unique any more',
    'BL',
    'unique-removed',
    swap(['slug      String    @unique', 'slug      String']),
  ),
  row(
    'two fields are unique together',
    'EB',
    'unique-added',
    swap(['  tags      Tag[]\n', '  tags      Tag[]\n  @@unique([title, views])\n']),
  ),
  row(
    'the id is another field',
    'EB',
    'id-changed',
    swap(['  id    Int    @id @default(autoincrement())\n  label String\n', '  label String @id\n']),
  ),
  row(
    'callers make ids',
    'EB',
    'field-writable',
    swap(['model Tag {\n  id    Int    @id @default(autoincrement())', 'model Tag {\n  id    Int    @id']),
  ),

  // Relations
  row(
    'a relation is new',
    'E',
    'relation-added',
    swap(
      [BIO, `${BIO}  tag    Tag?    @relation(fields: [tagId], references: [id])\n  tagId  Int?\n`],
      [LABEL, `${LABEL}  profiles Profile[]\n`],
    ),
  ),
  row(
    'a relation is removed',
    'B',
    'relation-removed',
    swap(['  tags      Tag[]\n', ''], ['  posts Post[]\n}\n\n/// @api.hidden', '}\n\n/// @api.hidden']),
  ),
  row('a relation is hidden', 'B', 'relation-hidden', above('  tags      Tag[]\n', '@api.hidden')),
  row('a relation is read-only', 'B', 'relation-read-only', above('  tags      Tag[]\n', '@api.readOnly')),
  row(
    'a relation that holds a key is read-only',
    'B',
    'relation-read-only',
    above('  author    User?     @relation', '@api.readOnly'),
  ),
  row('a relation is renamed', 'B', 'relation-renamed', swap(['  tags      Tag[]\n', '  labels    Tag[]\n']), {
    labels: 'tags',
  }),
  row(
    'a relation is required',
    'B',
    'field-required',
    swap([
      'User?     @relation(fields: [authorId], references: [id])\n  authorId  Int?',
      'User      @relation(fields: [authorId], references: [id])\n  authorId  Int',
    ]),
  ),
  row(
    'deleting is refused',
    'B',
    'delete-refused',
    swap(['references: [id], onDelete: Cascade', 'references: [id], onDelete: Restrict']),
  ),
  row(
    'deleting reaches further',
    'B',
    'delete-reaches',
    swap(['references: [id])\n  authorId  Int?', 'references: [id], onDelete: Cascade)\n  authorId  Int?']),
  ),
]

/** A request by old names. */
export function byOldNames({ renamed = {} }: Pick<Case, 'renamed'>): (asked: Asked) => Asked {
  return (asked) => {
    let text = JSON.stringify({ ...asked, path: decodeURIComponent(asked.path) })
    for (const [now, old] of Object.entries(renamed)) text = text.replaceAll(new RegExp(`\\b${now}\\b`, 'g'), old)
    const { path, ...others } = JSON.parse(text) as Asked
    const [place = '', query] = path.split(/\?(.*)/s)
    const encoded = query?.replace(/=(.*)$/s, (_, value: string) => `=${encodeURIComponent(value)}`)
    return { ...others, path: encoded === undefined ? place : `${place}?${encoded}` }
  }
}
