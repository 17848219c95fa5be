import type { Severity } from '../changes/change.js'
import { type ApiChanges, findChanges, type ReportedChange } from '../changes/find-changes.js'
import { formatChangelog } from '../changes/format/changelog.js'
import { formatGithub } from '../changes/format/github.js'
import { formatJson } from '../changes/format/json.js'
import { formatMarkdown } from '../changes/format/markdown.js'
import { formatText } from '../changes/format/text.js'
import { loadSchema } from '../load-schema.js'
import type { CliOutput, ExitCode } from './command.js'

/** How changes can be told of. */
export const CHANGE_FORMATS = ['text', 'markdown', 'json', 'github', 'changelog'] as const

export type ChangeFormat = (typeof CHANGE_FORMATS)[number]

/** What may end the command with 1. */
export const FAIL_KINDS = ['exposure', 'breaking'] as const satisfies readonly Severity[]

export type FailKind = (typeof FAIL_KINDS)[number]

/** What `routewright changes` is told. */
export interface ChangesArguments {
  /** The schema's file or folder; undefined for where Prisma would look. */
  readonly schema: string | undefined
  /** What to compare with. Default: the merge base with the default branch. */
  readonly ref: string | undefined
  readonly format: ChangeFormat
  /** The kinds of changes of which one that nobody accepts ends the command with 1. */
  readonly failOn: readonly FailKind[]
}

/**
 * `routewright changes`: what the schema here does to the API's callers, beside that of an earlier commit. Changes nothing.
 * @returns 1 where there is a change to fail on
 * @throws GeneratorError where git or one of the schemas cannot be read
 */
export async function changesCommand(args: ChangesArguments, output: CliOutput): Promise<ExitCode> {
  const { schema, ref, format, failOn } = args
  const found = await findChanges(await loadSchema(schema), { ref, isThorough: true })
  const fails = ({ kind, accepted }: ReportedChange) => accepted === undefined && failOn.some((each) => each === kind)
  output.out(FORMATS[format](found, fails))
  const failing = found.changes.filter(fails)
  if (failing.length === 0) return 0
  const what = failing.length === 1 ? 'one change is' : `${failing.length} changes are`
  output.error(
    `routewright: ${what} not accepted. Accept each with /// @api.accept("reason") above it, or by a line in routewright.changes beside the schema:\n` +
      failing.map(({ id }) => `  ${id}: reason\n`).join(''),
  )
  return 1
}

type Format = (found: ApiChanges, fails: (change: ReportedChange) => boolean) => string

const FORMATS: Readonly<Record<ChangeFormat, Format>> = {
  text: formatText,
  markdown: formatMarkdown,
  json: formatJson,
  github: formatGithub,
  changelog: formatChangelog,
}
