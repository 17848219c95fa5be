import type { DiagnosticMessage } from '../../errors.js'
import type { ChainCall } from './parse-chain.js'
import type { RuleField } from './zod-mini-rule.js'

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
const DROPPED_CALLS =
  /^(?:import|refine|superRefine|check|describe|meta|brand|readonly|optional|nullable|nullish|nonoptional|default|prefault|coerce|register|ip|cidr)$/

/** Matches calls of other generators that replace the checks or change their meaning. */
const REPLACING_CALLS =
  /^(?:custom|use|omit|or|and|pipe|transform|preprocess|catch|overwrite|object|record|tuple|union|literal|lazy|instanceof|any|unknown|strict|strip|passthrough|loose|catchall|extend|error)$/

/** Check names in other generators and the corresponding names in zod. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['isoDate', 'date'],
  ['isoTime', 'time'],
  ['isoDatetime', 'datetime'],
  ['isoDuration', 'duration'],
])

/**
 * Matches the error messages that a type word can have. They are ignored: the error for a value of a different type does not depend on
 * the rule.
 */
const TYPE_TEXTS = /^(?:invalid_type_error|required_error|description|message|error)$/

/** The form of a rule, for messages. */
export const CHECKS_HINT = 'a chain of zod checks with literal arguments, such as "@zod.min(1).max(200)"'

const UNKNOWN_ZOD_HINT = 'set unknownZod = "warn" in the generator block to ignore it'

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
  const isReplacing = ({ name }: ChainCall) => REPLACING_CALLS.test(name) || (!isField && name === 'array')
  const isForeign = (call: ChainCall) => isReplacing(call) || DROPPED_CALLS.test(call.name)
  const foreignCalls = calls.filter(isForeign)
  const supported = foreignCalls.some(isReplacing) || !isField ? [] : calls.filter((call) => !isForeign(call))
  if (foreignCalls.length === 0) return dropUnparsable(calls, report)
  const names = foreignCalls.map(({ name }) => `"${name}"`).join(' and ')
  const subject = supported.length > 0 ? `${names} of "${formatCalls(calls)}"` : `"${formatCalls(calls)}"`
  const diagnostic = foreignZodDiagnostic(
    subject,
    supported.length > 0 ? 'It is ignored. The other checks apply.' : describeConsequence(calls),
    calls,
  )
  report(isField ? diagnostic : { ...diagnostic, hint: `Write rules on scalar fields, or ${UNKNOWN_ZOD_HINT}.` })
  return dropUnparsable(supported, report)
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
    .flatMap((calls) => dropTypeWord(calls, field, report))
    .filter((call) => !isIdle(call))
    .map((call) => (field.type === 'String' ? { ...call, name: OTHER_NAMES.get(call.name) ?? call.name } : call))
}

function dropTypeWord(
  calls: readonly ChainCall[],
  field: RuleField,
  report: (diagnostic: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const [first, ...others] = calls
  if (first === undefined) return calls
  const isArray = first.name === 'array' && field.list
  const types = TYPE_WORDS.get(first.name)
  // On a String field, `date()` is a string format, not a type word.
  if (!isArray && (types === undefined || (first.name === 'date' && field.type === 'String' && !first.hasNoArguments)))
    return calls
  if (!isTypeWord(first)) {
    report(foreignZodDiagnostic(`"${formatCalls(calls)}"`, describeConsequence(calls), calls))
    return []
  }
  if (types && !types.includes(field.type)) {
    report({
      message: `"${formatCalls(calls)}" does not match the field type ${field.type}.`,
      hint: `Remove the type, or ${UNKNOWN_ZOD_HINT}.`,
      consequence: 'It is ignored, so nothing is checked.',
    })
    return []
  }
  if (isArray) return [...(first.inner ?? []), ...others]
  if (!field.list || others.length === 0) return others
  const [list, ...more] = others
  if (list?.name === 'array' && isTypeWord(list)) return [...(list.inner ?? []), ...more]
  report({
    message: `"${formatCalls(calls)}" checks the elements of a list, but rules apply to the list itself.`,
    hint: `To check its length, write "@zod.min(1)", or ${UNKNOWN_ZOD_HINT}.`,
    consequence: 'It is ignored, so the elements are not checked.',
  })
  return []
}

/** Whether a call only names a type: it has no arguments, or only error messages for values of a different type. */
function isTypeWord({ args, hasNoArguments, inner }: ChainCall): boolean {
  const isText = (value: unknown) =>
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && Object.keys(value).every((key) => TYPE_TEXTS.test(key)))
  return hasNoArguments === true || inner !== undefined || args.every(({ value }) => isText(value))
}

/** Returns the calls, or an empty list if the arguments of one cannot be parsed. */
function dropUnparsable(
  calls: readonly ChainCall[],
  report: (diagnostic: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const isTypeOnly = ({ hasNoArguments, name }: ChainCall) =>
    hasNoArguments && (name === 'array' || TYPE_WORDS.has(name))
  const invalidCall = calls
    .flatMap((call) => (isTypeOnly(call) ? [] : [call, ...(call.inner ?? [])]))
    .find((call) => call.syntaxError)
  if (invalidCall === undefined) return calls
  const problemText = `"@zod" cannot be parsed: ${invalidCall.syntaxError?.message}.`
  if (invalidCall.isCode)
    report({
      message: problemText,
      hint: `Write ${CHECKS_HINT}, or ${UNKNOWN_ZOD_HINT}.`,
      consequence: describeConsequence(calls),
    })
  else report({ message: problemText, hint: `Write ${CHECKS_HINT}.` })
  return []
}

function foreignZodDiagnostic(subject: string, consequence: string, calls: readonly ChainCall[]): DiagnosticMessage {
  const isOmitted = calls.some(({ name }) => name === 'omit')
  const hint = isOmitted ? 'To hide a field, write "@api.hidden"' : `Write ${CHECKS_HINT}`
  return {
    message: `${subject} is for another generator and has no effect here.`,
    hint: `${hint}, or ${UNKNOWN_ZOD_HINT}.`,
    consequence,
  }
}

function describeConsequence(calls: readonly ChainCall[]): string {
  const isOmitted = calls.some(({ name }) => name === 'omit')
  return isOmitted ? 'It is ignored, so the field remains exposed.' : 'It is ignored, so nothing is checked.'
}

/** Formats an annotation in short form, such as `@zod.custom.use(…)`. */
function formatCalls(calls: readonly ChainCall[]): string {
  const formatCall = ({ name, args, hasNoArguments, inner, syntaxError }: ChainCall) =>
    `.${name}${hasNoArguments ? '' : args.length > 0 || inner || syntaxError ? '(…)' : '()'}`
  return `@zod${calls.map(formatCall).join('')}`
}
