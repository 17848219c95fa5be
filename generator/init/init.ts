import path from 'node:path'

import { loadPrettier } from '../emit/format-prettier.js'
import { readAppFolder } from './app/app-folder.js'
import { assertPrisma7 } from './app/prisma-version.js'
import { applyChanges, type WriteFile } from './apply-changes.js'
import { findSchema } from './schema/find-schema.js'
import { type FileChange, type InitPlan, planInit } from './plan-init.js'

/** What `routewright init` is asked for. */
export interface InitRequest {
  /** The app's folder, absolute. */
  readonly folder: string
  /** What `--schema` says. */
  readonly schema: string | undefined
  /** Whether every file may be written without a question. */
  readonly yes: boolean
}

/** How `routewright init` talks, and where it writes. */
export interface InitIo {
  out(text: string): void
  error(text: string): void
  /** Asks a question that is answered by yes or no; undefined as an answer ends it all. Missing where nobody can answer. */
  readonly ask?: ((question: string) => Promise<boolean | undefined>) | undefined
  /** Writes a file. Default: to disk. */
  readonly write?: WriteFile | undefined
}

/**
 * Sets a project up: shows what it would write, asks for each file, writes all that was agreed to, and says what remains to be
 * done.
 * @returns 0, or 2 where there was nobody to ask, or the answer was to stop; nothing is written then
 * @throws GeneratorError where the project cannot be set up; nothing is written then either
 */
export async function init(request: InitRequest, io: InitIo): Promise<0 | 2> {
  const app = readAppFolder(request.folder)
  assertPrisma7(app)
  const schema = await findSchema(request.schema, request.folder, app.manifest.schema)
  const plan = await planInit(app, schema, format)
  io.out(`${plan.found}\n`)
  const { ask } = io
  if (plan.changes.length > 0 && !request.yes && ask === undefined) {
    for (const change of plan.changes) io.out(`\n${show(change)}`)
    io.error(
      '\nroutewright: nothing was written, because there is no terminal to ask in. Agree to it all with --yes.\n',
    )
    return 2
  }
  const agreed: FileChange[] = []
  for (const change of plan.changes) {
    io.out(`\n${show(change)}`)
    const answer = request.yes || ask === undefined ? true : await ask(question(change))
    if (answer === undefined) {
      io.error('\nroutewright: stopped; nothing was written.\n')
      return 2
    }
    if (answer) agreed.push(change)
  }
  applyChanges(agreed, io.write)
  io.out(report(plan, agreed))
  return 0
}

/** In the app's own style. Where its prettier does not load or fails, the text is right as it is. */
async function format(file: string, text: string): Promise<string> {
  try {
    const prettier = await loadPrettier(path.dirname(file))
    return await prettier.format(file, text)
  } catch {
    return text
  }
}

function show({ name, before, added }: FileChange): string {
  const lines = added.trimEnd().split('\n')
  const title = before === undefined ? `New file ${name}:` : `Added to ${name}:`
  return `${title}\n${lines.map((line) => `  + ${line}`.trimEnd()).join('\n')}\n`
}

function question({ name, before }: FileChange): string {
  return before === undefined ? `Write ${name}?` : `Change ${name}?`
}

function report({ changes, notes, steps }: InitPlan, agreed: readonly FileChange[]): string {
  const done = changes.map((change) => {
    if (!agreed.includes(change)) return `Left out ${change.name}. ${change.without}`
    return change.before === undefined ? `Wrote ${change.name}` : `Changed ${change.name}`
  })
  const leftOut = changes.filter((change) => !agreed.includes(change)).map(({ name }) => name)
  const remaining = steps.filter(({ about }) => about === undefined || !leftOut.includes(about))
  const lines = [
    '',
    ...(done.length > 0 ? done : ['The project is set up already: nothing to write.']),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `Note: ${note}`)] : []),
    '',
    'What to do next:',
    ...remaining.map(({ text }, index) => `  ${index + 1}. ${text}`),
    '',
  ]
  return lines.join('\n')
}
