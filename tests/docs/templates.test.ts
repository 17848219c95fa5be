import { readFileSync } from 'node:fs'
import path from 'node:path'

import { beforeAll, describe, expect, it, vi } from 'vitest'

import { TEMPLATES } from '../../generator/emit/templates.js'
import { ADAPTERS } from '../../generator/options.js'
import { withoutFeatures } from '../../scripts/bundle-table.js'
import { generateFrom, FORMATTED_HEAD } from '../support/generate.js'
import { ROOT, tableWith } from './support/pages.js'

/** The variables that each template received, for example `fields[].name`, by template name. */
const templateInputs = vi.hoisted(() => new Map<string, Set<string>>())

vi.mock(import('../../generator/emit/templates.js'), async (original) => {
  const module = await original()
  return {
    ...module,
    openTemplates: (...args: Parameters<typeof module.openTemplates>) => {
      const render = module.openTemplates(...args)
      return (name, view) => {
        const variables = templateInputs.get(name) ?? new Set()
        for (const variable of variablesOf(view)) variables.add(variable)
        templateInputs.set(name, variables)
        return render(name, view)
      }
    },
  }
})

const with_ = (schema: string, options: string): string =>
  schema.replace(/(provider\s*= "routewright"\n)/, `$1  format = "none"\n  ${options}\n`)

beforeAll(async () => {
  const fixture = (name: string) => readFileSync(path.join(ROOT, 'fixtures', name, 'schema.prisma'), 'utf8')
  const all = `adapters = ${JSON.stringify(ADAPTERS)}\n  policy = "casl"`
  await generateFrom(with_(fixture('blog'), all))
  await generateFrom(
    with_(withoutFeatures(fixture('annotations')), 'styles = ["rest"]\n  rest = ["nestedRoutes"]\n  files = ["input"]'),
  )
  // Comments with one or several lines, and a database without foreign keys.
  await generateFrom(
    with_(FORMATTED_HEAD.replace('provider = "sqlite"', 'provider = "mysql"\n  relationMode = "prisma"'), '') +
      '/// One line.\nmodel A {\n  id Int @id\n  /// Two\n  /// lines.\n  b String\n}\n',
  )
})

describe('docs: template variables', () => {
  it.each(TEMPLATES.filter((name) => !ADAPTERS.some((adapter) => adapter === name)))(
    '%s.hbs: receives exactly the documented variables',
    (name) => {
      expect(listed(name)).toEqual([...(templateInputs.get(name) ?? [])].sort())
    },
  )

  it.each(ADAPTERS)('%s.hbs: receives exactly the documented adapter variables', (name) => {
    expect(listed('adapters')).toEqual([...(templateInputs.get(name) ?? [])].sort())
  })
})

function listed(name: string): string[] {
  return tableWith(`view: ${name}`)
    .flatMap(([variables = '']) => variables.split(', '))
    .filter((name) => name !== '')
    .sort()
}

/** Returns the variables of a view. */
function variablesOf(view: unknown, at = ''): string[] {
  if (Array.isArray(view)) return [`${at}[]`, ...view.flatMap((each) => variablesOf(each, `${at}[]`))]
  if (typeof view !== 'object' || view === null) return [at]
  return Object.entries(view).flatMap(([key, value]) => variablesOf(value, at === '' ? key : `${at}.${key}`))
}
