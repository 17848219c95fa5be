/**
 * Models may have fields with the names of client keywords: `is`, `data`, `where`. If such a name is ambiguous, the runtime follows the
 * client: it treats the name as the keyword if the value fits the keyword.
 */

/** The names of a model's fields and relations. */
export interface ModelNames {
  readonly fields: { has(name: string): boolean }
  readonly relations: { has(name: string): boolean }
}

type Tree = Readonly<Record<string, unknown>>

const QUANTIFIERS = ['is', 'isNot']

const COMBINATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT'])

/** Whether a to-one filter consists of `is` and `isNot`. Otherwise it is the filter of the related row itself. */
export function isToOneQuantifier(
  { target, optional }: { readonly target: ModelNames; readonly optional?: boolean },
  filter: Tree,
): boolean {
  const entries = Object.entries(filter)
  return (
    entries.length > 0 &&
    entries.every(([key, value]) => {
      if (!QUANTIFIERS.includes(key)) return false
      if (!isFieldOrRelation(target, key)) return true
      return value === null ? optional === true : hasOnlyModelKeys(target, value, COMBINATORS)
    })
  )
}

/**
 * Whether a to-one filter is the filter of the related row itself, whose fields are named `is` or `isNot`.
 * @param filter a filter with `is` or `isNot`
 */
export function isBareToOneFilter(relation: Parameters<typeof isToOneQuantifier>[0], filter: Tree): boolean {
  return QUANTIFIERS.some((name) => isFieldOrRelation(relation.target, name)) && !isToOneQuantifier(relation, filter)
}

/** Whether the update of a to-one relation is wrapped in `data`, optionally with a `where`. Otherwise it is the bare update. */
export function isWrappedUpdate(target: ModelNames, change: Tree): boolean {
  if (!Object.hasOwn(change, 'data')) return false
  if (!Object.keys(change).every((key) => key === 'data' || key === 'where')) return false
  return !isFieldOrRelation(target, 'data') || hasOnlyModelKeys(target, change['data'])
}

/** Whether the client interprets a field name as a logical operator (`AND`, `OR`, `NOT`), so that the field cannot be filtered. */
export function isReservedFieldName(field: string): boolean {
  return COMBINATORS.has(field.toUpperCase())
}

function isFieldOrRelation({ fields, relations }: ModelNames, name: string): boolean {
  return fields.has(name) || relations.has(name)
}

/** Whether a value is an object whose keys are all fields or relations of a model. */
function hasOnlyModelKeys(model: ModelNames, value: unknown, others?: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return false
  return Object.keys(value).every((key) => isFieldOrRelation(model, key) || others?.has(key))
}
