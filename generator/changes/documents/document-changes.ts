import { delegateName } from '../../model/names.js'
import type { Style } from '../../options.js'
import type { Change, Finding } from '../change.js'
import { capitalize, formatPerStyle, quote } from '../phrases.js'
import type { DocumentOperation } from './document-summary.js'

/** A finding about a document. */
export interface DocumentFinding extends Finding {
  /** The name of the custom route or of the operation, if the finding is about one. The sentence contains it in quotes, without the style. */
  readonly operation?: string
  /** The path of the operation, or its method and path, to add to the sentence. */
  readonly request?: string
}

/** A change in a document of one style. */
export interface DocumentChange extends Change, DocumentFinding {
  readonly style: Style
}

/**
 * Returns the name of a custom route, such as `post.publish`. Documents contain it only in the id of the operation: REST appends the name of the
 * group, and RPC prepends it. Returns the id if it has another form.
 */
export function getRouteName({ name, path, model = '' }: DocumentOperation): string {
  const groups = [model, model.replace(/[-_]+(.?)/g, (_, letter: string) => letter.toUpperCase())]
  const segment = path.split('/').at(-1) ?? ''
  const isRpc = groups.some((group) => name === delegateName(group) + capitalize(segment))
  if (isRpc) return `${delegateName(model)}.${segment}`
  const suffix = groups.map(capitalize).find((group) => group !== '' && name.endsWith(group))
  return suffix === undefined ? name : `${delegateName(model)}.${name.slice(0, -suffix.length)}`
}

/** Adds the styles and requests to the sentences about operations. A change that is the same in both styles becomes one change. */
export function mergeStyles(changes: readonly DocumentChange[]): readonly Change[] {
  const groups: [DocumentChange, ...DocumentChange[]][] = []
  for (const change of changes) {
    const group = groups.find((others) => others.every((other) => isSameInOtherStyle(other, change)))
    if (group) group.push(change)
    else groups.push([change])
  }
  return groups.map((group) => withStyles(group))
}

function isSameInOtherStyle(left: DocumentChange, right: DocumentChange): boolean {
  return (
    left.operation !== undefined &&
    left.style !== right.style &&
    left.id === right.id &&
    left.sentence === right.sentence
  )
}

function withStyles(all: readonly [DocumentChange, ...DocumentChange[]]): Change {
  const [change] = all
  const { operation, sentence } = change
  if (operation === undefined) return change
  const requestOf = (style: Style) => {
    const request = all.find((each) => each.style === style)?.request
    return request === undefined ? '' : quote(request)
  }
  const styles = formatPerStyle(
    all.map(({ style }) => style),
    { rest: requestOf('rest'), rpc: requestOf('rpc') },
  )
  return { ...change, sentence: sentence.replace(quote(operation), (name) => name + styles) }
}
