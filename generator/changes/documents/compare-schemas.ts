import { joinList, quote } from '../phrases.js'
import { entries, getMember } from './document-members.js'

/** A difference between two versions of a JSON Schema. */
export interface SchemaDifference {
  /** The path of the value, such as `items[].price`. Empty for the whole value. */
  readonly path: string
  /** The first four are about properties, and the others about the values that the schema accepts. */
  readonly effect: 'added' | 'removed' | 'required' | 'optional' | 'narrower' | 'wider' | 'different'
  /** Whether an added property is required. */
  readonly isRequired?: boolean
  /** The difference between the values, as a predicate: `can now be null`. */
  readonly predicate?: string
}

/**
 * Compares two versions of a JSON Schema. Schemas that are referenced are equal if their names are equal, because they describe models, and
 * the comparison of the Prisma schemas reports those. Ignores descriptions, examples and defaults.
 */
export function compareSchemas(before: unknown, after: unknown, path = ''): readonly SchemaDifference[] {
  if (toComparable(before) === toComparable(after)) return []
  const [oldSchema, newSchema] = [splitNull(before), splitNull(after)]
  const nulls: readonly SchemaDifference[] =
    oldSchema.isNullable === newSchema.isNullable
      ? []
      : newSchema.isNullable
        ? [{ path, effect: 'wider', predicate: 'can now be null' }]
        : [{ path, effect: 'narrower', predicate: 'can no longer be null' }]
  return [...nulls, ...compareValues(oldSchema.schema, newSchema.schema, path)]
}

function compareValues(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  if (toComparable(before) === toComparable(after)) return []
  const [oldValues, newValues] = [listValues(before), listValues(after)]
  const [oldType, newType] = [describeType(before), describeType(after)]
  if (oldType !== newType && !(oldValues && newValues)) {
    const [from, to] = [quote(oldType), quote(newType)]
    const effect = isSubtype(oldType, newType) ? 'wider' : isSubtype(newType, oldType) ? 'narrower' : 'different'
    return [{ path, effect, predicate: `is ${to} instead of ${from}` }]
  }
  const differences = [
    ...compareLists(oldValues, newValues, path),
    ...compareProperties(before, after, path),
    ...compareSchemas(getMember(before, 'items'), getMember(after, 'items'), `${path}[]`),
    ...compareOtherProperties(
      getMember(before, 'additionalProperties'),
      getMember(after, 'additionalProperties'),
      path,
    ),
    ...compareLimits(before, after, path),
  ]
  const isOtherwiseEqual =
    toComparable(withoutComparedKeywords(before)) === toComparable(withoutComparedKeywords(after))
  return isOtherwiseEqual
    ? differences
    : [...differences, { path, effect: 'different', predicate: 'has a different schema' }]
}

function compareProperties(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  const [oldRequired, newRequired] = [before, after].map((schema) => {
    return new Set(entries(getMember(schema, 'required')).map(([, name]) => name))
  })
  const [oldProperties, newProperties] = [before, after].map(
    (schema) => new Map(entries(getMember(schema, 'properties'))),
  )
  const names = new Set([...(oldProperties?.keys() ?? []), ...(newProperties?.keys() ?? [])])
  return [...names].flatMap((name): readonly SchemaDifference[] => {
    const memberPath = path === '' ? name : `${path}.${name}`
    const [wasRequired, isRequired] = [oldRequired?.has(name) === true, newRequired?.has(name) === true]
    if (!oldProperties?.has(name)) return [{ path: memberPath, effect: 'added', isRequired }]
    if (!newProperties?.has(name)) return [{ path: memberPath, effect: 'removed' }]
    const values = compareSchemas(oldProperties.get(name), newProperties.get(name), memberPath)
    if (wasRequired === isRequired) return values
    return [{ path: memberPath, effect: isRequired ? 'required' : 'optional' }, ...values]
  })
}

function compareLists(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  path: string,
): readonly SchemaDifference[] {
  if (!before && !after) return []
  if (!before) return [{ path, effect: 'narrower', predicate: `can now only be ${joinValues(after)}` }]
  if (!after) return [{ path, effect: 'wider', predicate: `can now have values other than ${joinValues(before)}` }]
  const removed = before.filter((value) => !after.includes(value))
  const added = after.filter((value) => !before.includes(value))
  const narrower = { path, effect: 'narrower', predicate: `can no longer be ${joinValues(removed)}` } as const
  const wider = { path, effect: 'wider', predicate: `can now be ${joinValues(added)}` } as const
  return [...(removed.length > 0 ? [narrower] : []), ...(added.length > 0 ? [wider] : [])]
}

function joinValues(values: readonly string[] = []): string {
  return joinList(values.map(quote), 'or')
}

/** Compares the schemas of properties that are not listed. */
function compareOtherProperties(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  if (before !== false && after !== false) return compareSchemas(before, after, path === '' ? '*' : `${path}.*`)
  if (before === after) return []
  return after === false
    ? [{ path, effect: 'narrower', predicate: 'can no longer contain other properties' }]
    : [{ path, effect: 'wider', predicate: 'can now contain other properties' }]
}

/** Keywords whose larger value accepts fewer values, and those whose smaller value does. */
const MINIMUMS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const MAXIMUMS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords that reject values and that cannot be ordered. */
const CHECKS = ['format', 'pattern', 'multipleOf', 'uniqueItems']

function compareLimits(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  return [...MINIMUMS, ...MAXIMUMS, ...CHECKS].flatMap((keyword): readonly SchemaDifference[] => {
    const [from, to] = [getMember(before, keyword), getMember(after, keyword)]
    if (toComparable(from) === toComparable(to)) return []
    const name = quote(keyword)
    if (from === undefined) return [{ path, effect: 'narrower', predicate: `now has ${name} ${quote(toText(to))}` }]
    if (to === undefined) return [{ path, effect: 'wider', predicate: `no longer has ${name} ${quote(toText(from))}` }]
    const predicate = `has ${name} ${quote(toText(to))} instead of ${quote(toText(from))}`
    if (typeof from !== 'number' || typeof to !== 'number' || CHECKS.includes(keyword))
      return [{ path, effect: 'different', predicate }]
    return [{ path, effect: to > from === MINIMUMS.includes(keyword) ? 'narrower' : 'wider', predicate }]
  })
}

/** Returns the allowed values as text, or undefined if the schema does not list them. */
function listValues(schema: unknown): readonly string[] | undefined {
  const value = getMember(schema, 'const')
  if (value !== undefined) return [toText(value)]
  const values = getMember(schema, 'enum')
  return Array.isArray(values) ? values.map(toText) : undefined
}

/** Describes the type of a schema in a word: its type or the name of the schema that it refers to. */
function describeType(schema: unknown): string {
  const reference = getMember(schema, '$ref')
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? ''
  const type = getMember(schema, 'type')
  if (type !== undefined) return Array.isArray(type) ? type.join(' | ') : toText(type)
  const union = getMember(schema, 'anyOf') ?? getMember(schema, 'oneOf')
  if (Array.isArray(union)) return union.map(describeType).join(' | ')
  return 'any value'
}

function isSubtype(type: string, other: string): boolean {
  if (other === 'any value') return true
  const others = other.split(' | ')
  return type.split(' | ').every((one) => others.includes(one) || (one === 'integer' && others.includes('number')))
}

/** Separates null from the other values of a schema. */
function splitNull(schema: unknown): { readonly schema: unknown; readonly isNullable: boolean } {
  const type = getMember(schema, 'type')
  if (Array.isArray(type) && type.includes('null') && type.length > 1) {
    const others = type.filter((one) => one !== 'null')
    return { schema: { ...Object(schema), type: others.length === 1 ? others[0] : others }, isNullable: true }
  }
  const union = getMember(schema, 'anyOf')
  if (!Array.isArray(union)) return { schema, isNullable: false }
  const others = union.filter((one) => getMember(one, 'type') !== 'null')
  if (others.length === union.length || others.length === 0) return { schema, isNullable: false }
  return { schema: others.length === 1 ? others[0] : { ...Object(schema), anyOf: others }, isNullable: true }
}

/** Keywords that do not restrict values. */
const ANNOTATIONS = ['title', 'description', 'examples', 'default', 'deprecated', '$comment', 'readOnly', 'writeOnly']

/** Keywords that are compared one by one, and those that RPC uses to add the arguments of lists. */
const COMPARED = [
  'properties',
  'required',
  'items',
  'additionalProperties',
  'enum',
  'const',
  'unevaluatedProperties',
  'not',
]

function withoutComparedKeywords(schema: unknown): unknown {
  const compared = [...COMPARED, ...MINIMUMS, ...MAXIMUMS, ...CHECKS]
  return Object.fromEntries(entries(schema).filter(([name]) => !compared.includes(name)))
}

/** Converts a schema to a text. It is the same for schemas that differ only in annotations or in the order of their members. */
function toComparable(schema: unknown): string {
  return JSON.stringify(withoutAnnotations(schema)) ?? ''
}

function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations)
  if (typeof schema !== 'object' || schema === null) return schema
  const keywords = entries(schema).filter(([name]) => !ANNOTATIONS.includes(name))
  return sortMembers(
    // The names of properties are not keywords.
    keywords.map(([name, value]) => [name, name === 'properties' ? mapMembers(value) : withoutAnnotations(value)]),
  )
}

function mapMembers(properties: unknown): unknown {
  return sortMembers(entries(properties).map(([name, schema]) => [name, withoutAnnotations(schema)]))
}

function sortMembers(members: readonly [name: string, value: unknown][]): object {
  return Object.fromEntries([...members].sort(([left], [right]) => (left < right ? -1 : 1)))
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
