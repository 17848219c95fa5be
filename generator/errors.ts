/** The schema element that a diagnostic is about. */
export interface SchemaLocation {
  readonly model?: string
  readonly field?: string
  readonly enum?: string
}

/** An error or warning about a schema, with a hint. */
export interface Diagnostic {
  readonly location: SchemaLocation
  /** The position as `file:line`, if it is more precise than `location`. */
  readonly position?: string
  /** The problem, as one sentence. */
  readonly message: string
  /** The fix, as one sentence. */
  readonly hint: string
  /** The consequence if the option `unknownZod` turns the error into a warning, as one sentence. Undefined if it cannot be a warning. */
  readonly consequence?: string
}

/** A diagnostic without its location. */
export type DiagnosticMessage = Pick<Diagnostic, 'message' | 'hint' | 'consequence'>

/** Thrown if the generator or a command cannot continue. Lists all problems, so that they can be fixed in one pass. */
export class GeneratorError extends Error {
  readonly problems: readonly Diagnostic[]

  constructor(
    problems: readonly Diagnostic[],
    locate: (location: SchemaLocation) => string | undefined = () => undefined,
  ) {
    super(problems.map((problem) => `routewright: ${formatDiagnostic(problem, locate)}`).join('\n'))
    this.name = 'GeneratorError'
    this.problems = problems
  }
}

/** Formats a diagnostic as one line: location, problem and hint. */
export function formatDiagnostic(
  { location, position, message, hint }: Diagnostic,
  locate: (location: SchemaLocation) => string | undefined,
): string {
  const element = [
    location.model === undefined ? undefined : `model ${location.model}`,
    location.enum === undefined ? undefined : `enum ${location.enum}`,
    location.field === undefined ? undefined : `field ${location.field}`,
  ].filter((part) => part !== undefined)
  return [position ?? locate(location), element.length > 0 ? element.join(', ') : undefined, `${message} ${hint}`]
    .filter((part) => part !== undefined)
    .join(': ')
}

/** Returns "Did you mean …?" if a candidate is similar to the word, followed by all candidates. */
export function suggest(word: string, candidates: readonly string[]): string {
  const similar = findNearest(word.toLowerCase(), candidates)
  const list = candidates.length > 0 ? `Available: ${candidates.join(', ')}.` : 'Available: none.'
  return `${similar ? `Did you mean "${similar}"? ` : ''}${list}`
}

/**
 * Returns the candidate that requires the fewest edits: at most two, or one if it has up to three letters. A plural does not count as an edit.
 */
function findNearest(word: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Infinity
  for (const candidate of candidates) {
    const other = candidate.toLowerCase()
    const edits = toSingular(word) === toSingular(other) ? 0 : distance(word, other)
    if (edits < fewest && edits <= (other.length > 3 ? 2 : 1)) [nearest, fewest] = [candidate, edits]
  }
  return nearest
}

function toSingular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
