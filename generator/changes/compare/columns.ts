import type { FieldSpec } from '../../model/api-model.js'
import { columnType, isInexact, MILLISECONDS } from '../../model/fields.js'
import { isWritable } from '../../model/writable-fields.js'
import type { SchemaField } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { formatPerStyle, quote } from '../phrases.js'
import { type ModelPair, schemaFields } from './context.js'
import { isWritableModel } from './field-traits.js'
import { isBoundedBy } from './rules.js'

/** Column types whose argument is the maximum number of characters. */
const STRING_TYPES = /^(?:VarChar|Char|NVarChar|NChar|VarBit|VarBinary|Binary)$/

/** Integer column types, smallest first. */
const INTEGERS = ['TinyInt', 'SmallInt', 'MediumInt', 'Int', 'Integer', 'Oid', 'BigInt']

/** The fractional digits of seconds in columns without an argument, by provider. SQL Server's depend on the type. */
const DEFAULT_PRECISIONS: Readonly<Record<string, number>> = { postgres: 6, postgresql: 6, cockroachdb: 6, mysql: 0 }

/** Compares the capacity of a field's column (`@db.VarChar(200)`). The database rejects values that do not fit, unless a rule does. */
export function compareColumns(oldField: FieldSpec, newField: FieldSpec, pair: ModelPair): Finding[] {
  const { after, styles, provider } = pair
  if (!isWritable(newField, after) || !isWritableModel(after)) return []
  const [oldSource, newSource] = schemaFields(pair, newField.name)
  const [from, to] = [getColumnSize(oldSource, provider), getColumnSize(newSource, provider)]
  if (from === undefined || to === undefined) return []
  const about = { model: after.name, member: newField.name, detail: `${from.name} -> ${to.name}` } as const
  const name = quote(`${after.name}.${newField.name}`)
  const suffix = formatPerStyle(styles, { rest: '', rpc: '' })
  const findings: Finding[] = []
  if (to.decimals < from.decimals) {
    const sentence = `${name} stores ${to.decimals} decimal place${to.decimals === 1 ? '' : 's'}${newField.type === 'DateTime' ? ' of seconds' : ''} instead of ${from.decimals} (${quote(to.name)}): the database now rounds values that it used to store exactly${suffix}.`
    findings.push({ kind: 'breaking', code: 'column-rounds', ...about, sentence })
  }
  if (to.size === from.size) return findings
  const smaller = Math.min(from.size, to.size)
  // SQL Server limits the bytes of a text, and a rule limits its characters.
  const countsBytes = newField.type === 'String' && provider === 'sqlserver'
  const isBounded =
    isBoundedBy(smaller, oldField, oldSource?.comment) && isBoundedBy(smaller, newField, newSource?.comment)
  if (isBounded && !countsBytes) return findings
  if (to.size < from.size) {
    const sentence = `${name} has a narrower column (${quote(to.name)}): the database rejects values that used to fit${suffix}.`
    return [...findings, { kind: 'breaking', code: 'column-narrower', ...about, sentence }]
  }
  const sentence = `${name} has a wider column (${quote(to.name)}): the database now accepts values that it used to reject${suffix}.`
  return [...findings, { kind: 'loosened', code: 'column-wider', ...about, sentence }]
}

/** The capacity of a column. Capacities are comparable only between fields of the same type. */
interface ColumnSize {
  readonly name: string
  /** The maximum number of characters or digits before the decimal point, or the rank of an integer type. */
  readonly size: number
  /** The number of digits after the decimal point that the column stores. The database rounds others. NaN if it is unknown. */
  readonly decimals: number
}

function getColumnSize(field: SchemaField | undefined, provider: string): ColumnSize | undefined {
  if (field === undefined) return undefined
  const { type, nativeType = '', nativePrecision } = field
  const column = columnType(field)
  const name = column === undefined ? type : `@db.${column}`
  if (type === 'String' || type === 'Bytes') {
    return { name, size: STRING_TYPES.test(nativeType) ? (nativePrecision ?? Infinity) : Infinity, decimals: 0 }
  }
  // Prisma's default column type is Decimal(65, 30).
  if (type === 'Decimal') {
    const [precision = '65', scale = field.nativeArguments ? '0' : '30'] = field.nativeArguments ?? []
    return { name, size: Number(precision) - Number(scale), decimals: Number(scale) }
  }
  if (type === 'DateTime') {
    if (nativeType === '') return { name, size: 0, decimals: MILLISECONDS }
    const precision = nativePrecision ?? DEFAULT_PRECISIONS[provider] ?? (isInexact(field) ? MILLISECONDS : NaN)
    return { name, size: 0, decimals: Math.min(precision, MILLISECONDS) }
  }
  if (type !== 'Int') return undefined
  const rank = INTEGERS.indexOf(nativeType)
  return { name, size: rank < 0 ? INTEGERS.indexOf('Int') : Math.min(rank, INTEGERS.indexOf('Int')), decimals: 0 }
}
