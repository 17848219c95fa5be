import { type DiagnosticMessage, suggest } from '../../errors.js'
import { CHECKS_HINT, supportedCalls } from './foreign-zod.js'
import { type ChainCall, parseChain } from './parse-chain.js'
import { OPERATIONS, type Operation, type VersionUse } from '../api-model.js'

/** The parsed annotations of a schema comment (`///`). */
export interface Annotations {
  /** The comment without annotations. */
  readonly text: string
  readonly exposure: 'full' | 'readOnly' | 'writeOnly' | 'hidden'
  /** Whether the comment contains `@api.serverSet`. */
  readonly serverSet: boolean
  /** Whether an annotation sets the exposure. `@api.exposed` sets `full`. */
  readonly hasExplicitExposure: boolean
  /** The operations of `@api.operations(…)`. */
  readonly operations: readonly Operation[] | undefined
  /** Set by `@api.version` or `@api.version(required)`. */
  readonly version: VersionUse | undefined
  /** `@api.nullable` (true) or `@api.nonNull` (false): whether rows may be hidden from the caller. */
  readonly nullable: boolean | undefined
  /** The reasons of all `@api.accept("…")` annotations, which accept a change. */
  readonly accepted: readonly string[]
  /** The calls of each `@zod.…` annotation. */
  readonly chains: readonly (readonly ChainCall[])[]
}

/** The schema elements that can be annotated. */
export type AnnotationTarget = 'model' | 'field' | 'relation' | 'enum'

const API_WORDS: Readonly<Record<AnnotationTarget, readonly string[]>> = {
  model: ['hidden', 'readOnly', 'operations', 'nullable', 'nonNull', 'accept'],
  field: ['hidden', 'readOnly', 'writeOnly', 'exposed', 'serverSet', 'version', 'accept'],
  relation: ['hidden', 'readOnly', 'nullable', 'nonNull', 'accept'],
  enum: ['accept'],
}

/**
 * Parses the annotations of a schema comment (design, section 3).
 * @param comment the comment as Prisma passes it, with lines joined by line feeds
 * @param target the kind of schema element that the comment belongs to
 * @param report called for each invalid annotation
 */
export function parseAnnotations(
  comment: string | undefined,
  target: AnnotationTarget,
  report: (problem: DiagnosticMessage) => void,
): Annotations {
  let rest = comment ?? ''
  let text = ''
  const exposures = new Set<'exposed' | 'readOnly' | 'writeOnly' | 'hidden'>()
  const nullabilities = new Set<'nullable' | 'nonNull'>()
  let operations: readonly Operation[] | undefined
  let version: VersionUse | undefined
  let serverSet = false
  const accepted: string[] = []
  const chains: (readonly ChainCall[])[] = []

  for (;;) {
    const found = /(^|[^\w.@`-])@(api|zod)(?![\w-])/i.exec(rest)
    if (!found) break
    const kind = found[2]?.toLowerCase()
    if (kind !== found[2]) {
      report({ message: `"@${found[2]}" must be lowercase.`, hint: `Write "@${kind}".` })
    }
    text += rest.slice(0, found.index) + (found[1] ?? '')
    rest = rest.slice(found.index + found[0].length)
    if (kind === 'api') {
      const word = /^\.([A-Za-z]+)/.exec(rest)?.[1]
      rest = rest.slice(word === undefined ? 0 : word.length + 1)
      if (word === 'accept') {
        const reason = /^\s*\(\s*"((?:[^"\\\n]|\\.)*)"\s*\)/.exec(rest)
        rest = rest.slice(reason?.[0].length ?? 0)
        if (reason?.[1]?.trim()) accepted.push(reason[1].replace(/\\(.)/g, '$1').trim())
        else report({ message: '"@api.accept" requires a reason.', hint: 'Write @api.accept("reason").' })
        continue
      }
      const list = /^\s*\(([^()]*)\)/.exec(rest)
      const isCalled = rest.startsWith('(')
      if (list && (word === 'operations' || isCalled)) rest = rest.slice(list[0].length)
      if (word === undefined || !API_WORDS[target].includes(word)) {
        report(unknownWordMessage(word, target))
      } else if (word === 'operations') {
        operations = readOperations(list?.[1], report)
      } else if (word === 'version') {
        version = readVersion(isCalled ? list?.[1] : undefined, report)
      } else if (word === 'hidden' || word === 'readOnly' || word === 'writeOnly' || word === 'exposed') {
        if (list) report(noArgumentsMessage(word))
        exposures.add(word)
      } else if (word === 'nullable' || word === 'nonNull') {
        if (list) report(noArgumentsMessage(word))
        nullabilities.add(word)
      } else if (word === 'serverSet') {
        if (list) report(noArgumentsMessage(word))
        serverSet = true
      }
    } else {
      const { calls, length } = parseChain(rest)
      chains.push(readChain(calls, target, report))
      rest = rest.slice(length)
    }
  }

  const unprefixed = /(^|\s)@(hidden|readOnly|writeOnly|serverSet|operations)(?!\w)/i.exec(text + rest)?.[2]
  if (unprefixed !== undefined) {
    report({
      message: `"@${unprefixed}" is not an annotation and has no effect.`,
      hint: `Write "@api.${wordLike(unprefixed)}".`,
    })
  }
  for (const words of [exposures, nullabilities]) {
    if (words.size < 2) continue
    const names = [...words].map((word) => `"@api.${word}"`).join(' and ')
    report({ message: `${names} cannot be combined.`, hint: 'Remove one of them.' })
  }
  const [word = 'exposed'] = exposures
  if (serverSet && word === 'writeOnly') {
    const hint = 'Remove one of them. Callers cannot write a field that the server sets.'
    report({ message: '"@api.writeOnly" and "@api.serverSet" cannot be combined.', hint })
  }
  return {
    text: normalizeText(text + rest),
    exposure: word !== 'exposed' ? word : serverSet ? 'readOnly' : 'full',
    serverSet,
    hasExplicitExposure: exposures.size > 0,
    operations,
    version,
    nullable: nullabilities.size === 0 ? undefined : nullabilities.has('nullable'),
    accepted,
    chains,
  }
}

function noArgumentsMessage(word: string): DiagnosticMessage {
  return { message: `"@api.${word}" takes no arguments.`, hint: 'Remove the parentheses.' }
}

function wordLike(word: string): string {
  return (
    API_WORDS.model.concat(API_WORDS.field).find((candidate) => candidate.toLowerCase() === word.toLowerCase()) ?? word
  )
}

function unknownWordMessage(word: string | undefined, target: AnnotationTarget): DiagnosticMessage {
  const words = API_WORDS[target]
  const message =
    word === undefined
      ? '"@api" must be followed by the name of an annotation.'
      : `"@api.${word}" is not allowed on ${article(target)}.`
  return { message, hint: words.length > 0 ? suggest(word ?? '', words) : 'Remove it.' }
}

function readVersion(list: string | undefined, report: (problem: DiagnosticMessage) => void): VersionUse {
  if (list === undefined) return 'optional'
  if (list.trim() === 'required') return 'required'
  report({
    message: `unknown argument "${list.trim()}" for "@api.version".`,
    hint: 'Write "@api.version", or "@api.version(required)" if every change must specify the version that it is based on.',
  })
  return 'optional'
}

function readOperations(list: string | undefined, report: (problem: DiagnosticMessage) => void): readonly Operation[] {
  const words = (list ?? '').split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) {
    const hint = 'List them, for example "@api.operations(list, get)", or hide the model with "@api.hidden".'
    report({ message: '"@api.operations" must list at least one operation.', hint })
  }
  for (const word of words) {
    if (!OPERATIONS.some((operation) => operation === word)) {
      report({ message: `unknown operation "${word}" in "@api.operations".`, hint: suggest(word, OPERATIONS) })
    }
  }
  return OPERATIONS.filter((operation) => words.includes(operation))
}

function readChain(
  calls: readonly ChainCall[],
  target: AnnotationTarget,
  report: (diagnostic: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const supported = supportedCalls(calls, target === 'field', report)
  if (calls.length === 0) report({ message: '"@zod" must be followed by a rule.', hint: `Write ${CHECKS_HINT}.` })
  if (target === 'field') return supported
  if (supported.length > 0) {
    report({ message: `"@zod" is not allowed on ${article(target)}.`, hint: 'Write it on a scalar field.' })
  }
  return []
}

function article(target: AnnotationTarget): string {
  return target === 'enum' ? 'an enum' : `a ${target}`
}

function normalizeText(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
