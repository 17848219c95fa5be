import { type DiagnosticMessage, suggest } from '../../errors.js'
import { CHECKS_HINT, supportedCalls } from './foreign-zod.js'
import { type ChainCall, parseChain } from './parse-chain.js'
import { OPERATIONS, type Operation, type VersionUse } from '../api-model.js'

/** What a schema comment (`///`) says about the API. */
export interface Annotations {
  /** The comment without our annotations. */
  readonly text: string
  readonly exposure: 'full' | 'readOnly' | 'writeOnly' | 'hidden'
  /** `@api.serverSet` */
  readonly serverSet: boolean
  /** The comment itself says the exposure: full is said with `@api.exposed`. */
  readonly isDeliberate: boolean
  /** `@api.operations(…)` */
  readonly operations: readonly Operation[] | undefined
  /** `@api.version`, or `@api.version(required)` */
  readonly version: VersionUse | undefined
  /** `@api.nullable` (true) or `@api.nonNull` (false): whether rows may be hidden from the caller. */
  readonly nullable: boolean | undefined
  /** Why a change of this is accepted, each `@api.accept("…")`. */
  readonly accepted: readonly string[]
  /** The calls of each `@zod.…` */
  readonly chains: readonly (readonly ChainCall[])[]
}

/** What an annotated thing may be annotated with. */
export type AnnotationTarget = 'model' | 'field' | 'relation' | 'enum'

const API_WORDS: Readonly<Record<AnnotationTarget, readonly string[]>> = {
  model: ['hidden', 'readOnly', 'operations', 'nullable', 'nonNull', 'accept'],
  field: ['hidden', 'readOnly', 'writeOnly', 'exposed', 'serverSet', 'version', 'accept'],
  relation: ['hidden', 'readOnly', 'nullable', 'nonNull', 'accept'],
  enum: ['accept'],
}

/**
 * Reads the annotations of a schema comment (design, section 3).
 * @param comment the comment as Prisma gives it, lines joined by line feeds; undefined where there is none
 * @param target what the comment stands on
 * @param report is told of everything that is wrong
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
      report({ what: `"@${found[2]}" is not written so.`, mend: `Write "@${kind}", in lower case.` })
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
          report({ what: '"@api.accept" gives no reason.', mend: 'Write @api.accept("why callers can live with it").' })
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
    report({ what: `"@${bare}" is a comment, and hides nothing.`, mend: `Write "@api.${wordLike(bare)}".` })
  }
  for (const words of [exposures, nullabilities]) {
    if (words.size < 2) continue
    const names = [...words].map((word) => `"@api.${word}"`).join(' and ')
    report({ what: `${names} contradict each other.`, mend: 'Keep one of them.' })
  }
  const [word = 'exposed'] = exposures
  if (serverSet && word === 'writeOnly') {
    const mend = 'Keep one of them: callers cannot write a field that the server sets.'
    report({ what: '"@api.writeOnly" and "@api.serverSet" contradict each other.', mend })
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
  return { what: `"@api.${word}" takes no arguments.`, mend: 'Leave out the parentheses.' }
}

function wordLike(word: string): string {
  return API_WORDS.model.concat(API_WORDS.field).find((known) => known.toLowerCase() === word.toLowerCase()) ?? word
}

function unknownWord(word: string | undefined, target: AnnotationTarget): DiagnosticMessage {
  const words = API_WORDS[target]
  const what =
    word === undefined ? '"@api" is not followed by a word.' : `"@api.${word}" means nothing on ${article(target)}.`
  return { what, mend: words.length > 0 ? suggest(word ?? '', words) : 'Remove it.' }
}

function readVersion(list: string | undefined, report: (problem: DiagnosticMessage) => void): VersionUse {
  if (list === undefined) return 'optional'
  if (list.trim() === 'required') return 'required'
  report({
    what: `"@api.version" does not know "${list.trim()}".`,
    mend: 'Write "@api.version", or "@api.version(required)" where every change must say which version it is made of.',
  })
  return 'optional'
}

function readOperations(list: string | undefined, report: (problem: DiagnosticMessage) => void): readonly Operation[] {
  const words = (list ?? '').split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) {
    const mend = 'Write them out, as "@api.operations(list, get)", or hide the model with "@api.hidden".'
    report({ what: '"@api.operations" names no operations.', mend })
  }
  for (const word of words) {
    if (!OPERATIONS.some((operation) => operation === word)) {
      report({ what: `"@api.operations" does not know "${word}".`, mend: suggest(word, OPERATIONS) })
    }
  }
  return OPERATIONS.filter((operation) => words.includes(operation))
}

function readChain(
  calls: readonly ChainCall[],
  target: AnnotationTarget,
  report: (fault: DiagnosticMessage) => void,
): readonly ChainCall[] {
  const own = supportedCalls(calls, target === 'field', report)
  if (calls.length === 0) report({ what: '"@zod" is not followed by a rule.', mend: `Write ${CHECKS_HINT}.` })
  if (target === 'field') return own
  if (own.length > 0) {
    report({ what: `"@zod" means nothing on ${article(target)}.`, mend: 'Put it on a scalar field.' })
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
