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
 * Compares two versions of a JSON Schema. Treats references with the same name as equal, because they refer to models, which the comparison of
 * the Prisma schemas covers. Ignores descriptions, examples and defaults.
 */
export function compareSchemas(before: unknown, after: unknown, path = ''): readonly SchemaDifference[] {
  if (toComparable(before) === toComparable(after)) return []
  const [oldVariants, newVariants] = [listVariants(before), listVariants(after)]
  const removed = oldVariants.filter((variant) => !includesVariant(newVariants, variant))
  const added = newVariants.filter((variant) => !includesVariant(oldVariants, variant))
  const nulls = compareNulls(removed.some(isNull), added.some(isNull), path)
  const withoutNull = (variants: readonly unknown[]) => variants.filter((variant) => !isNull(variant))
  return [...nulls, ...compareVariants(withoutNull(removed), withoutNull(added), path)]
}

function compareNulls(isRemoved: boolean, isAdded: boolean, path: string): readonly SchemaDifference[] {
  if (isRemoved === isAdded) return []
  return isAdded
    ? [{ path, effect: 'wider', predicate: 'can now be null' }]
    : [{ path, effect: 'narrower', predicate: 'can no longer be null' }]
}

/** Compares the variants of a union that only one version has. A schema that is not a union has one variant. */
function compareVariants(
  removed: readonly unknown[],
  added: readonly unknown[],
  path: string,
): readonly SchemaDifference[] {
  if ([...removed, ...added].every(isValue)) {
    return [
      ...describeValues(removed, 'narrower', 'can no longer be', path),
      ...describeValues(added, 'wider', 'can now be', path),
    ]
  }
  const [oldSchema, newSchema] = [findOnlySchema(removed), findOnlySchema(added)]
  if (oldSchema !== undefined && newSchema !== undefined) return compareTypes(oldSchema, newSchema, path)
  if (haveType(added, oldSchema)) return describeValues(added, 'narrower', 'can now only be', path)
  if (haveType(removed, newSchema)) return describeValues(removed, 'wider', 'is no longer limited to', path)
  if (removed.length === 0) return [{ path, effect: 'wider', predicate: 'has additional alternatives' }]
  if (added.length === 0) return [{ path, effect: 'narrower', predicate: 'has fewer alternatives' }]
  return [{ path, effect: 'different', predicate: 'has a different schema' }]
}

function describeValues(
  variants: readonly unknown[],
  effect: 'narrower' | 'wider',
  verb: string,
  path: string,
): readonly SchemaDifference[] {
  if (variants.length === 0) return []
  const values = variants.map((variant) => quote(toText(getMember(variant, 'const'))))
  return [{ path, effect, predicate: `${verb} ${joinList(values, 'or')}` }]
}

function compareTypes(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  const [oldType, newType] = [getType(before), getType(after)]
  const predicate = `is ${quote(newType)} instead of ${quote(oldType)}`
  if (oldType === newType) return compareKeywords(before, after, path)
  if (newType === ANY) return [{ path, effect: 'wider', predicate }]
  if (oldType === ANY) return [{ path, effect: 'narrower', predicate }]
  if (!isNumber(oldType) || !isNumber(newType)) return [{ path, effect: 'different', predicate }]
  const effect = newType === 'number' ? 'wider' : 'narrower'
  return [{ path, effect, predicate }, ...compareLimits(before, after, path)]
}

function compareKeywords(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  const differences = [
    ...compareProperties(before, after, path),
    ...compareSchemas(getMember(before, 'items') ?? {}, getMember(after, 'items') ?? {}, `${path}[]`),
    ...compareOtherProperties(getOtherProperties(before), getOtherProperties(after), path),
    ...compareLimits(before, after, path),
  ]
  const isOtherwiseEqual =
    toComparable(withoutComparedKeywords(before)) === toComparable(withoutComparedKeywords(after))
  return isOtherwiseEqual
    ? differences
    : [...differences, { path, effect: 'different', predicate: 'has a different schema' }]
}

function compareProperties(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  const [oldRequired, newRequired] = [listRequired(before), listRequired(after)]
  const [oldProperties, newProperties] = [getProperties(before), getProperties(after)]
  const names = new Set([...oldProperties.keys(), ...newProperties.keys(), ...oldRequired, ...newRequired])
  return [...names].flatMap((name): readonly SchemaDifference[] => {
    const memberPath = joinPath(path, name)
    const [wasRequired, isRequired] = [oldRequired.has(name), newRequired.has(name)]
    const [wasListed, isListed] = [oldProperties.has(name), newProperties.has(name)]
    if (isListed && !wasListed) return [{ path: memberPath, effect: 'added', isRequired }]
    if (wasListed && !isListed) return [{ path: memberPath, effect: 'removed' }]
    const values = compareSchemas(oldProperties.get(name), newProperties.get(name), memberPath)
    if (wasRequired === isRequired) return values
    return [{ path: memberPath, effect: isRequired ? 'required' : 'optional' }, ...values]
  })
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/**
 * Compares the defaults of properties that are optional in both versions, including those of nested objects and list items. Ignores those in
 * unions, records and tuples. If a property becomes optional or required, {@link compareSchemas} reports it.
 */
export function compareDefaults(oldSchema: unknown, newSchema: unknown, path = ''): readonly SchemaDifference[] {
  const [before, after] = [withoutNull(oldSchema), withoutNull(newSchema)]
  const [oldRequired, newRequired] = [listRequired(before), listRequired(after)]
  const newProperties = getProperties(after)
  const properties = [...getProperties(before)].flatMap(([name, old]): readonly SchemaDifference[] => {
    const current = newProperties.get(name)
    const memberPath = joinPath(path, name)
    const isOptional = current !== undefined && !oldRequired.has(name) && !newRequired.has(name)
    const [from, to] = [getDefault(old), getDefault(current)]
    const nested = compareDefaults(old, current, memberPath)
    if (!isOptional || from === to) return nested
    const predicate =
      from === undefined
        ? `now has the default ${quote(to ?? '')}`
        : to === undefined
          ? `no longer has the default ${quote(from)}`
          : `has the default ${quote(to)} instead of ${quote(from)}`
    return [{ path: memberPath, effect: 'different', predicate }, ...nested]
  })
  const [oldItems, newItems] = [getMember(before, 'items'), getMember(after, 'items')]
  return oldItems && newItems ? [...properties, ...compareDefaults(oldItems, newItems, `${path}[]`)] : properties
}

/** Returns the schema of the values other than null, unless they have several schemas. */
function withoutNull(schema: unknown): unknown {
  const [only = schema, ...others] = listVariants(schema).filter((variant) => variant !== NULL)
  return others.length === 0 ? only : schema
}

/** Reads the default of a value from the description that the runtime writes. */
function getDefault(schema: unknown): string | undefined {
  return /(?:^|[.!?:] )Default: (.+)\.$/.exec(String(getMember(schema, 'description')))?.[1]
}

function listRequired(schema: unknown): ReadonlySet<string> {
  return new Set(entries(getMember(schema, 'required')).map(([, name]) => toText(name)))
}

function getProperties(schema: unknown): ReadonlyMap<string, unknown> {
  return new Map(entries(getMember(schema, 'properties')))
}

/** Returns the schema of properties that are not listed, or false if there are none. */
function getOtherProperties(schema: unknown): unknown {
  const others = getMember(schema, 'additionalProperties')
  return others === undefined || others === true ? {} : others
}

/** The predicate of a schema that accepts properties that it does not list. */
export const OTHER_PROPERTIES = 'can now contain other properties'

function compareOtherProperties(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  if (before !== false && after !== false) return compareSchemas(before, after, path === '' ? '*' : `${path}.*`)
  if (before === after) return []
  return after === false
    ? [{ path, effect: 'narrower', predicate: 'can no longer contain other properties' }]
    : [{ path, effect: 'wider', predicate: OTHER_PROPERTIES }]
}

/** Keywords whose larger value accepts fewer values, and those whose smaller value does. */
const MINIMUMS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const MAXIMUMS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords that reject values and that cannot be ordered. */
const CHECKS = ['format', 'pattern', 'multipleOf', 'uniqueItems']

function compareLimits(before: unknown, after: unknown, path: string): readonly SchemaDifference[] {
  return [...MINIMUMS, ...MAXIMUMS, ...CHECKS].flatMap((keyword): readonly SchemaDifference[] => {
    const [from, to] = [getLimit(before, keyword), getLimit(after, keyword)]
    if (from === to) return []
    // Patterns can be long and contain line breaks, which the id of a change must not.
    const describe = (value: unknown) => quote(keyword) + (keyword === 'pattern' ? '' : ` ${quote(toText(value))}`)
    if (from === undefined) return [{ path, effect: 'narrower', predicate: `now has ${describe(to)}` }]
    if (to === undefined) return [{ path, effect: 'wider', predicate: `no longer has ${describe(from)}` }]
    const predicate =
      keyword === 'pattern' ? 'has a different `pattern`' : `has ${describe(to)} instead of ${quote(toText(from))}`
    if (typeof from !== 'number' || typeof to !== 'number' || CHECKS.includes(keyword))
      return [{ path, effect: 'different', predicate }]
    return [{ path, effect: to > from === MINIMUMS.includes(keyword) ? 'narrower' : 'wider', predicate }]
  })
}

/** Returns the value of a keyword. Libraries add the limits of exact integers, so their absence or presence does not change a schema. */
function getLimit(schema: unknown, keyword: string): unknown {
  const value = getMember(schema, keyword)
  return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value
}

const ANY = 'any value'

function isNumber(type: unknown): boolean {
  return type === 'integer' || type === 'number'
}

/** Returns the type of a schema, the name of the schema that it refers to, or a phrase if it has neither. */
function getType(schema: unknown): string {
  const reference = getMember(schema, '$ref')
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? ''
  const type = getMember(schema, 'type')
  if (typeof type === 'string') return type
  return toComparable(schema) === '{}' ? ANY : 'a schema'
}

/** Returns the variants of a schema: those of a union, and one per type and per listed value. */
function listVariants(schema: unknown): readonly unknown[] {
  const { anyOf, oneOf, ...others }: { anyOf?: unknown; oneOf?: unknown } = Object(schema)
  const union = anyOf ?? oneOf
  if (Array.isArray(union) && toComparable(others) === '{}') return union.flatMap(listVariants)
  const type = getMember(schema, 'type')
  if (Array.isArray(type)) return type.flatMap((one) => listVariants({ ...Object(schema), type: one }))
  if (type === 'null') return [NULL]
  const value = getMember(schema, 'const')
  const values = value === undefined ? getMember(schema, 'enum') : [value]
  if (!Array.isArray(values)) return [schema]
  return values
    .filter((each) => type === undefined || hasType(each, type))
    .map((each) => (each === null ? NULL : { type: typeOf(each), const: each }))
}

const NULL = { type: 'null' }

function hasType(value: unknown, type: unknown): boolean {
  const valueType = typeOf(value)
  return valueType === type || (isNumber(valueType) && type === 'number')
}

/** Returns the JSON type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return Number.isInteger(value) ? 'integer' : typeof value
  return Array.isArray(value) ? 'array' : 'object'
}

function includesVariant(variants: readonly unknown[], variant: unknown): boolean {
  const text = toComparable(variant)
  return variants.some((each) => toComparable(each) === text)
}

function isNull(schema: unknown): boolean {
  return getMember(schema, 'type') === 'null'
}

/** Whether a schema accepts a single value. */
function isValue(schema: unknown): boolean {
  return getMember(schema, 'const') !== undefined
}

/** Returns the only variant if it is not a single value. */
function findOnlySchema([only, ...others]: readonly unknown[]): unknown {
  return others.length === 0 && !isValue(only) ? only : undefined
}

/** Whether variants are values of the type of a schema. */
function haveType(variants: readonly unknown[], schema: unknown): boolean {
  const type = getType(schema)
  return variants.length > 0 && variants.every((variant) => hasType(getMember(variant, 'const'), type))
}

/** Keywords that do not restrict values. */
const ANNOTATIONS =
  /^(?:title|summary|description|examples?|default|deprecated|\$comment|readOnly|writeOnly|externalDocs|discriminator|x-.*)$/

/** Keywords that are compared one by one. */
const COMPARED = ['properties', 'required', 'items', 'additionalProperties']

function withoutComparedKeywords(schema: unknown): unknown {
  const compared = [...COMPARED, ...MINIMUMS, ...MAXIMUMS, ...CHECKS]
  return Object.fromEntries(entries(schema).filter(([name]) => !compared.includes(name)))
}

/** Converts a schema to a text. It is the same for schemas that differ only in annotations or in the order of their members. */
export function toComparable(schema: unknown): string {
  return JSON.stringify(withoutAnnotations(schema)) ?? ''
}

function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations)
  if (typeof schema !== 'object' || schema === null) return schema
  const keywords = entries(schema).filter(([name]) => !ANNOTATIONS.test(name))
  return sortMembers(
    // The names of properties and responses, such as `default`, are not keywords.
    keywords.map(([name, value]) => [
      name,
      /^(?:properties|responses)$/.test(name) ? mapMembers(value) : withoutAnnotations(value),
    ]),
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
