/**
 * Models may have fields that are called as words of the client's own: `is`, `data`, `where`. Where both could be meant, it is what the
 * client takes it for: the word, if what stands there can be what the word wants.
 */

/** What tells the members of a model. */
export interface Members {
  readonly fields: { has(name: string): boolean }
  readonly relations: { has(name: string): boolean }
}

type Tree = Readonly<Record<string, unknown>>

const QUANTIFIERS = ['is', 'isNot']

const COMBINATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT'])

/** Whether what a to-one relation is filtered by is made of `is` and `isNot`. It may also be the filter of its row itself. */
export function isToOneQuantifier(
  { target, optional }: { readonly target: Members; readonly optional?: boolean },
  filter: Tree,
): boolean {
  const members = Object.entries(filter)
  return (
    members.length > 0 &&
    members.every(([key, value]) => {
      if (!QUANTIFIERS.includes(key)) return false
      if (!isMember(target, key)) return true
      return value === null ? optional === true : holdsOnly(target, value, COMBINATORS)
    })
  )
}

/**
 * Whether what a to-one relation is filtered by is the filter of its row itself, which has fields called `is` or `isNot`.
 * @param filter one with `is` or `isNot`
 */
export function isBareToOneFilter(relation: Parameters<typeof isToOneQuantifier>[0], filter: Tree): boolean {
  return QUANTIFIERS.some((name) => isMember(relation.target, name)) && !isToOneQuantifier(relation, filter)
}

/** Whether the change of a to-one relation's row stands in `data`, where a `where` may stand beside it. It may also be bare. */
export function isWrappedUpdate(target: Members, change: Tree): boolean {
  if (!Object.hasOwn(change, 'data')) return false
  if (!Object.keys(change).every((key) => key === 'data' || key === 'where')) return false
  return !isMember(target, 'data') || holdsOnly(target, change['data'])
}

/** Whether the client takes a field's name for what joins filters, so that nothing can be filtered by it. */
export function isReservedFieldName(field: string): boolean {
  return COMBINATORS.has(field.toUpperCase())
}

function isMember({ fields, relations }: Members, name: string): boolean {
  return fields.has(name) || relations.has(name)
}

/** Whether a value is an object with no members but a model's. */
function holdsOnly(model: Members, value: unknown, others?: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return false
  return Object.keys(value).every((key) => isMember(model, key) || others?.has(key))
}
