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
  readonly isDeliberate: boolean
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
      report({ what: `"@${found[2]}" is not written so.`, hint: `Write "@${kind}", in lower case.` })
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
        else
          report({ what: '"@api.accept" gives no reason.', hint: 'Write @api.accept("why callers can live with it").' })
        continue
      }
      const list = /^\s*\(([^()]*)\)/.exec(rest)
      const isCalled = rest.startsWith('(')
      if (list && (word === 'operations' || isCalled)) rest = rest.slice(list[0].length)
      if (word === undefined || !API_WORDS[target].includes(word)) {
        report(unknownWord(word, target))
      } else if (word === 'operations') {
        operations = readOperations(list?.[1], report)
      } else if (word === 'version') {
        version = readVersion(isCalled ? list?.[1] : undefined, report)
      } else if (word === 'hidden' || word === 'readOnly' || word === 'writeOnly' || word === 'exposed') {
        if (list) report(takesNoArguments(word))
        exposures.add(word)
      } else if (word === 'nullable' || word === 'nonNull') {
        if (list) report(takesNoArguments(word))
        nullabilities.add(word)
      } else if (word === 'serverSet') {
        if (list) report(takesNoArguments(word))
        serverSet = true
      }
    } else {
      const { calls, length } = parseChain(rest)
      chains.push(readChain(calls, target, report))
      rest = rest.slice(length)
    }
  }

  const bare = /(^|\s)@(hidden|readOnly|writeOnly|serverSet|operations)(?!\w)/i.exec(text + rest)?.[2]
  if (bare !== undefined) {
    report({ what: `"@${bare}" is a comment, and hides nothing.`, hint: `Write "@api.${wordLike(bare)}".` })
  }
  for (const words of [exposures, nullabilities]) {
    if (words.size < 2) continue
    const names = [...words].map((word) => `"@api.${word}"`).join(' and ')
    report({ what: `${names} contradict each other.`, hint: 'Keep one of them.' })
  }
  const [word = 'exposed'] = exposures
  if (serverSet && word === 'writeOnly') {
    const hint = 'Keep one of them: callers cannot write a field that the server sets.'
    report({ what: '"@api.writeOnly" and "@api.serverSet" contradict each other.', hint })
  }
  return {
    text: tidy(text + rest),
    exposure: word !== 'exposed' ? word : serverSet ? 'readOnly' : 'full',
    serverSet,
    isDeliberate: exposures.size > 0,
    operations,
    version,
    nullable: nullabilities.size === 0 ? undefined : nullabilities.has('nullable'),
    accepted,
    chains,
  }
}

function takesNoArguments(word: string): DiagnosticMessage {
  return { what: `"@api.${word}" takes no arguments.`, hint: 'Leave out the parentheses.' }
}

function wordLike(word: string): string {
  return (
    API_WORDS.model.concat(API_WORDS.field).find((candidate) => candidate.toLowerCase() === word.toLowerCase()) ?? word
  )
}

function unknownWord(word: string | undefined, target: AnnotationTarget): DiagnosticMessage {
  const words = API_WORDS[target]
  const what =
    word === undefined ? '"@api" is not followed by a word.' : `"@api.${word}" means nothing on ${article(target)}.`
  return { what, hint: words.length > 0 ? suggest(word ?? '', words) : 'Remove it.' }
}

function readVersion(list: string | undefined, report: (problem: DiagnosticMessage) => void): VersionUse {
  if (list === undefined) return 'optional'
  if (list.trim() === 'required') return 'required'
  report({
    what: `"@api.version" does not know "${list.trim()}".`,
    hint: 'Write "@api.version", or "@api.version(required)" where every change must say which version it is made of.',
  })
  return 'optional'
}

function readOperations(list: string | undefined, report: (problem: DiagnosticMessage) => void): readonly Operation[] {
  const words = (list ?? '').split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) {
    const hint = 'Write them out, as "@api.operations(list, get)", or hide the model with "@api.hidden".'
    report({ what: '"@api.operations" names no operations.', hint })
  }
  for (const word of words) {
    if (!OPERATIONS.some((operation) => operation === word)) {
      report({ what: `"@api.operations" does not know "${word}".`, hint: suggest(word, OPERATIONS) })
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
  if (calls.length === 0) report({ what: '"@zod" is not followed by a rule.', hint: `Write ${CHECKS_HINT}.` })
  if (target === 'field') return supported
  if (supported.length > 0) {
    report({ what: `"@zod" means nothing on ${article(target)}.`, hint: 'Put it on a scalar field.' })
  }
  return []
}

function article(target: AnnotationTarget): string {
  return target === 'enum' ? 'an enum' : `a ${target}`
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
