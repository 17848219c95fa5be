import fc from 'fast-check'

import type { Expression, Operand } from '../../../runtime/features/expressions/parse-expression.js'
import type { Comparator } from '../../../runtime/features/expressions/comparison-functions.js'

/** A row with its relations: objects, lists of objects, or null. */
export type Row = Readonly<Record<string, unknown>>

/** Whether a row matches an expression, as documented. */
export function matches(expression: Expression, row: Row): boolean {
  switch (expression.kind) {
    case 'and':
      return expression.parts.every((part) => matches(part, row))
    case 'or':
      return expression.parts.some((part) => matches(part, row))
    case 'not':
      return !matches(expression.part, row)
    case 'has':
    case 'every': {
      const end = endOf(expression.chain.names, row)
      if (!end) return false
      const isMet = (member: Row) => !expression.condition || matches(expression.condition, member)
      const members = rows(end.value)
      return expression.kind === 'has' ? members.some(isMet) : members.every(isMet)
    }
    case 'compare': {
      const end = endOf(expression.chain.names, row)
      if (!end) return false
      const { name, isCount, operands } = expression
      if (isCount) return compares(name, rows(end.value).length, operands)
      const { value } = end
      const [operand] = operands
      if (operand?.kind === 'field') {
        const other = endOf(operand.chain.names, row)
        return other !== undefined && ordered(name, value, other.value)
      }
      if (Array.isArray(value)) {
        return name === 'isEmpty' ? value.length === 0 : value.some((one) => compares(name, idOf(one), operands))
      }
      return compares(name, idOf(value), operands)
    }
  }
}

/** Returns the value at the end of a chain, or undefined if the chain is broken. */
function endOf(names: readonly string[], row: Row): { readonly value: unknown } | undefined {
  let at: unknown = row
  for (const name of names) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Reflect.get(at, name)
  }
  return { value: at }
}

function rows(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value : []
}

/** Returns the id of a related row, which a relation is compared by. */
function idOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if ('postId' in value && 'seq' in value) return `${String(value.postId)}_${String(value.seq)}`
  return 'id' in value ? value.id : value
}

/** Compares two fields. False if either is null. */
function ordered(name: Comparator, one: unknown, other: unknown): boolean {
  if (one === null || other === null) return false
  const [a, b] = [orderable(one), orderable(other)]
  const [isLess, isEqual] = [a < b, a === b]
  switch (name) {
    case 'equals':
      return isEqual
    case 'lessThan':
      return isLess
    case 'lessOrEqual':
      return isLess || isEqual
    case 'greaterThan':
      return !isLess && !isEqual
    case 'greaterOrEqual':
      return !isLess
    default:
      throw new Error(`${name} compares no fields.`)
  }
}

function compares(name: Comparator, value: unknown, operands: readonly Operand[]): boolean {
  if (operands[0]?.kind === 'null') return value === null
  if (value === null) return false
  const texts = operands.flatMap((operand) => (operand.kind === 'text' ? [operand.text] : []))
  const [first = '', second = ''] = texts
  const order = (text: string): number => {
    const [one, other] = [orderable(value), orderable(value, text)]
    return one < other ? -1 : one > other ? 1 : 0
  }
  switch (name) {
    case 'equals':
    case 'any':
      return texts.some((text) => order(text) === 0)
    case 'lessThan':
      return order(first) < 0
    case 'lessOrEqual':
      return order(first) <= 0
    case 'greaterThan':
      return order(first) > 0
    case 'greaterOrEqual':
      return order(first) >= 0
    case 'between':
      return order(first) >= 0 && order(second) <= 0
    case 'contains':
    case 'icontains':
      return String(value).includes(first)
    case 'startsWith':
    case 'istartsWith':
      return String(value).startsWith(first)
    case 'endsWith':
    case 'iendsWith':
      return String(value).endsWith(first)
    default:
      throw new Error(`${name} is not tried.`)
  }
}

/** Converts a value, or a text to be compared with it, to a type that JavaScript orders. */
function orderable(value: unknown, text?: string): number | string {
  if (value instanceof Date) return (text === undefined ? value : new Date(text)).getTime()
  if (typeof value === 'string') return text ?? value
  return Number(text ?? String(value))
}

type Kind = 'text' | 'number' | 'date' | 'enum' | 'id'

/** The fields and relations that expressions on a model can use. */
interface Askable {
  readonly fields: Readonly<Record<string, readonly [kind: Kind, values: readonly string[], mayBeNull?: true]>>
  readonly ones: Readonly<Record<string, string>>
  readonly many: Readonly<Record<string, string>>
}

const WORDS = ['ab', 'abc', 'b', 'bca', 'c', '']
const NUMBERS = ['0', '1', '2', '3']
const DATES = ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z']
const IDS = ['1', '2', '3', '4']

const MODELS: Readonly<Record<string, Askable>> = {
  Post: {
    fields: {
      id: ['id', IDS],
      title: ['text', WORDS],
      content: ['text', WORDS, true],
      status: ['enum', ['DRAFT', 'PUBLISHED', 'ARCHIVED']],
      viewCount: ['number', NUMBERS],
      publishedAt: ['date', DATES, true],
      updatedAt: ['date', DATES],
      authorId: ['number', IDS, true],
      author: ['id', IDS, true],
    },
    ones: { author: 'User', category: 'Category' },
    many: { comments: 'Comment', tags: 'Tag' },
  },
  User: {
    fields: { id: ['id', IDS], name: ['text', WORDS, true], role: ['enum', ['READER', 'AUTHOR', 'EDITOR']] },
    ones: {},
    many: {},
  },
  Category: {
    fields: { adPrice: ['number', [...NUMBERS, '1.5'], true], readers: ['number', NUMBERS], parent: ['id', IDS, true] },
    ones: { parent: 'Category' },
    many: {},
  },
  Comment: {
    fields: { seq: ['number', NUMBERS], body: ['text', WORDS], author: ['id', IDS, true] },
    ones: { author: 'User' },
    many: {},
  },
  Tag: { fields: { name: ['text', WORDS] }, ones: {}, many: {} },
}

/** Returns the number type of a field. Fields of different types are not compared. */
function numbersOf(name: string): string {
  return name === 'adPrice' || name === 'readers' ? name : 'Int'
}

const ORDERS = ['lessThan', 'lessOrEqual', 'greaterThan', 'greaterOrEqual'] as const
const LIKES = ['contains', 'startsWith', 'endsWith', 'icontains', 'istartsWith', 'iendsWith'] as const

/** Expressions about the posts of a blog. */
export function expressionsOf(model: string, depth: number): fc.Arbitrary<Expression> {
  const cached = cache.get(`${model} ${depth}`)
  if (cached) return cached
  const arbitrary = makeExpressions(model, depth)
  cache.set(`${model} ${depth}`, arbitrary)
  return arbitrary
}

const cache = new Map<string, fc.Arbitrary<Expression>>()

function makeExpressions(model: string, depth: number): fc.Arbitrary<Expression> {
  const leaves = leavesOf(model, [])
  if (depth === 1) return leaves
  const below = expressionsOf(model, depth - 1)
  const { many } = askable(model)
  const members = Object.entries(many).flatMap(([name, target]): fc.Arbitrary<Expression>[] => {
    const inner = expressionsOf(target, depth - 1)
    const chain = { names: [name], at: 0 }
    return [
      fc.option(inner, { nil: undefined }).map((condition) => ({ kind: 'has', chain, condition, at: 0 })),
      inner.map((condition) => ({ kind: 'every', chain, condition, at: 0 })),
    ]
  })
  return fc.oneof(
    leaves,
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(below, { minLength: 1, maxLength: 3 }))
      .map(([kind, parts]): Expression => ({ kind, parts, at: 0 })),
    below.map((part): Expression => ({ kind: 'not', part, at: 0 })),
    below.map((part): Expression => ({ kind: 'not', part, at: 0 })),
    ...members,
  )
}

function leavesOf(model: string, through: readonly string[]): fc.Arbitrary<Expression> {
  const { fields, ones, many } = askable(model)
  const direct = Object.entries(fields).map(([name, [kind, values, mayBeNull]]) => {
    const value = fc.constantFrom(...values).map((text): Operand => ({ kind: 'text', text, at: 0 }))
    const one = value.map((operand) => [operand])
    const named = (names: readonly Comparator[], operands: fc.Arbitrary<Operand[]>): fc.Arbitrary<Expression> =>
      fc
        .tuple(fc.constantFrom(...names), operands)
        .map(([comparator, drawn]) => compare(comparator, [...through, name], drawn))
    const others = Object.entries(fields).flatMap(([other, [otherKind]]) => {
      return kind === otherKind && kind !== 'enum' && kind !== 'id' && numbersOf(name) === numbersOf(other)
        ? [[{ kind: 'field' as const, chain: { names: [...through, other], at: 0 }, at: 0 }]]
        : []
    })
    const isOrdered = kind !== 'enum' && kind !== 'id'
    return fc.oneof(
      named(['equals'], one),
      named(['any'], fc.array(value, { minLength: 1, maxLength: 3 })),
      ...(mayBeNull ? [fc.constant(compare('equals', [...through, name], [{ kind: 'null', at: 0 }]))] : []),
      ...(isOrdered ? [named(ORDERS, one), named(['between'], fc.tuple(value, value))] : []),
      ...(kind === 'text' ? [named(LIKES, one)] : []),
      ...(others.length > 0 ? [named(['equals', ...ORDERS], fc.constantFrom(...others))] : []),
    )
  })
  const counts = Object.keys(many).map((name) =>
    fc
      .constantFrom(['equals', '0'] as const, ['greaterThan', '0'] as const, ['lessThan', '1'] as const)
      .map(([comparator, text]): Expression => ({
        ...compare(comparator, [...through, name], [{ kind: 'text', text, at: 0 }]),
        isCount: true,
      })),
  )
  const reached = through.length < 2 ? Object.entries(ones).map(([name, to]) => leavesOf(to, [...through, name])) : []
  return fc.oneof(...direct, ...counts, ...reached)
}

function compare(name: Comparator, names: readonly string[], operands: readonly Operand[]) {
  return { kind: 'compare' as const, name, isCount: false, chain: { names, at: 0 }, operands, at: 0 }
}

function askable(model: string): Askable {
  const found = MODELS[model]
  if (!found) throw new Error(`Nothing is known of ${model}.`)
  return found
}
