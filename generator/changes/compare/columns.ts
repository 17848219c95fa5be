import type { FieldSpec } from '../../model/api-model.js'
import { columnType } from '../../model/fields.js'
import type { SchemaField } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { inStyles, quote } from '../phrases.js'
import { type ModelPair, schemaField } from './context.js'
import { isWritable, isWritableModel } from './field-traits.js'

/** Column types whose argument is the maximum number of characters. */
const TEXTS = /^(?:VarChar|Char|NVarChar|NChar|VarBit|VarBinary|Binary)$/

/** Integer column types, smallest first. */
const INTEGERS = ['TinyInt', 'SmallInt', 'MediumInt', 'Int', 'Integer', 'Oid', 'BigInt']

/** Compares the capacity of a field's column (`@db.VarChar(200)`). The database rejects values that do not fit. */
export function compareColumns(was: FieldSpec, is: FieldSpec, pair: ModelPair): Finding[] {
  const { after, fields, styles } = pair
  if (!isWritable(is, after) || !isWritableModel(after)) return []
  const oldName = [...fields].find(([, name]) => name === is.name)?.[0] ?? was.name
  const [from, to] = [sizeOf(schemaField(pair.was, oldName)), sizeOf(schemaField(pair.is, is.name))]
  if (from === undefined || to === undefined || from.size === to.size) return []
  const about = { model: after.name, member: is.name, detail: `${from.name} -> ${to.name}` } as const
  const name = quote(`${after.name}.${is.name}`)
  if (to.size < from.size) {
    const sentence = `${name} has a narrower column (${quote(to.name)}): the database refuses values that fitted before${inStyles(styles, { rest: '', rpc: '' })}.`
    return [{ kind: 'breaking', code: 'column-narrower', ...about, sentence }]
  }
  const sentence = `${name} has a wider column (${quote(to.name)}): values that the database refused fit now${inStyles(styles, { rest: '', rpc: '' })}.`
  return [{ kind: 'loosened', code: 'column-wider', ...about, sentence }]
}

/** Returns the capacity of a column. Capacities are comparable only between fields of the same type. */
function sizeOf(field: SchemaField | undefined): { readonly name: string; readonly size: number } | undefined {
  if (field === undefined) return undefined
  const { type, nativeType = '', nativePrecision } = field
  const column = columnType(field)
  const name = column === undefined ? type : `@db.${column}`
  if (type === 'String' || type === 'Bytes') {
    return { name, size: TEXTS.test(nativeType) ? (nativePrecision ?? Infinity) : Infinity }
  }
  // Counts the digits before the decimal point, because the database rounds the others. Prisma's default column type is Decimal(65, 30).
  if (type === 'Decimal') {
    const [precision = '65', scale = field.nativeArguments ? '0' : '30'] = field.nativeArguments ?? []
    return { name, size: Number(precision) - Number(scale) }
  }
  if (type !== 'Int') return undefined
  const rank = INTEGERS.indexOf(nativeType)
  return { name, size: rank < 0 ? INTEGERS.indexOf('Int') : Math.min(rank, INTEGERS.indexOf('Int')) }
}
