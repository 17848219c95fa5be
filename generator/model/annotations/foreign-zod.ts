import type { DiagnosticMessage } from '../../errors.js'
import type { ChainCall } from './parse-chain.js'
import type { RuleField } from './build-rule.js'

/**
 * Support for `@zod` annotations written for zod-prisma-types and prisma-zod-generator. Annotations with the same meaning here are
 * accepted. Others are errors, which the generator option `unknownZod` can turn into warnings.
 */

/** The type words before the checks, such as `string` in `@zod.string.min(3)`, and the field types that they match. */
const TYPE_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['String']],
  ['number', ['Int', 'Float', 'Decimal']],
  ['bigint', ['BigInt']],
  ['boolean', ['Boolean']],
  ['date', ['DateTime']],
  ['enum', ['Enum']],
  ['json', ['Json']],
])

/** Matches calls of other generators that can be dropped without affecting the other checks. */
const BESIDES =
  /^(?:import|refine|superRefine|check|describe|meta|brand|readonly|optional|nullable|nullish|nonoptional|default|prefault|coerce|register|ip|cidr)$/

/** Matches calls of other generators that replace the checks or change their meaning. */
const INSTEAD =
  /^(?:custom|use|omit|or|and|pipe|transform|preprocess|catch|overwrite|object|record|tuple|union|literal|lazy|instanceof|any|unknown|strict|strip|passthrough|loose|catchall|extend|error)$/

/** Check names in other generators and the corresponding names in zod. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['isoDate', 'date'],
  ['isoTime', 'time'],
  ['isoDatetime', 'datetime'],
  ['isoDuration', 'duration'],
])

/**
 * Matches the error messages that a type word can have. They are ignored: the error for a value of another type does not depend on the
 * rule.
 */
const TYPE_TEXTS = /^(?:invalid_type_error|required_error|description|message|error)$/

/** The form of a rule, for messages. */
export const CHECKS_HINT = 'a chain of zod\'s own checks with literal arguments, as "@zod.min(1).max(200)"'

const GO_ON = 'set unknownZod = "warn" in the generator block to go on without it'

/**
 * Returns the calls of an annotation that may be supported checks. The field's type is not considered yet.
 * @param calls the calls of the annotation
 * @param isField whether the annotation is on a scalar field. Checks have no effect elsewhere.
 * @param report called for each call that is dropped
 */
export function supportedCalls(
  calls: readonly ChainCall[],
  isField: boolean,
  report: (diagnostic: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const isInstead = ({ name }: ChainCall) => INSTEAD.test(name) || (!isField && name === 'array')
  const isForeign = (call: ChainCall) => isInstead(call) || BESIDES.test(call.name)
  const foreign = calls.filter(isForeign)
  const supported = foreign.some(isInstead) || !isField ? [] : calls.filter((call) => !isForeign(call))
  if (foreign.length === 0) return readable(calls, report)
  const names = foreign.map(({ name }) => `"${name}"`).join(' and ')
  const subject = supported.length > 0 ? `${names} of "${formatCalls(calls)}"` : `"${formatCalls(calls)}"`
  const diagnostic = foreignZodDiagnostic(
    subject,
    supported.length > 0 ? 'It is left out; the rest holds.' : consequence(calls),
    calls,
  )
  report(isField ? diagnostic : { ...diagnostic, hint: `Put rules on scalar fields, or ${GO_ON}.` })
  return readable(supported, report)
}

/**
 * Builds the chain of a field's rule from its annotations, without their type words.
 * @param annotations the calls of each annotation, returned by {@link supportedCalls}
 * @param report called for each call that does not fit the field
 */
export function buildChain(
  annotations: readonly (readonly ChainCall[])[],
  field: RuleField,
  report: (diagnostic: DiagnosticMessage) => void,
): readonly ChainCall[] {
  // Calls with no effect here: other generators add `int()` to Int fields, and `noDefault()` removes a default that they add.
  const isIdle = ({ name, args }: ChainCall) =>
    name === 'noDefault' || (name === 'int' && field.type === 'Int' && !field.list && args.length === 0)
  return annotations
    .flatMap((calls) => withoutType(calls, field, report))
    .filter((call) => !isIdle(call))
    .map((call) => (field.type === 'String' ? { ...call, name: OTHER_NAMES.get(call.name) ?? call.name } : call))
}

function withoutType(
  calls: readonly ChainCall[],
  field: RuleField,
  report: (diagnostic: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const [first, ...others] = calls
  if (first === undefined) return calls
  const isArray = first.name === 'array' && field.list
  const types = TYPE_WORDS.get(first.name)
  // On a String field, `date()` is a string format, not a type word.
  if (!isArray && (types === undefined || (first.name === 'date' && field.type === 'String' && !first.bare)))
    return calls
  if (!isTypeWord(first)) {
    report(foreignZodDiagnostic(`"${formatCalls(calls)}"`, consequence(calls), calls))
    return []
  }
  if (types && !types.includes(field.type)) {
    report({
      what: `"${formatCalls(calls)}" is for another type than ${field.type}.`,
      hint: `Leave the type out, or ${GO_ON}.`,
      leftOut: 'It is left out: nothing checks it.',
    })
    return []
  }
  if (isArray) return [...(first.inner ?? []), ...others]
  if (!field.list || others.length === 0) return others
  const [list, ...more] = others
  if (list?.name === 'array' && isTypeWord(list)) return [...(list.inner ?? []), ...more]
  report({
    what: `"${formatCalls(calls)}" is about the elements of a list, and rules are about the list.`,
    hint: `Write "@zod.min(1)" for its length, or ${GO_ON}.`,
    leftOut: 'It is left out: nothing checks the elements.',
  })
  return []
}

/** Whether a call only names a type: it has no arguments, or only error messages for values of another type. */
function isTypeWord({ args, bare, inner }: ChainCall): boolean {
  const isText = (value: unknown) =>
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && Object.keys(value).every((key) => TYPE_TEXTS.test(key)))
  return bare === true || inner !== undefined || args.every(({ value }) => isText(value))
}

/** Returns the calls, or an empty list if the arguments of one cannot be parsed. */
function readable(calls: readonly ChainCall[], report: (diagnostic: DiagnosticMessage) => void): readonly ChainCall[] {
  const needsNone = ({ bare, name }: ChainCall) => bare && (name === 'array' || TYPE_WORDS.has(name))
  const invalidCall = calls
    .flatMap((call) => (needsNone(call) ? [] : [call, ...(call.inner ?? [])]))
    .find((call) => call.syntaxError)
  if (invalidCall === undefined) return calls
  const what = `"@zod" cannot be read: ${invalidCall.syntaxError?.message}.`
  if (invalidCall.isCode) report({ what, hint: `Write ${CHECKS_HINT}, or ${GO_ON}.`, leftOut: consequence(calls) })
  else report({ what, hint: `Write ${CHECKS_HINT}.` })
  return []
}

function foreignZodDiagnostic(subject: string, leftOut: string, calls: readonly ChainCall[]): DiagnosticMessage {
  const isOmitted = calls.some(({ name }) => name === 'omit')
  const hint = isOmitted ? 'To keep a field off the wire, write "@api.hidden"' : `Write ${CHECKS_HINT}`
  return {
    what: `${subject} is for another generator, and means nothing here.`,
    hint: `${hint}, or ${GO_ON}.`,
    leftOut,
  }
}

function consequence(calls: readonly ChainCall[]): string {
  const isOmitted = calls.some(({ name }) => name === 'omit')
  return isOmitted ? 'It is left out: the field stays on the wire.' : 'It is left out: nothing checks it.'
}

/** Formats an annotation in short form, such as `@zod.custom.use(…)`. */
function formatCalls(calls: readonly ChainCall[]): string {
  const spell = ({ name, args, bare, inner, syntaxError }: ChainCall) =>
    `.${name}${bare ? '' : args.length > 0 || inner || syntaxError ? '(…)' : '()'}`
  return `@zod${calls.map(spell).join('')}`
}
