import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import Handlebars from 'handlebars'

import { GeneratorError, suggest } from '../errors.js'
import { ADAPTERS } from '../options.js'

/** Every template, by name: what it is given, see the views. */
export const TEMPLATES = [
  ...(['resource', 'rest', 'rpc', 'index', 'client', 'graph', 'orm', 'hooks', 'policy'] as const),
  ...ADAPTERS,
] as const

export type TemplateName = (typeof TEMPLATES)[number]

/** Renders a template with a view. Compiled by its first use, then kept. */
export type Render = (template: TemplateName, view: object) => string

/** The package's own templates: beside the sources, and beside the built files. */
function ownFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const root = here.includes(`${path.sep}dist${path.sep}`) ? '../..' : '..'
  return path.resolve(here, root, 'templates')
}

/**
 * Opens the templates.
 * @param replacements a folder whose `.hbs` files replace ours by name (option `templates`)
 * @throws GeneratorError where the folder cannot be read, or has a template that we do not have
 */
export function openTemplates(replacements: string | undefined): Render {
  const replaced = replacements === undefined ? [] : replacementNames(replacements)
  const read = (name: string) =>
    readFileSync(
      path.join(replacements !== undefined && replaced.includes(name) ? replacements : ownFolder(), `${name}.hbs`),
      'utf8',
    )
  const handlebars = Handlebars.create()
  const compiled = new Map<TemplateName, Handlebars.TemplateDelegate>()
  return (name, view) => {
    const template = compiled.get(name) ?? handlebars.compile(read(name), { noEscape: true, strict: true })
    compiled.set(name, template)
    try {
      return template(view)
    } catch (error) {
      const what = `the template "${name}.hbs" fails: ${error instanceof Error ? error.message : String(error)}.`
      throw new GeneratorError([{ place: {}, what, mend: 'Compare it with the one that the package has.' }])
    }
  }
}

function replacementNames(folder: string): string[] {
  const known = [...TEMPLATES]
  let files: string[]
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.hbs'))
  } catch {
    const mend = 'Set templates to a folder that exists, relative to the schema.'
    throw new GeneratorError([{ place: {}, what: `the templates folder ${folder} cannot be read.`, mend }])
  }
  const names = files.map((file) => file.slice(0, -'.hbs'.length))
  const problems = names
    .filter((name) => !known.some((each) => each === name))
    .map((name) => ({ place: {}, what: `there is no template "${name}.hbs" to replace.`, mend: suggest(name, known) }))
  if (problems.length > 0) throw new GeneratorError(problems)
  return names
}
