import type { ZodPackage } from '../../project/zod.js'
import { type ChainCall, type Literal, stringLiteral, cloneValue } from './parse-chain.js'

/**
 * Translates chains of `zod` methods to `zod/mini`, which is tree-shakable. For example, `z.string().min(3)` becomes
 * `z.string().check(z.minLength(3))`.
 */

/** The parts of a field that its rule depends on. */
export interface RuleField {
  readonly type: string
  readonly values: readonly string[]
  readonly list: boolean
}

/** A rule as source text, or a message if the chain is invalid. */
export type RuleResult = { readonly source: string } | { readonly message: string; readonly hint: string }

type Mini = ZodPackage['mini']

/** An expression as source text and as a function that evaluates it. */
interface Expression {
  readonly source: string
  readonly evaluate: (z: Mini) => unknown
}

/** Translates a call with these arguments to `zod/mini` checks. The list is empty if no check is needed. */
type Form = (args: readonly Expression[]) => readonly Expression[]

const forwardTo =
  (path: string): Form =>
  (args) => [call(path, args)]

/** Adds a first argument that is implicit in the method. */
const withFirst =
  (path: string, source: string, value: unknown): Form =>
  (args) => [call(path, [literal({ value, source }), ...args])]

type NamedForms = readonly (readonly [name: string, form: Form])[]

const LENGTHS: NamedForms = [
  ['min', forwardTo('minLength')],
  ['max', forwardTo('maxLength')],
  ['nonempty', withFirst('minLength', '1', 1)],
]

const VALUES: NamedForms = [
  ['min', forwardTo('gte')],
  ['max', forwardTo('lte')],
  ['step', forwardTo('multipleOf')],
  // In zod 4, numbers are always finite.
  ['finite', () => []],
]

/** The checks with different names in `zod/mini`. All other checks are functions with the same name as the method. */
const OTHER_FORMS: Readonly<Record<'text' | 'list' | 'bigint' | 'value', ReadonlyMap<string, Form>>> = {
  text: new Map([
    ...LENGTHS,
    ['date', forwardTo('iso.date')],
    ['time', forwardTo('iso.time')],
    ['datetime', forwardTo('iso.datetime')],
    ['duration', forwardTo('iso.duration')],
    ['slugify', () => [call('overwrite', [member('util.slugify')])]],
  ]),
  list: new Map(LENGTHS),
  // `z.positive()` and similar checks compare with the number 0. Up to zod 4.3, their messages therefore say "number".
  bigint: new Map([
    ...VALUES,
    ['positive', withFirst('gt', '0n', 0n)],
    ['nonnegative', withFirst('gte', '0n', 0n)],
    ['negative', withFirst('lt', '0n', 0n)],
    ['nonpositive', withFirst('lte', '0n', 0n)],
  ]),
  value: new Map(VALUES),
}

/** A chain that `zod` has accepted. */
export interface ValidatedChain {
  /** The string format at the start of the chain. In `zod/mini`, formats are schemas, not checks. */
  readonly format: ChainCall | undefined
  /** The other calls, with arguments converted to the field's type. */
  readonly checks: readonly ChainCall[]
  /** The values of an enum that remain after `extract` and `exclude`. */
  readonly values: readonly string[]
}

/** Builds a rule for `zod/mini` and evaluates it, because the project's version of zod may lack a function that the rule needs. */
export function buildZodMiniRule({ format, checks, values }: ValidatedChain, field: RuleField, z: Mini): RuleResult {
  // `zod/mini` has no `exclude` and `extract`, so the enum is emitted with the remaining values.
  const isEnum = field.type === 'Enum' && !field.list
  const scalar = createScalar(field, values, isEnum ? checks.findLast(hasMessage)?.args.slice(1) : [])
  const fieldSchema = field.list ? call('array', [scalar]) : scalar
  const base = format ? call(format.name, format.args.map(literal)) : fieldSchema
  const schema = evaluate(base, z)
  if (!(schema instanceof z.ZodMiniType)) return missingInMini(format?.name ?? field.type)

  const forms = OTHER_FORMS[getForms(field)]
  const sources: string[] = []
  for (const { name, args } of isEnum ? [] : checks) {
    const form = forms.get(name) ?? forwardTo(name)
    for (const expression of form(args.map(literal))) {
      const check = evaluate(expression, z)
      if (!(check instanceof z.core.$ZodCheck)) return missingInMini(name)
      schema.check(check)
      sources.push(expression.source)
    }
  }
  return { source: sources.length > 0 ? `${base.source}.check(${sources.join(', ')})` : base.source }
}

function getForms({ type, list }: RuleField): keyof typeof OTHER_FORMS {
  if (list) return 'list'
  return type === 'String' ? 'text' : type === 'BigInt' ? 'bigint' : 'value'
}

function missingInMini(name: string): RuleResult {
  return {
    message: `"@zod": zod has "${name}", but zod/mini, which the routes use, does not.`,
    hint: 'Install the latest zod 4, or write the rule with other checks.',
  }
}

function createScalar(field: RuleField, values: readonly string[], message: readonly Literal[] = []): Expression {
  switch (field.type) {
    case 'String':
      return call('string')
    case 'Int':
      return call('int')
    case 'Float':
      return call('number')
    case 'BigInt':
      return call('bigint')
    // The value remains a Decimal. Only the check converts it to a number.
    case 'Decimal':
      return call('coerce.number')
    case 'Boolean':
      return call('boolean')
    case 'DateTime':
      return call('date')
    case 'Enum': {
      const list = { value: values, source: `[${values.map(stringLiteral).join(', ')}]` }
      return call('enum', [list, ...message].map(literal))
    }
    case 'Bytes':
      return call('instanceof', [{ source: 'Uint8Array', evaluate: () => Uint8Array }])
    default:
      return call('json')
  }
}

/** Whether a call that narrows an enum has a custom error message. */
function hasMessage({ args: [, params] }: ChainCall): boolean {
  const value = params?.value
  return typeof value === 'object' && value !== null ? 'error' in value || 'message' in value : Boolean(value)
}

function evaluate(expression: Expression, z: Mini): unknown {
  try {
    return expression.evaluate(z)
  } catch {
    return undefined
  }
}

function literal(value: Literal): Expression {
  return { source: value.source, evaluate: () => cloneValue(value) }
}

function member(path: string): Expression {
  return { source: `z.${path}`, evaluate: (z) => getByPath(z, path) }
}

function call(path: string, args: readonly Expression[] = []): Expression {
  return {
    source: `z.${path}(${args.map((arg) => arg.source).join(', ')})`,
    evaluate: (z) => {
      const called = getByPath(z, path)
      if (typeof called !== 'function') return undefined
      return Reflect.apply(
        called,
        undefined,
        args.map((arg) => arg.evaluate(z)),
      )
    },
  }
}

function getByPath(z: Mini, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, name) => (typeof found === 'object' && found ? Reflect.get(found, name) : undefined), z)
}
