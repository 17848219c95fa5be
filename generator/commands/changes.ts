import { ACCEPT_FILE } from '../changes/acceptances.js'
import { type ApiChanges, findChanges, type ReportedChange } from '../changes/find-changes.js'
import { formatChangelog } from '../changes/format/changelog.js'
import { formatGithub } from '../changes/format/github.js'
import { formatJson } from '../changes/format/json.js'
import { formatMarkdown } from '../changes/format/markdown.js'
import { formatText } from '../changes/format/text.js'
import { loadSchema } from '../load-schema.js'
import type { ChangeFormat, FailKind } from './change-options.js'
import type { CliOutput, ExitCode } from './command.js'

/** Arguments of `routewright changes`. */
export interface ChangesArguments {
  /** The schema's file or folder. Default: where Prisma looks for it. */
  readonly schema: string | undefined
  /** The Git ref to compare with. Default: the merge base with the default branch. */
  readonly ref: string | undefined
  readonly format: ChangeFormat
  /** The kinds of changes that make the command exit with 1 unless they are accepted. */
  readonly failOn: readonly FailKind[]
}

/**
 * Runs `routewright changes`: reports how the current schema changes the API compared with an earlier commit. Writes no files.
 * @returns 1 if a change is of a kind in `failOn` and is not accepted
 * @throws GeneratorError if Git fails or one of the schemas cannot be read
 */
export async function changesCommand(args: ChangesArguments, output: CliOutput): Promise<ExitCode> {
  const { schema, ref, format, failOn } = args
  const found = await findChanges(await loadSchema(schema), { ref, isThorough: true })
  const isFailure = ({ kind, accepted }: ReportedChange) =>
    accepted === undefined && failOn.some((each) => each === kind)
  output.out(FORMATS[format](found, isFailure))
  const failures = found.changes.filter(isFailure)
  if (failures.length === 0) return 0
  const subject = failures.length === 1 ? 'one change is' : `${failures.length} changes are`
  const isInSchema = failures.some(({ location }) => location?.removed === false)
  const comment = isInSchema
    ? '. For a changed line of the schema, you can write /// @api.accept("reason") above it instead'
    : ''
  output.error(
    `routewright: ${subject} not accepted. Accept each with a line in ${ACCEPT_FILE} next to the schema${comment}:\n` +
      failures.map(({ id }) => `  ${id}: reason\n`).join(''),
  )
  return 1
}

type Format = (result: ApiChanges, isFailure: (change: ReportedChange) => boolean) => string

const FORMATS: Readonly<Record<ChangeFormat, Format>> = {
  text: formatText,
  markdown: formatMarkdown,
  json: formatJson,
  github: formatGithub,
  changelog: formatChangelog,
}
