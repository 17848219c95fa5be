import path from 'node:path'

import { loadPrettier } from '../emit/format-prettier.js'
import { readAppFolder } from './app/app-folder.js'
import { assertPrisma7 } from './app/prisma-version.js'
import { applyChanges, type WriteFile } from './apply-changes.js'
import { findSchema } from './schema/find-schema.js'
import { type FileChange, type InitPlan, planInit } from './plan-init.js'

/** Arguments of `routewright init`. */
export interface InitRequest {
  /** Absolute path of the app's folder. */
  readonly folder: string
  /** The value of `--schema`. */
  readonly schema: string | undefined
  /** Whether to write all files without confirmation. */
  readonly yes: boolean
}

/** The input and output of `routewright init`. */
export interface InitIo {
  out(text: string): void
  error(text: string): void
  /** Prompts for yes or no. Returns undefined to abort. Not set if there is no terminal. */
  readonly confirm?: ((question: string) => Promise<boolean | undefined>) | undefined
  /** Writes a file. Default: to disk. */
  readonly write?: WriteFile | undefined
}

/**
 * Sets up a project: shows each planned file, asks for confirmation, writes the confirmed files and prints the remaining steps.
 * @returns 0, or 2 if confirmation is not possible or the user aborts. In that case, nothing is written.
 * @throws GeneratorError if the project cannot be set up. In that case, nothing is written.
 */
export async function init(request: InitRequest, io: InitIo): Promise<0 | 2> {
  const app = readAppFolder(request.folder)
  assertPrisma7(app)
  const schema = await findSchema(request.schema, request.folder, app.manifest.schema)
  const plan = await planInit(app, schema, format)
  io.out(`${plan.summary}\n`)
  const { confirm } = io
  if (plan.changes.length > 0 && !request.yes && confirm === undefined) {
    for (const change of plan.changes) io.out(`\n${formatChange(change)}`)
    io.error(
      '\nroutewright: nothing was written, because confirmation requires a terminal. Use --yes to accept all changes.\n',
    )
    return 2
  }
  const confirmedChanges: FileChange[] = []
  for (const change of plan.changes) {
    io.out(`\n${formatChange(change)}`)
    const confirmed = request.yes || confirm === undefined ? true : await confirm(formatQuestion(change))
    if (confirmed === undefined) {
      io.error('\nroutewright: stopped. Nothing was written.\n')
      return 2
    }
    if (confirmed) confirmedChanges.push(change)
  }
  applyChanges(confirmedChanges, io.write)
  io.out(formatReport(plan, confirmedChanges))
  return 0
}

/** Formats a file with the app's prettier. If prettier cannot be loaded or fails, the text remains unformatted. */
async function format(file: string, text: string): Promise<string> {
  try {
    const prettier = await loadPrettier(path.dirname(file))
    return await prettier.format(file, text)
  } catch {
    return text
  }
}

function formatChange({ name, before, added }: FileChange): string {
  const lines = added.trimEnd().split('\n')
  const title = before === undefined ? `New file ${name}:` : `Added to ${name}:`
  return `${title}\n${lines.map((line) => `  + ${line}`.trimEnd()).join('\n')}\n`
}

function formatQuestion({ name, before }: FileChange): string {
  return before === undefined ? `Write ${name}?` : `Change ${name}?`
}

function formatReport({ changes, notes, steps }: InitPlan, confirmedChanges: readonly FileChange[]): string {
  const done = changes.map((change) => {
    if (!confirmedChanges.includes(change)) return `Skipped ${change.name}. ${change.fallback}`
    return change.before === undefined ? `Wrote ${change.name}` : `Changed ${change.name}`
  })
  const skippedFiles = changes.filter((change) => !confirmedChanges.includes(change)).map(({ name }) => name)
  const remaining = steps.filter(({ file }) => file === undefined || !skippedFiles.includes(file))
  const lines = [
    '',
    ...(done.length > 0 ? done : ['The project is already set up. There is nothing to write.']),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `Note: ${note}`)] : []),
    '',
    'Next steps:',
    ...remaining.map(({ text }, index) => `  ${index + 1}. ${text}`),
    '',
  ]
  return lines.join('\n')
}
