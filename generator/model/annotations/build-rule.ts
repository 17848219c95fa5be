import { suggest } from '../../errors.js'
import { bundledZod, type ZodPackage } from '../../project/zod.js'
import { type ChainCall, type Literal, cloneValue } from './parse-chain.js'
import { buildZodMiniRule, type RuleField, type RuleResult, type ValidatedChain } from './zod-mini-rule.js'

type Classic = ZodPackage['classic']
type Schema = import('zod').ZodType

/**
 * Translates a `@zod` chain to the emitted `zod/mini` expression. The chain is first evaluated with `zod`, so that unknown checks, or
 * checks that do not exist for the type, are reported here and not in the user's build. The emitted expression is evaluated too.
 * @param loadZod called only if the field has a rule, because loading zod is slow
 */
export function buildRule(
  chain: readonly ChainCall[],
  field: RuleField,
  loadZod: () => ZodPackage = bundledZod,
): RuleResult {
  const { classic, mini } = loadZod()
  const result = tryChain(chain, field, classic)
  return 'message' in result ? result : buildZodMiniRule(result, field, mini)
}

function tryChain(
  chain: readonly ChainCall[],
  field: RuleField,
  z: Classic,
): ValidatedChain | { readonly message: string; readonly hint: string } {
  const [first, ...others] = chain
  // String formats are top-level functions in zod 4. The methods with the same names are deprecated.
  const formatSchema = first && field.type === 'String' && !field.list ? formatOf(z, first) : undefined
  const format = formatSchema && first
  const checks: ChainCall[] = []
  let schema = formatSchema ?? createBaseSchema(z, field)
  const type = schema.def.type
  for (const call of format ? others : chain) {
    const args = field.type === 'BigInt' && !field.list ? call.args.map(toBigInt) : call.args
    const names = listChecks(schema)
    const hint = `Use a check that zod 4 has for ${field.list ? 'a list' : `a field of type ${field.type}`}. ${suggest(call.name, names)}`
    const method: unknown = names.includes(call.name) ? Reflect.get(schema, call.name) : undefined
    if (typeof method !== 'function') return { message: `"@zod": zod has no check "${call.name}" for this type.`, hint }
    const expected = getArgumentKind(call.name, field)
    if (expected !== undefined && !isArgumentKind(expected, args[0]?.value)) {
      return {
        message: `"@zod": "${call.name}" requires a ${expected} here.`,
        hint: `Write ${EXAMPLES[expected](call.name)}.`,
      }
    }
    let result: unknown
    try {
      result = Reflect.apply(method, schema, args.map(cloneValue))
    } catch (error) {
      return {
        message: `"@zod": zod rejects "${call.name}": ${error instanceof Error ? error.message : String(error)}.`,
        hint,
      }
    }
    if (!(result instanceof z.ZodType) || result.def.type !== type) {
      return { message: `"@zod": "${call.name}" is not a check, because it changes the type of the value.`, hint }
    }
    schema = result
    checks.push({ ...call, args })
  }
  return { format, checks, values: schema instanceof z.ZodEnum ? schema.options.map(String) : field.values }
}

function createBaseSchema(z: Classic, field: RuleField): Schema {
  return field.list ? z.array(createScalarSchema(z, field)) : createScalarSchema(z, field)
}

function createScalarSchema(z: Classic, field: RuleField): Schema {
  switch (field.type) {
    case 'String':
      return z.string()
    case 'Int':
      return z.int()
    case 'Float':
      return z.number()
    case 'BigInt':
      return z.bigint()
    case 'Decimal':
      return z.coerce.number()
    case 'Boolean':
      return z.boolean()
    case 'DateTime':
      return z.date()
    case 'Enum':
      return z.enum([...field.values])
    case 'Bytes':
      return z.instanceof(Uint8Array)
    default:
      return z.json()
  }
}

function formatOf(z: Classic, call: ChainCall): Schema | undefined {
  const format: unknown = Object.hasOwn(z, call.name) ? Reflect.get(z, call.name) : undefined
  // Must not call functions such as `parseAsync`: their promises reject later, and the rejection would be unhandled.
  if (typeof format !== 'function' || call.name === 'string' || NO_CHECKS.test(call.name)) return undefined
  try {
    const schema: unknown = Reflect.apply(format, undefined, call.args.map(cloneValue))
    return schema instanceof z.ZodType && schema.def.type === 'string' ? schema : undefined
  } catch {
    return undefined
  }
}

function toBigInt(literal: Literal): Literal {
  const { value } = literal
  return typeof value === 'number' && Number.isInteger(value) ? { value: BigInt(value), source: `${value}n` } : literal
}

type ArgumentKind = 'number' | 'bigint' | 'date' | 'string' | 'regular expression'

const EXAMPLES: Readonly<Record<ArgumentKind, (name: string) => string>> = {
  number: (name) => `"@zod.${name}(3)"`,
  bigint: (name) => `"@zod.${name}(3)"`,
  date: (name) => `"@zod.${name}(new Date("2020-01-31"))"`,
  string: (name) => `"@zod.${name}("…")"`,
  'regular expression': (name) => `"@zod.${name}(/…/)"`,
}

/**
 * Returns the type of a check's first argument. zod does not validate this argument, so an invalid one would be reported only by the
 * compiler, in the emitted file.
 */
function getArgumentKind(name: string, field: RuleField): ArgumentKind | undefined {
  if (name === 'regex') return 'regular expression'
  if (name === 'startsWith' || name === 'endsWith' || name === 'includes') return 'string'
  if (!/^(min|max|length|minLength|maxLength|gt|gte|lt|lte|multipleOf|step)$/.test(name)) return undefined
  if (field.list) return 'number'
  return field.type === 'DateTime' ? 'date' : field.type === 'BigInt' ? 'bigint' : 'number'
}

function isArgumentKind(kind: ArgumentKind, value: unknown): boolean {
  if (kind === 'date') return value instanceof Date
  if (kind === 'regular expression') return value instanceof RegExp
  return typeof value === kind
}

// Matches methods of every zod schema that do not check values, or that return a schema of a different kind.
const NO_CHECKS =
  /^(_|~|constructor$|parse|safe|encode|decode|validate|spa$|isOptional$|isNullable$|check$|clone$|register$|refine$|superRefine$|with$|apply$|optional$|exactOptional$|nullable$|nullish$|nonoptional$|default$|prefault$|catch$|transform$|pipe$|array$|or$|and$|unwrap$|readonly$|brand$|overwrite$|describe$|description$|meta$|toJSONSchema$)/

/** Returns the names of the methods of a `zod` schema that are checks. */
export function listChecks(schema: Schema): string[] {
  const names = new Set<string>()
  for (
    let prototype: object = schema;
    prototype && prototype !== Object.prototype;
    prototype = Reflect.getPrototypeOf(prototype) ?? Object.prototype
  ) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (!NO_CHECKS.test(name) && typeof Reflect.get(schema, name) === 'function') names.add(name)
    }
  }
  return [...names].sort()
}
