import fc from 'fast-check'

/** Edits a schema. The result may be invalid. */
export type Edit = (schema: string) => string

const TYPES = ['String', 'Int', 'Float', 'Boolean', 'DateTime', 'BigInt']
const WORDS = ['@api.hidden', '@api.readOnly', '@api.writeOnly', '@api.exposed', '@zod.max(12)', 'A comment.']
const OPERATIONS = ['list', 'get', 'create', 'update', 'delete']
const DEFAULTS: Readonly<Record<string, string>> = {
  String: '"some"',
  Int: '4',
  Float: '1.5',
  Boolean: 'true',
  DateTime: 'now()',
  BigInt: '9',
}

/** One to three edits of a schema: of fields, comments, models and operations. */
export const edits: fc.Arbitrary<Edit> = fc
  .array(fc.record({ kind: fc.nat(), at: fc.nat(), choice: fc.nat() }), { minLength: 1, maxLength: 3 })
  .map((drawn) => (schema) => drawn.reduce((text, { kind, at, choice }) => editOnce(text, kind, at, choice), schema))

/** Matches a line that declares a scalar field. */
const FIELD = /^ {2}(?<name>\w+) +(?<type>String|Int|Float|Boolean|DateTime|BigInt)(?<optional>\??)(?<rest>(?: .*)?)$/

function editOnce(schema: string, kind: number, at: number, choice: number): string {
  const lines = schema.split('\n')
  const fields = lines.flatMap((line, index) => (FIELD.test(line) && !/ @id/.test(line) ? [index] : []))
  const models = lines.flatMap((line, index) => (/^model \w+ \{/.test(line) ? [index] : []))
  const index = fields[at % fields.length] ?? 0
  const model = models[at % models.length] ?? 0
  const { name = '', type = '', optional = '', rest = '' } = FIELD.exec(lines[index] ?? '')?.groups ?? {}
  const isKey = name.endsWith('Id')
  const put = (line: string) => lines.with(index, line).join('\n')
  const pick = (list: readonly string[]) => list[choice % list.length] ?? ''
  // The rows limit the possible foreign keys, so rules and types of foreign keys are not edited.
  switch (kind % 10) {
    case 0:
      return isKey ? schema : put(`  ${name} ${type}${optional === '' ? '?' : ''}${rest}`)
    case 1: {
      const other = pick(TYPES)
      return isKey ? schema : put(`  ${name} ${other}${optional}${rest.replace(/ @default\(.*\)| @updatedAt/, '')}`)
    }
    case 2: {
      const without = rest.replace(/ @default\((?:[^()]|\(\))*\)/, '')
      return isKey
        ? schema
        : put(`  ${name} ${type}${optional}${without === rest ? `${rest} @default(${DEFAULTS[type]})` : without}`)
    }
    case 3:
      return isKey
        ? schema
        : put(`  ${name} ${type}${optional}${/ @unique/.test(rest) ? rest.replace(' @unique', '') : `${rest} @unique`}`)
    case 4:
      return isKey ? schema : lines.toSpliced(index, 1).join('\n')
    case 5:
      return lines
        .toSpliced(model + 1, 0, `  extra${choice % 3} ${pick(TYPES)}${choice % 2 === 0 ? '?' : ''}`)
        .join('\n')
    case 6: {
      const isCommented = /^ {2}\/\/\//.test(lines[index - 1] ?? '')
      return isCommented
        ? lines.toSpliced(index - 1, 1).join('\n')
        : lines
            .toSpliced(index, 0, `  /// ${pick(isKey ? WORDS.filter((word) => !word.startsWith('@zod')) : WORDS)}`)
            .join('\n')
    }
    case 7: {
      const allowedOperations = OPERATIONS.filter((_, bit) => ((choice >> bit) & 1) === 1)
      const word =
        choice % 7 === 0 || allowedOperations.length === 0
          ? '@api.hidden'
          : `@api.operations(${allowedOperations.join(', ')})`
      const isCommented = lines[model - 1]?.startsWith('///')
      return lines.toSpliced(isCommented ? model - 1 : model, isCommented ? 1 : 0, `/// ${word}`).join('\n')
    }
    case 8:
      return isKey ? schema : put(`  ${name}New ${type}${optional}${rest}${choice % 2 === 0 ? ` @map("${name}")` : ''}`)
    default:
      return lines
        .toSpliced(model + 1, 0, `  @@index([${/^ {2}(\w+)/.exec(lines[model + 1] ?? '')?.[1] ?? 'id'}])`)
        .join('\n')
  }
}
