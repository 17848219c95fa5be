import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document.js'
import { type Described, operationsOf, responseOf } from '../../openapi/support/described.js'
import { type Validate, validatorOf } from '../../openapi/support/validator.js'
import { corpusOf } from './corpus/corpus.js'
import type { Answered, Asked, Served, Style } from './serve.js'

/** What sending the same requests to two APIs shows: the first request of each kind, undefined where there is none. */
export interface Seen {
  /** One that was answered well, and is refused now, or answered with what the old document does not know. */
  readonly breaking: string | undefined
  /** One that met a closed door, and is answered now. */
  readonly exposure: string | undefined
  /** One that was refused for what it said, and is answered now. */
  readonly loosened: string | undefined
}

/** An API whose answers are kept: the same is asked of it for many changes. */
export interface Asking {
  readonly served: Served
  readonly corpus: readonly Asked[]
  answer(asked: Asked): Promise<Answered>
  /** What is wrong with a good answer by its own documents. */
  readonly check: (asked: Asked, answer: Answered) => string
}

/** Prepares an API for comparisons. */
export function askingOf(served: Served): Asking {
  const known = new Map<string, Promise<Answered>>()
  return {
    served,
    corpus: corpusOf(served.datamodel),
    async answer(asked) {
      const name = nameOf(asked)
      const answer = known.get(name) ?? served.send(asked)
      known.set(name, answer)
      return await answer
    },
    check: checkerOf(served.documents),
  }
}

/**
 * Sends everything that either schema could mean to both APIs.
 * @param toOld a request in the words of the old API, where names have changed: what it told is told under its old name
 */
export async function compareByAsking(before: Asking, after: Asking, toOld = (asked: Asked) => asked): Promise<Seen> {
  let breaking: string | undefined
  for (const asked of before.corpus) {
    const old = await before.answer(asked)
    if (old.status >= 300 || before.check(asked, old) !== '') continue
    const now = await after.answer(asked)
    const wrong = now.status >= 300 ? reasonOf(now) : before.check(asked, now)
    if (wrong === '') continue
    breaking = `${nameOf(asked)}: ${old.status}, then ${now.status} ${wrong}`
    break
  }
  const opened = new Map<boolean, string>()
  for (const asked of after.corpus) {
    if (opened.has(true)) break
    const now = await after.answer(asked)
    if (now.status >= 300) continue
    const old = await before.answer(toOld(asked))
    // The rows are not the same ones where schemas allow others.
    if (old.status < 300 || old.status >= 500 || faultsOf(old).some(({ code }) => code === 'not-found')) continue
    const isDoor = isClosed(old)
    if (!opened.has(isDoor)) opened.set(isDoor, `${nameOf(asked)}: ${old.status} ${reasonOf(old)}, then ${now.status}`)
  }
  return { breaking, exposure: opened.get(true), loosened: opened.get(false) }
}

/** Codes of answers that say that there is no such thing, or that nobody may do it. */
const CLOSED: ReadonlySet<unknown> = new Set([
  'unknown-field',
  'unknown-attribute',
  'unknown-relationship',
  'unsupported-model',
  'unknown-path',
  'method-not-allowed',
  'read-only',
  'forbidden',
  'client-id-forbidden',
  'unsupported-change',
])

/** The same, where there is no code for it alone: names of fields, but not of operators and sums, which follow from a type. */
const CLOSED_WORDS =
  /There is no "(?!contains"|gte")\w+" (?:in (?!_sum\b|_avg\b)|among|here)|must hold .*unique|does not identify|"matchFields"/

/** Whether a request was refused for what it asks for, not for how. */
function isClosed(answer: Answered): boolean {
  const isForbidden = (code: string) => code === '' && (answer.status === 403 || answer.status === 405)
  return faultsOf(answer).some(({ code, detail }) => CLOSED.has(code) || isForbidden(code) || CLOSED_WORDS.test(detail))
}

function faultsOf({ body }: Answered): { readonly code: string; readonly detail: string }[] {
  const { errors, error = body } = Object(body) as { readonly errors?: readonly unknown[]; readonly error?: unknown }
  return (errors ?? [error]).map((fault) => {
    const { code, reason, detail, message } = Object(fault) as Readonly<Record<string, unknown>>
    return { code: String(code ?? reason ?? ''), detail: String(detail ?? message ?? '') }
  })
}

function reasonOf(answer: Answered): string {
  const [fault] = faultsOf(answer)
  return `${fault?.code} ${fault?.detail}`
}

function nameOf({ style, method, path, body, ifMatch = '', afterwards = '' }: Asked): string {
  return `${style} ${method}${ifMatch}${afterwards} ${decodeURIComponent(path)}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
}

/** Says what is wrong with a good answer by the documents. Members that they do not know are none of it: callers leave them alone. */
function checkerOf(documents: Readonly<Record<Style, OpenApiDocument>>): (asked: Asked, answer: Answered) => string {
  const open = { rest: opened(documents.rest), rpc: opened(documents.rpc) }
  const validate: Readonly<Record<Style, Validate>> = { rest: validatorOf(open.rest), rpc: validatorOf(open.rpc) }
  const operations = { rest: operationsOf(open.rest), rpc: operationsOf(open.rpc) }
  return ({ style, method, path, afterwards }, { status, body }) => {
    const [verb, place] = afterwards === undefined ? [method.toLowerCase(), path] : ['get', afterwards]
    const described = operations[style].find((one) => one.method === verb && fits(one, place))
    if (!described) return 'nothing describes it'
    const said = responseOf(described, status)
    if (!said) return `${status} is not listed`
    const [media] = Object.values(said.content ?? {})
    if (media === undefined || body === undefined) return ''
    return validate[style](media.schema, body)
  }
}

function fits({ path }: Described, asked: string): boolean {
  const [place = ''] = asked.split('?')
  const pattern = path.replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(place)
}

/** A document whose objects may have more members. */
function opened(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    (key === 'additionalProperties' || key === 'unevaluatedProperties') && value === false ? undefined : value,
  ) as OpenApiDocument & JsonSchema
}
