import type { ApiRequest } from './serve.js'

/** An edit of the base schema and its expected verdict. */
export interface Case {
  readonly name: string
  /** Returns the new schema. */
  readonly edit: (schema: string) => string
  /** E: exposes more. B: breaks callers. L: requires less of callers. Empty: harmless. */
  readonly verdict: string
  /** The code of a finding that must be reported. */
  readonly expectedCode: string
  /** Old names by new names, to translate requests for the old API. */
  readonly renamed?: Readonly<Record<string, string>>
}

/** Replaces texts that must exist. */
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

function row(name: string, verdict: string, expectedCode: string, edit: Case['edit'], renamed?: Case['renamed']): Case {
  return { name, verdict, expectedCode, edit, ...(renamed && { renamed }) }
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

/** All cases: edits of the base schema with their verdicts. */
export const CASES: readonly Case[] = [
  // Versions
  row('new version field', 'EL', 'version-added', field('Post', '/// @api.version', 'version Int @default(1)')),
  row('field becomes a version', 'BL', 'version-added', above(VIEWS, '@api.version')),
  row('field becomes a required version', 'BL', 'version-required', above(VIEWS, '@api.version(required)')),
  // Models
  row(
    'new model',
    'E',
    'model-added',
    (schema) => `${schema}\nmodel Note {\n  id Int @id @default(autoincrement())\n  text String\n}\n`,
  ),
  row(
    'new hidden model',
    '',
    'model-off-the-wire',
    (schema) => `${schema}\n/// @api.hidden\nmodel Note {\n  id Int @id\n  text String\n}\n`,
  ),
  row('exposed hidden model', 'E', 'model-exposed', swap(['/// @api.hidden\nmodel Secret', 'model Secret'])),
  row('hidden model', 'B', 'model-hidden', swap(['model Tag {', '/// @api.hidden\nmodel Tag {'])),
  row('removed model', 'B', 'model-removed', (schema) =>
    schema.replace(/\/\/\/ @api.operations\(list, get\)\nmodel Log \{[^}]*\}\n/, ''),
  ),
  row('removed hidden model', '', 'model-off-the-wire', (schema) =>
    schema.replace(/\/\/\/ @api.hidden\nmodel Secret \{[^}]*\}\n/, ''),
  ),
  row('renamed model', 'B', 'model-renamed', swap(['model Log {', 'model Entry {\n  @@map("Log")\n']), {
    entry: 'log',
  }),
  row('new table name', '', 'no-consequence', swap([LABEL, `${LABEL}  @@map("tags")\n`])),
  row('new index', '', 'no-consequence', swap([LABEL, `${LABEL}  @@index([label])\n`])),
  row('new model comment', '', 'no-consequence', swap(['model Tag {', '/// A word.\nmodel Tag {'])),
  row('reordered fields', '', 'no-consequence', swap([CONTENT + STATUS, STATUS + CONTENT])),

  // Operations
  row('added create operation', 'E', 'operation-added', swap(['(list, get)', '(list, get, create)'])),
  row(
    'added update and delete operations',
    'E',
    'operation-added',
    swap(['(list, get)', '(list, get, update, delete)']),
  ),
  row('removed list operation', 'B', 'operation-removed', swap(['(list, get)', '(get)'])),
  row('removed get operation', 'B', 'operation-removed', swap(['(list, get)', '(list)'])),
  row(
    'model becomes read-only',
    'B',
    'operation-removed',
    swap(['model Profile {', '/// @api.readOnly\nmodel Profile {']),
  ),
  row(
    'removed delete operation',
    'B',
    'operation-removed',
    swap(['model Profile {', '/// @api.operations(list, get, create, update)\nmodel Profile {']),
  ),
  row('replaced operation', 'EB', 'operation-added', swap(['(list, get)', '(list, create)'])),

  // Fields
  row('new optional field', 'E', 'field-added', field('User', 'nick String?')),
  row('new field with a default', 'E', 'field-added', field('User', 'score Int @default(1)')),
  row('new required field', 'EB', 'field-required', field('User', 'nick String')),
  row('new read-only field', 'E', 'field-added', field('User', '/// @api.readOnly', 'score Int @default(1)')),
  row('new write-only field', 'E', 'field-added', field('User', '/// @api.writeOnly', 'pin String?')),
  row('new hidden field', '', 'field-off-the-wire', field('User', '/// @api.hidden', 'score Int @default(1)')),
  row('new required hidden field', 'B', 'create-fails', field('User', '/// @api.hidden', 'score Int')),
  row('new secret-like field', 'E', 'field-added', field('User', 'accessToken String?')),
  row('removed field', 'B', 'field-removed', swap([NAME, ''])),
  row(
    'removed read-only field',
    'B',
    'field-removed',
    swap(['  /// @api.readOnly\n  level    Int      @default(0)\n', '']),
  ),
  row('removed write-only field', 'B', 'field-removed', swap(['  /// @api.writeOnly\n  password String\n', ''])),
  row('removed hidden field', '', 'field-removed', swap(['  /// @api.hidden\n  notes    String?\n', ''])),
  row('renamed field with the same column', 'B', 'field-renamed', swap([NAME, '  fullName String? @map("name")\n']), {
    fullName: 'name',
  }),
  row('renamed field', 'B', 'field-renamed', swap([RATING, '  score     Float?\n']), { score: 'rating' }),
  row('new column name', '', 'no-consequence', swap([NAME, '  name     String? @map("full_name")\n'])),

  // Exposure of a field
  row('field becomes hidden', 'B', 'field-hidden', above(NAME, '@api.hidden')),
  row('required field becomes hidden', 'B', 'field-hidden', swap([`  /// ${TITLE_RULE}\n`, '  /// @api.hidden\n'])),
  row('field becomes read-only', 'B', 'field-read-only', above(NAME, '@api.readOnly')),
  row('required field becomes read-only', 'B', 'create-fails', swap([LABEL, `  /// @api.readOnly\n${LABEL}`])),
  row('field becomes server-set', 'B', 'field-read-only', above(NAME, '@api.serverSet')),
  row('required field becomes server-set', 'B', 'field-read-only', swap([LABEL, `  /// @api.serverSet\n${LABEL}`])),
  row(
    'read-only field becomes server-set',
    '',
    'field-server-set',
    swap(['@api.readOnly\n  level', '@api.serverSet\n  level']),
  ),
  row('new required server-set field', 'E', 'field-added', field('User', '/// @api.serverSet', 'score Int')),
  row(
    'new hidden server-set field',
    '',
    'field-off-the-wire',
    field('User', '/// @api.hidden @api.serverSet', 'score Int'),
  ),
  row('field becomes write-only', 'B', 'field-write-only', above(NAME, '@api.writeOnly')),
  row('hidden field becomes exposed', 'E', 'field-exposed', swap(['  /// @api.hidden\n  notes', '  notes'])),
  row(
    'hidden field becomes read-only',
    'E',
    'field-exposed',
    swap(['  /// @api.hidden\n  notes', '  /// @api.readOnly\n  notes']),
  ),
  row(
    'hidden field becomes write-only',
    'E',
    'field-exposed',
    swap(['  /// @api.hidden\n  notes', '  /// @api.writeOnly\n  notes']),
  ),
  row('read-only field becomes writable', 'E', 'field-writable', swap(['  /// @api.readOnly\n  level', '  level'])),
  row(
    'write-only field becomes readable',
    'E',
    'field-readable',
    swap(['  /// @api.writeOnly\n  password', '  password']),
  ),
  row(
    'read-only field becomes write-only',
    'EB',
    'field-writable',
    swap(['  /// @api.readOnly\n  level', '  /// @api.writeOnly\n  level']),
  ),
  row('new @api.exposed annotation', '', '', above(NAME, '@api.exposed')),

  // Values
  row('field becomes nullable', 'BL', 'field-nullable', swap([LABEL, '  label String?\n'])),
  row(
    'read-only field becomes nullable',
    'B',
    'field-nullable',
    swap(['level    Int      @default(0)', 'level    Int?     @default(0)']),
  ),
  row(
    'write-only field becomes nullable',
    'L',
    'field-takes-null',
    swap(['  password String\n', '  password String?\n']),
  ),
  row('field becomes required', 'B', 'field-required', swap([BIO, '  bio    String\n'])),
  row(
    'field becomes required with a default',
    'B',
    'field-not-null',
    swap([BIO, '  bio    String @default("none")\n']),
  ),
  row('new default of a required field', 'L', 'field-optional', swap([LABEL, '  label String @default("none")\n'])),
  row('removed default', 'B', 'field-required', swap([VIEWS, '  views     Int\n'])),
  row(
    'new default of an optional field',
    '',
    'default-changed',
    swap([CONTENT, '  content   String? @default("none")\n']),
  ),
  row('changed default', '', 'default-changed', swap([AGE, '  age      Int      @default(21)\n'])),
  row('Int becomes Float', 'B', 'field-type', swap([VIEWS, '  views     Float     @default(0)\n'])),
  row('Float becomes Int', 'B', 'field-type', swap([RATING, '  rating    Int?\n'])),
  row('Int becomes BigInt', 'B', 'field-type', swap([VIEWS, '  views     BigInt    @default(0)\n'])),
  row('Int becomes String', 'B', 'field-type', swap([AGE, '  age      String   @default("18")\n'])),
  row('enum becomes String', 'B', 'field-type', swap([STATUS, '  status    String    @default("DRAFT")\n'])),
  row('String becomes enum', 'B', 'field-type', swap([LABEL, '  label Status\n'])),
  row('new enum value', 'BL', 'enum-value-added', swap(['  ARCHIVED\n', '  ARCHIVED\n  HELD\n'])),
  row('removed enum value', 'B', 'enum-value-removed', swap(['  ARCHIVED\n', ''])),
  row('renamed enum value', 'BL', 'enum-value-removed', swap(['  ARCHIVED\n', '  HELD\n'])),
  row('reordered enum values', '', 'no-consequence', swap(['  PUBLISHED\n  ARCHIVED\n', '  ARCHIVED\n  PUBLISHED\n'])),
  row('changed enum default', '', 'default-changed', swap(['@default(DRAFT)', '@default(PUBLISHED)'])),

  // Rules
  row('new rule', 'B', 'rule-stricter', above(CONTENT, '@zod.max(60)')),
  row('removed rule', 'L', 'rule-looser', swap([`  /// ${TITLE_RULE}\n`, ''])),
  row('stricter rule', 'B', 'rule-stricter', swap([TITLE_RULE, '@zod.min(1).max(20)'])),
  row('looser rule', 'L', 'rule-looser', swap([TITLE_RULE, '@zod.min(1).max(500)'])),
  row('rule both stricter and looser', 'B', 'rule-changed', swap([TITLE_RULE, '@zod.min(2).max(500)'])),
  row('new check in a rule', 'B', 'rule-stricter', swap([TITLE_RULE, '@zod.min(1).max(50).regex(/^[a-z]+$/)'])),
  row('changed rule message', '', 'rule-reworded', swap([TITLE_RULE, '@zod.min(1, "too short").max(50)'])),
  row(
    'rule with a new trim and a higher minimum',
    'B',
    'rule-changed',
    swap([TITLE_RULE, '@zod.trim().min(2).max(50)']),
  ),

  // Versions
  row(
    'read-only field becomes a version',
    'L',
    'version-added',
    swap(['  /// @api.readOnly\n  level', '  /// @api.version\n  level']),
  ),
  row(
    'read-only field becomes a required version',
    'BL',
    'version-required',
    swap(['  /// @api.readOnly\n  level', '  /// @api.version(required)\n  level']),
  ),

  // Ids and uniques
  row('field becomes unique', 'EB', 'duplicates-refused', swap([LABEL, '  label String @unique\n'])),
  row(
    'field becomes unique by an attribute of the model',
    'EB',
    'duplicates-refused',
    swap([LABEL, `${LABEL}  @@unique([label])\n`]),
  ),
  row('removed unique constraint', 'BL', 'unique-removed', swap(['slug      String    @unique', 'slug      String'])),
  row(
    'new compound unique constraint',
    'EB',
    'unique-added',
    swap(['  tags      Tag[]\n', '  tags      Tag[]\n  @@unique([title, views])\n']),
  ),
  row(
    'changed id field',
    'EB',
    'id-changed',
    swap(['  id    Int    @id @default(autoincrement())\n  label String\n', '  label String @id\n']),
  ),
  row(
    'id becomes writable',
    'EB',
    'field-writable',
    swap(['model Tag {\n  id    Int    @id @default(autoincrement())', 'model Tag {\n  id    Int    @id']),
  ),

  // Relations
  row(
    'new relation',
    'E',
    'relation-added',
    swap(
      [BIO, `${BIO}  tag    Tag?    @relation(fields: [tagId], references: [id])\n  tagId  Int?\n`],
      [LABEL, `${LABEL}  profiles Profile[]\n`],
    ),
  ),
  row(
    'removed relation',
    'B',
    'relation-removed',
    swap(['  tags      Tag[]\n', ''], ['  posts Post[]\n}\n\n/// @api.hidden', '}\n\n/// @api.hidden']),
  ),
  row('relation becomes hidden', 'B', 'relation-hidden', above('  tags      Tag[]\n', '@api.hidden')),
  row('relation becomes read-only', 'B', 'relation-read-only', above('  tags      Tag[]\n', '@api.readOnly')),
  row(
    'relation with a foreign key becomes read-only',
    'B',
    'relation-read-only',
    above('  author    User?     @relation', '@api.readOnly'),
  ),
  row('renamed relation', 'B', 'relation-renamed', swap(['  tags      Tag[]\n', '  labels    Tag[]\n']), {
    labels: 'tags',
  }),
  row(
    'relation becomes required',
    'B',
    'field-required',
    swap([
      'User?     @relation(fields: [authorId], references: [id])\n  authorId  Int?',
      'User      @relation(fields: [authorId], references: [id])\n  authorId  Int',
    ]),
  ),
  row(
    'onDelete becomes Restrict',
    'B',
    'delete-refused',
    swap(['references: [id], onDelete: Cascade', 'references: [id], onDelete: Restrict']),
  ),
  row(
    'onDelete becomes Cascade',
    'B',
    'delete-reaches',
    swap(['references: [id])\n  authorId  Int?', 'references: [id], onDelete: Cascade)\n  authorId  Int?']),
  ),
]

/** Translates a request to the old names. */
export function byOldNames({ renamed = {} }: Pick<Case, 'renamed'>): (request: ApiRequest) => ApiRequest {
  return (request) => {
    let text = JSON.stringify({ ...request, path: decodeURIComponent(request.path) })
    for (const [now, old] of Object.entries(renamed)) text = text.replaceAll(new RegExp(`\\b${now}\\b`, 'g'), old)
    const { path, ...others } = JSON.parse(text) as ApiRequest
    const [pathname = '', query] = path.split(/\?(.*)/s)
    const encoded = query?.replace(/=(.*)$/s, (_, value: string) => `=${encodeURIComponent(value)}`)
    return { ...others, path: encoded === undefined ? pathname : `${pathname}?${encoded}` }
  }
}
