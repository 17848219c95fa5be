import type { DiagnosticMessage } from '../../errors.js'
import type { ChainCall } from './parse-chain.js'
import type { RuleField } from './build-rule.js'

/**
 * `@zod` annotations as zod-prisma-types and prisma-zod-generator have them. Annotations with the same meaning
 * here are accepted. Others are errors, which the generator's option `unknownZod` turns into warnings.
 */

/** What stands before the checks in `@zod.string.min(3)`, and the types of fields that it agrees with. */
const TYPE_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['String']],
  ['number', ['Int', 'Float', 'Decimal']],
  ['bigint', ['BigInt']],
  ['boolean', ['Boolean']],
  ['date', ['DateTime']],
  ['enum', ['Enum']],
  ['json', ['Json']],
])

/** What others say beside the checks, which hold without it. */
const BESIDES =
  /^(?:import|refine|superRefine|check|describe|meta|brand|readonly|optional|nullable|nullish|nonoptional|default|prefault|coerce|register|ip|cidr)$/

/** What makes something else of the checks, or stands in place of them. */
const INSTEAD =
  /^(?:custom|use|omit|or|and|pipe|transform|preprocess|catch|overwrite|object|record|tuple|union|literal|lazy|instanceof|any|unknown|strict|strip|passthrough|loose|catchall|extend|error)$/

/** What others call a check, and what zod does. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['isoDate', 'date'],
  ['isoTime', 'time'],
  ['isoDatetime', 'datetime'],
  ['isoDuration', 'duration'],
])

/** The texts that a type may come with. Ours for a value of another type does not depend on the rule. */
const TYPE_TEXTS = /^(?:invalid_type_error|required_error|description|message|error)$/

/** What a rule is made of, for messages. */
export const CHECKS_HINT = 'a chain of zod\'s own checks with literal arguments, as "@zod.min(1).max(200)"'

const GO_ON = 'set unknownZod = "warn" in the generator block to go on without it'

/**
 * What of an annotation may be checks of ours, whatever the field's type is.
 * @param calls the annotation's
 * @param isField whether it stands on a scalar field, where alone checks mean something
 * @param report is told of what is left out
 */
export function supportedCalls(
  calls: readonly ChainCall[],
  isField: boolean,
  report: (fault: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const isInstead = ({ name }: ChainCall) => INSTEAD.test(name) || (!isField && name === 'array')
  const isForeign = (call: ChainCall) => isInstead(call) || BESIDES.test(call.name)
  const foreign = calls.filter(isForeign)
  const own = foreign.some(isInstead) || !isField ? [] : calls.filter((call) => !isForeign(call))
  if (foreign.length === 0) return readable(calls, report)
  const names = foreign.map(({ name }) => `"${name}"`).join(' and ')
  const subject = own.length > 0 ? `${names} of "${spelled(calls)}"` : `"${spelled(calls)}"`
  const fault = foreignFault(subject, own.length > 0 ? 'It is left out; the rest holds.' : consequence(calls), calls)
  report(isField ? fault : { ...fault, mend: `Put rules on scalar fields, or ${GO_ON}.` })
  return readable(own, report)
}

/**
 * The chain of a field's rule: what its annotations say, without the types that they name.
 * @param annotations the calls of each, as {@link ownCalls} gives them
 * @param report is told of what does not fit the field
 */
export function buildChain(
  annotations: readonly (readonly ChainCall[])[],
  field: RuleField,
  report: (fault: DiagnosticMessage) => void,
): readonly ChainCall[] {
  // What is so of itself: others add `int()` to an Int, and take defaults of theirs away.
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
  report: (fault: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const [first, ...others] = calls
  if (first === undefined) return calls
  const isArray = first.name === 'array' && field.list
  const types = TYPE_WORDS.get(first.name)
  // `date()` of a text is a format of texts.
  if (!isArray && (types === undefined || (first.name === 'date' && field.type === 'String' && !first.bare)))
    return calls
  if (!isTypeWord(first)) {
    report(foreignFault(`"${spelled(calls)}"`, consequence(calls), calls))
    return []
  }
  if (types && !types.includes(field.type)) {
    report({
      what: `"${spelled(calls)}" is for another type than ${field.type}.`,
      mend: `Leave the type out, or ${GO_ON}.`,
      leftOut: 'It is left out: nothing checks it.',
    })
    return []
  }
  if (isArray) return [...(first.inner ?? []), ...others]
  if (!field.list || others.length === 0) return others
  const [list, ...more] = others
  if (list?.name === 'array' && isTypeWord(list)) return [...(list.inner ?? []), ...more]
  report({
    what: `"${spelled(calls)}" is about the elements of a list, and rules are about the list.`,
    mend: `Write "@zod.min(1)" for its length, or ${GO_ON}.`,
    leftOut: 'It is left out: nothing checks the elements.',
  })
  return []
}

/** Whether a call says a type and no more: it has no arguments, or texts for values of another type. */
function isTypeWord({ args, bare, inner }: ChainCall): boolean {
  const isText = (value: unknown) =>
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && Object.keys(value).every((key) => TYPE_TEXTS.test(key)))
  return bare === true || inner !== undefined || args.every(({ value }) => isText(value))
}

/** The calls, if all their arguments can be read. */
function readable(calls: readonly ChainCall[], report: (fault: DiagnosticMessage) => void): readonly ChainCall[] {
  const needsNone = ({ bare, name }: ChainCall) => bare && (name === 'array' || TYPE_WORDS.has(name))
  const fault = calls
    .flatMap((call) => (needsNone(call) ? [] : [call, ...(call.inner ?? [])]))
    .find((call) => call.fault)
  if (fault === undefined) return calls
  const what = `"@zod" cannot be read: ${fault.fault?.message}.`
  if (fault.isCode) report({ what, mend: `Write ${CHECKS_HINT}, or ${GO_ON}.`, leftOut: consequence(calls) })
  else report({ what, mend: `Write ${CHECKS_HINT}.` })
  return []
}

function foreignFault(subject: string, leftOut: string, calls: readonly ChainCall[]): DiagnosticMessage {
  const isOmitted = calls.some(({ name }) => name === 'omit')
  const mend = isOmitted ? 'To keep a field off the wire, write "@api.hidden"' : `Write ${CHECKS_HINT}`
  return {
    what: `${subject} is for another generator, and means nothing here.`,
    mend: `${mend}, or ${GO_ON}.`,
    leftOut,
  }
}

function consequence(calls: readonly ChainCall[]): string {
  const isOmitted = calls.some(({ name }) => name === 'omit')
  return isOmitted ? 'It is left out: the field stays on the wire.' : 'It is left out: nothing checks it.'
}

/** An annotation in short: `@zod.custom.use(…)`. */
function spelled(calls: readonly ChainCall[]): string {
  const spell = ({ name, args, bare, inner, fault }: ChainCall) =>
    `.${name}${bare ? '' : args.length > 0 || inner || fault ? '(…)' : '()'}`
  return `@zod${calls.map(spell).join('')}`
}
