/** Where in a schema something is wrong. */
export interface SchemaLocation {
  readonly model?: string
  readonly field?: string
  readonly enum?: string
}

/** One thing that keeps the routes from being generated. */
export interface Diagnostic {
  readonly place: SchemaLocation
  /** `file:line`, where more is known than the place says. */
  readonly at?: string
  /** What is wrong, as one sentence. */
  readonly what: string
  /** How to mend it, as one sentence. */
  readonly mend: string
  /** The consequence if the option `unknownZod` turns the error into a warning, as one sentence. Undefined if it cannot be a warning. */
  readonly leftOut?: string
}

/** A problem, apart from where it is. */
export type DiagnosticMessage = Pick<Diagnostic, 'what' | 'mend' | 'leftOut'>

/** The generator cannot go on. Lists everything that was found wrong, so that it can be mended in one go. */
export class GeneratorError extends Error {
  readonly problems: readonly Diagnostic[]

  constructor(
    problems: readonly Diagnostic[],
    locate: (place: SchemaLocation) => string | undefined = () => undefined,
  ) {
    super(problems.map((problem) => `routewright: ${formatDiagnostic(problem, locate)}`).join('\n'))
    this.name = 'GeneratorError'
    this.problems = problems
  }
}

/** A problem in one line: where, what, how to mend it. */
export function formatDiagnostic(
  { place, at, what, mend }: Diagnostic,
  locate: (place: SchemaLocation) => string | undefined,
): string {
  const named = [
    place.model === undefined ? undefined : `model ${place.model}`,
    place.enum === undefined ? undefined : `enum ${place.enum}`,
    place.field === undefined ? undefined : `field ${place.field}`,
  ].filter((part) => part !== undefined)
  return [at ?? locate(place), named.length > 0 ? named.join(', ') : undefined, `${what} ${mend}`]
    .filter((part) => part !== undefined)
    .join(': ')
}

/** "Did you mean …?" where one of the candidates is close to the word, and the candidates themselves. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = candidates.find((candidate) => distance(word.toLowerCase(), candidate.toLowerCase()) <= 2)
  const possible = candidates.length > 0 ? `Possible: ${candidates.join(', ')}.` : 'There is none.'
  return `${near ? `Did you mean "${near}"? ` : ''}${possible}`
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
