import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import Handlebars from 'handlebars'

import { GeneratorError, suggest } from '../errors.js'
import { ADAPTERS } from '../options.js'

/** The names of all templates. The view types describe their data. */
export const TEMPLATES = [
  ...([
    'resource',
    'input',
    'calls',
    'rest',
    'rpc',
    'index',
    'client',
    'orm',
    'custom-routes',
    'declare-routes',
    'computed',
    'descriptions',
    'graph',
    'hooks',
    'policy',
  ] as const),
  ...ADAPTERS,
] as const

/** The name of a template. */
export type TemplateName = (typeof TEMPLATES)[number]

/** Renders a template with a view. Each template is compiled on first use and cached. */
export type Render = (template: TemplateName, view: object) => string

/** Returns the folder of the built-in templates. Works both in the sources and in the built files. */
function builtinFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const root = here.includes(`${path.sep}dist${path.sep}`) ? '../..' : '..'
  return path.resolve(here, root, 'templates')
}

/**
 * Creates a function that renders templates.
 * @param replacements a folder whose `.hbs` files replace the built-in templates with the same name (option `templates`)
 * @throws GeneratorError if the folder cannot be read or contains a template with an unknown name
 */
export function openTemplates(replacements: string | undefined): Render {
  const replaced = replacements === undefined ? [] : replacementNames(replacements)
  const read = (name: string) =>
    readFileSync(
      path.join(replacements !== undefined && replaced.includes(name) ? replacements : builtinFolder(), `${name}.hbs`),
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
      const message = `the template "${name}.hbs" cannot be rendered: ${error instanceof Error ? error.message : String(error)}.`
      throw new GeneratorError([
        { location: {}, message, hint: 'Compare it with the built-in template of the same name.' },
      ])
    }
  }
}

function replacementNames(folder: string): string[] {
  const available = [...TEMPLATES]
  let files: string[]
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.hbs'))
  } catch {
    const hint = 'Set templates to an existing folder, relative to the schema file.'
    throw new GeneratorError([{ location: {}, message: `the templates folder ${folder} cannot be read.`, hint }])
  }
  const names = files.map((file) => file.slice(0, -'.hbs'.length))
  const problems = names
    .filter((name) => !available.some((each) => each === name))
    .map((name) => ({
      location: {},
      message: `unknown template "${name}.hbs".`,
      hint: suggest(name, available),
    }))
  if (problems.length > 0) throw new GeneratorError(problems)
  return names
}
